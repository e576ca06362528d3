// Searches for codes that solve a problem: near starts, descent, and known codes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/steer/answer.h"
#include "rhumb/steer/candidate.h"
#include "rhumb/steer/descent.h"
#include "rhumb/steer/prepared_model.h"
#include "rhumb/steer/primal_dual.h"
#include "rhumb/steer/problem.h"

namespace rhumb::steer {

// Turns a candidate into an answer with forecast intervals.
Answer MakeAnswer(const PreparedModel& prepared, const Candidate& candidate);

// The workspace for one thread's searches.
class Search {
 public:
  // `observe` may be null. Otherwise it sees every iterate of every Run and must outlive the
  // search. Each descent begins with iteration 0.
  explicit Search(const PreparedModel& prepared, const PrimalDual::Observer* observe = nullptr);

  // Starting points in addition to near or random ones.
  struct Seeds {
    std::uint64_t seed = 0;            // for random starts
    int first_start = -1;              // index of a training code
    std::span<const float> code = {};  // [H], or empty
  };

  // Returns every candidate considered, including at least the steered codes.
  std::vector<Candidate> Run(const Problem& problem, const AttemptSettings& attempt,
                             const Seeds& seeds);

  // Whether some start of the last Run was still moving at the iteration limit.
  bool ran_out() const { return ran_out_; }
  // Returns the probability for each bound that makes all hold with the options' confidence. It is
  // at least the attempt's likelihood.
  double ConfidencePerBound(const Problem& problem, const AttemptSettings& attempt = {}) const;

 private:
  // Returns the starting points of Run: [S, H].
  std::vector<double> Starts(const Problem& problem, const AttemptSettings& attempt,
                             const Seeds& seeds) const;
  // Returns the known codes with the smallest miss. If the query has a wish, half of them lie
  // within the bounds.
  std::vector<int> NearStarts(const Problem& problem, const AttemptSettings& attempt) const;
  // Returns the known codes that may have the least risk.
  std::vector<int> NearKnown(const Problem& problem, double confidence) const;
  // Adds the codes half-way between any two of the best candidates.
  void AddMixtures(const Problem& problem, const AttemptSettings& attempt,
                   std::vector<Candidate>& candidates) const;
  Candidate MakeCandidate(const Problem& problem, std::span<const float> code,
                          const Forecast& forecast, Origin origin,
                          const AttemptSettings& attempt) const;

  const PreparedModel& prepared_;
  const PrimalDual::Observer* observe_;
  Descent descent_;
  bool ran_out_ = false;
};

}  // namespace rhumb::steer
