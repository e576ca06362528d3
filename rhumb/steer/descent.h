// Moves codes towards the solution of a problem.
//
//   codes [S, H] ─ PrimalDual: gradient of the forecast, along the tangent spaces of DataManifold,
//   within the allowed distance from the data ─→ codes [S, H]
#pragma once

#include <span>
#include <vector>

#include "rhumb/steer/candidate.h"
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
  double margin = 0;        // added to every soft bound, in standard deviations of the forecast
  double likelihood = 0;    // minimum probability of each bound, unless the options ask for more
  int patience = 0;         // steps without progress after which a start ends; 0: never
};

// The workspace of one thread. It refers to its parts, which must outlive it.
class Descent {
 public:
  // `primal_step` is in code units.
  Descent(const Forecaster& forecaster, const DataManifold& manifold, const SteerOptions& options,
          double primal_step);

  // `confidence` applies to each bound. If the options allow candidates, the result of a start is
  // its iterate of least risk, and `iterations` the steps to it. Otherwise it is that of
  // PrimalDual. Iterations allocate nothing except tangent bases that are not cached yet. `observe`
  // sees every iterate and changes none. The result is valid until the next call.
  const PrimalDualResult& Run(const Problem& problem, double confidence,
                              std::span<const double> starts, const AttemptSettings& attempt,
                              const PrimalDual::Observer* observe = nullptr);

 private:
  void Prepare(const Problem& problem, int starts);
  void KeepBest(const Problem& problem, double confidence, std::size_t row, std::size_t start,
                const double* point);
  void Evaluate(const Problem& problem, double confidence, std::span<const int> start,
                const double* points, double* losses, double* constraints);
  void Gradient(const Problem& problem, std::span<const int> start, const double* multipliers,
                double* gradients);
  void Project(std::span<const int> start, int iteration, const double* points, double* gradients);

  const Forecaster& forecaster_;
  const DataManifold& manifold_;
  const SteerOptions& options_;
  const double primal_step_;
  AttemptSettings attempt_;
  PrimalDual solver_;
  PrimalDualResult result_;
  int iteration_ = 0;
  std::vector<int> nearest_;                       // [S]: the known code that supplies the basis
  std::vector<Forecaster::Path> paths_;            // [S]
  std::vector<double> values_, stds_;              // [S, K]: for active rows
  std::vector<double> best_scores_, best_points_;  // [S] and [S, H]: the best iterate of a start
  std::vector<int> best_iterations_;               // [S]
  std::vector<double> value_gradient_, next_, offset_;
};

}  // namespace rhumb::steer
