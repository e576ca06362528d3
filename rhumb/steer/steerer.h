// Steering on a model: query -> codes whose behaviour it describes.
//
//   query ─ Problem ─→ near starts ─ PrimalDual on ValueFunction, along DataManifold ─→ candidates
//         ─ risk ─→ answers, or a diagnosis
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/prepared_model.h"
#include "rhumb/steer/primal_dual.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/query.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::steer {

// Constant after construction but for caches, and then thread-safe.
class Steerer {
 public:
  // The model outlives the steerer. An Error where `heads` asks for grounded ones that the model
  // lacks in this mode.
  Steerer(const net::Model& model, net::RolloutMode mode, const SteerOptions& options);
  ~Steerer();
  Steerer(const Steerer&) = delete;
  Steerer& operator=(const Steerer&) = delete;

  // Bad queries are Errors; infeasible ones are not. Random starts are drawn from `seed`; with
  // start "random" and `first_start` >= 0 the first of them is that training code. `observe`, where
  // it is not null, sees the iterates of every descent, each of which begins with iteration 0.
  Result Solve(const Query& query, const Reference* reference = nullptr, std::uint64_t seed = 0,
               int first_start = -1, const PrimalDual::Observer* observe = nullptr) const;

  // Many at once, over the cores: result i is that of Solve(queries[i], nullptr, seed).
  std::vector<Result> SolveAll(std::span<const Query> queries, int threads,
                               std::uint64_t seed = 0) const;

  // The Error that Solve would throw, if any, without solving.
  void Check(const Query& query, const Reference* reference = nullptr) const;

  // The forecast of any code [H]: predicted values, intervals and distance to data.
  Answer Assess(std::span<const float> code) const;

  const PreparedModel& prepared() const;
  const net::Model& model() const;
  const SteerOptions& options() const;
  bool grounded() const;  // whether it steers by heads that were fitted to roll-outs

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace rhumb::steer
