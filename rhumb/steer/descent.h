// Moves codes towards the solution of a problem.
//
//   codes [S, H] ─ PrimalDual: gradient of ValueFunction, along the tangent spaces of DataManifold,
//   within the allowed distance from the data ─→ codes [S, H]
#pragma once

#include <span>
#include <vector>

#include "rhumb/steer/forecaster.h"
#include "rhumb/steer/map/data_manifold.h"
#include "rhumb/steer/primal_dual.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::steer {

// Limits of one attempt at a problem: how much it may spend, and how strictly bounds apply.
struct AttemptSettings {
  int starts = 1;
  int iterations = 0;       // at most, per start
  double max_distance = 0;  // distance from the data, in spacings
  double margin = 0;        // added to every bound, in standard deviations
  double likelihood = 0;    // minimum probability of each bound, unless the options ask for more
};

// The workspace of one thread. It refers to its parts, which must outlive it.
class Descent {
 public:
  // `primal_step` is in code units.
  Descent(const Forecaster& forecaster, const DataManifold& manifold, const SteerOptions& options,
          double primal_step);

  // `confidence` applies to each bound. Iterations allocate nothing except tangent bases that are
  // not cached yet. `observe` sees every iterate and changes none. The result is valid until the
  // next call.
  const PrimalDualResult& Run(const Problem& problem, double confidence,
                              std::span<const double> starts, const AttemptSettings& attempt,
                              const PrimalDual::Observer* observe = nullptr);

 private:
  void Prepare(int starts);
  void MeasureCorrections(std::span<const double> starts);
  void Evaluate(const Problem& problem, double confidence, std::span<const int> start,
                const double* points, double* losses, double* constraints);
  void Gradient(const Problem& problem, int rows, const double* multipliers, double* gradients);
  void Project(std::span<const int> start, int iteration, const double* points, double* gradients);

  const Forecaster& forecaster_;
  const DataManifold& manifold_;
  const SteerOptions& options_;
  const double primal_step_;
  AttemptSettings attempt_;
  PrimalDual solver_;
  std::vector<int> nearest_;  // [S]: the training code that supplies the basis
  std::vector<float> codes_, heads_, ensemble_stds_;  // for active rows
  std::vector<double> values_, head_stds_;            // for active rows, in the objectives' units
  std::vector<double> corrections_;  // [S, K]: corrections of the heads, fixed at the start
  std::vector<float> cotangents_, code_gradients_;
  std::vector<double> value_gradient_, next_, offset_;
  std::vector<float> workspace_;
};

}  // namespace rhumb::steer
