// Steers a model: query -> codes whose behaviour matches it.
//
//   query ─ Problem ─→ near starts ─ PrimalDual on the forecast, along DataManifold ─→ candidates
//         ─ risk ─→ answers, or a diagnosis
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/prepared_model.h"
#include "rhumb/steer/primal_dual.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/query/query.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::steer {

// Constant after construction except for caches, and then thread-safe.
class Steerer {
 public:
  // The model must outlive the steerer. Throws Error if `heads` asks for rollouts that the model
  // lacks in this mode.
  Steerer(const net::Model& model, net::RolloutMode mode, const SteerOptions& options);
  Steerer(const Steerer&) = delete;
  Steerer& operator=(const Steerer&) = delete;

  // Throws Error for an invalid query; an infeasible one is a Result. `seed` determines the random
  // starts. With start "random" and `first_start` >= 0, the first start is that training code.
  // `observe` may be null; otherwise it sees the iterates of every descent, each beginning with
  // iteration 0.
  Result Solve(const Query& query, const Reference* reference = nullptr, std::uint64_t seed = 0,
               int first_start = -1, const PrimalDual::Observer* observe = nullptr) const;

  // Solves many queries on several threads: result i equals Solve(queries[i], nullptr, seed).
  std::vector<Result> SolveAll(std::span<const Query> queries, int threads,
                               std::uint64_t seed = 0) const;

  // Throws the Error that Solve would throw, if any, without solving.
  void Check(const Query& query, const Reference* reference = nullptr) const;

  // Forecasts any code [H]: predicted values, intervals and distance to data.
  Answer Assess(std::span<const float> code) const;

  const PreparedModel& prepared() const { return prepared_; }
  const net::Model& model() const { return prepared_.model; }
  const SteerOptions& options() const { return options_; }
  bool grounded() const { return prepared_.forecaster.has_rollouts(); }

 private:
  const SteerOptions options_;
  const PreparedModel prepared_;  // refers to options_
};

}  // namespace rhumb::steer
