// Looks for codes that meet a problem: near starts, descent, and what is known already.
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

// A candidate with the intervals of its forecast.
Answer MakeAnswer(const PreparedModel& prepared, const Candidate& candidate);

// The workspace of one thread's searches.
class Search {
 public:
  // `observe`, where it is not null, sees every iterate of every Run and outlives the search. A
  // descent begins with iteration 0.
  explicit Search(const PreparedModel& prepared, const PrimalDual::Observer* observe = nullptr);

  // Where it starts from, beside near or random ones.
  struct Seeds {
    std::uint64_t seed = 0;            // of random starts
    int first_start = -1;              // a training code
    std::span<const float> code = {};  // [H], or none
  };

  // Where Run starts: [S, H].
  std::vector<double> Starts(const Problem& problem, const AttemptSettings& attempt,
                             const Seeds& seeds) const;
  // Everything that was considered; at least the steered codes.
  std::vector<Candidate> Run(const Problem& problem, const AttemptSettings& attempt,
                             const Seeds& seeds);

  // Whether some start of the last Run still moved when its iterations ended.
  bool ran_out() const { return ran_out_; }
  // The probability with which each bound must hold, so that all hold with the options' confidence;
  // at least the attempt's likelihood.
  double ConfidencePerBound(const Problem& problem, const AttemptSettings& attempt = {}) const;

 private:
  // The training codes that miss what is asked for least; beside a wish, half of them within the
  // bounds.
  std::vector<int> NearStarts(const Problem& problem, const AttemptSettings& attempt) const;
  Candidate MakeCandidate(const Problem& problem, std::span<const float> code,
                          const Forecast& forecast, Origin origin,
                          const AttemptSettings& attempt) const;

  const PreparedModel& prepared_;
  const PrimalDual::Observer* observe_;
  Descent descent_;
  bool ran_out_ = false;
};

}  // namespace rhumb::steer
