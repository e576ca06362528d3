// Looks for codes that meet a problem: near starts, descent, and what is known already.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/steer/candidate.h"
#include "rhumb/steer/data_manifold.h"
#include "rhumb/steer/descent.h"
#include "rhumb/steer/forecaster.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::steer {

// What a model offers to every search. Constant after construction but for the manifold's cache,
// and then thread-safe; the model and the options outlive it.
struct Atlas {
  Atlas(const net::Model& model, net::RolloutMode mode, const SteerOptions& options);

  const net::Model& model;
  const SteerOptions& options;
  Forecaster forecaster;
  DataManifold manifold;
  std::vector<Forecast> training;    // of the training codes
  std::vector<Forecast> rolled_out;  // of forecaster.rolled_out_codes()
  double primal_step;                // of the code, in its units
};

// The workspace of one thread's searches.
class Search {
 public:
  explicit Search(const Atlas& atlas);

  // Where it starts from, beside near or random ones.
  struct Seeds {
    std::uint64_t seed = 0;            // of random starts
    int first_start = -1;              // a training code
    std::span<const float> code = {};  // [H], or none
  };

  // Where Run starts: [S, H].
  std::vector<double> Starts(const Problem& problem, const Effort& effort,
                             const Seeds& seeds) const;
  // Everything that was considered, judged; at least the steered ones.
  std::vector<Candidate> Run(const Problem& problem, const Effort& effort, const Seeds& seeds);

  // Whether some start of the last Run still moved when its iterations ended.
  bool ran_out() const { return ran_out_; }
  // The probability that each bound must be met with, for all of them to hold with the options'; at
  // least the effort's.
  double ConfidencePerBound(const Problem& problem, const Effort& effort = {}) const;

 private:
  // The training codes that miss what is asked for least; beside a wish, half of them within the
  // bounds.
  std::vector<int> NearStarts(const Problem& problem, const Effort& effort) const;
  Candidate Judge(const Problem& problem, std::span<const float> code, const Forecast& forecast,
                  Origin origin, const Effort& effort) const;

  const Atlas& atlas_;
  Descent descent_;
  bool ran_out_ = false;
};

}  // namespace rhumb::steer
