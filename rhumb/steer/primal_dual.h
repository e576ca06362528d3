// Projected primal-dual descent from several starts at once.
//
//   min l(h)  subject to  c(h) <= 0,   L(h, lambda) = l(h) + lambda . c(h)
//   h      <- h - step P(h) grad_h L(h, [lambda + penalty c(h)]+)
//   lambda <- [lambda + dual_step c(h)]+
//
// penalty 0 is the paper's method. A penalty above 0 makes L the augmented Lagrangian, which damps
// the oscillation between h and lambda and keeps the same solution.
//
// Each start runs until the first of these conditions:
//   - its loss, a constraint or its projected gradient is not finite (kNotFinite);
//   - the caller accepts its loss and constraints (kAccepted);
//   - it has made `iterations` steps (kIterationLimit);
//   - for `patience` steps its largest constraint has not fallen by a hundredth or, once all
//     constraints hold, its loss has not (kStalled);
//   - no element of P grad L, and no change of lambda per dual_step, exceeds `stationary`
//     (kStationary).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/core/function_ref.h"

namespace rhumb::steer {

struct PrimalDualOptions {
  double primal_step = 0.1;
  double dual_step = 0.1;
  double penalty = 0;
  int iterations = 500;  // at most
  int patience = 0;      // steps without progress after which a start ends; 0: never
  double stationary =
      1e-9;                // tolerance of the optimality conditions, independent of the step sizes
  double feasible = 1e-9;  // c <= this counts as feasible when choosing the best iterate
};

// How the descent of one start ended.
enum class Outcome : std::uint8_t {
  kAccepted,        // the caller accepted it
  kStationary,      // it stopped moving
  kStalled,         // it moved and came no nearer
  kIterationLimit,  // it was still moving
  kNotFinite,       // a value or gradient was not finite; the point is the best one before that
};

// The problem to minimise, evaluated on the rows of the active starts. Points are double. Rows are
// numbered from 0 and change as starts end; `start` maps each row to its start. Rows change only
// between iterations: evaluate, gradient and project of one iteration see the same rows.
struct PrimalDualProblem {
  int size = 0;         // H: size of a point
  int constraints = 0;  // M
  // points [rows, H] -> losses [rows] and constraints [rows, M].
  core::FunctionRef<void(std::span<const int> start, const double* points, double* losses,
                         double* constraints)>
      evaluate;
  // At the points of the last `evaluate`: multipliers [rows, M] -> gradients [rows, H] of
  // l + multipliers . c.
  core::FunctionRef<void(std::span<const int> start, const double* points,
                         const double* multipliers, double* gradients)>
      gradient;
  // Projects the gradients [rows, H] in place onto the allowed directions at the points.
  core::FunctionRef<void(std::span<const int> start, int iteration, const double* points,
                         double* gradients)>
      project;
  // Returns whether a point with this loss and these constraints [M] is good enough to stop.
  core::FunctionRef<bool(double loss, const double* constraints)> accept;
};

// The state of each start after the descent, row-major. If even the start had non-finite values,
// the start is the point, and its loss and constraints are infinite.
struct PrimalDualResult {
  std::vector<double> points;       // [S, H]: the best iterate of each start
  std::vector<double> losses;       // [S], at the best iterate
  std::vector<double> constraints;  // [S, M], at the best iterate
  std::vector<double> multipliers;  // [S, M], at the last iterate
  std::vector<Outcome> outcomes;    // [S]
  std::vector<int> iterations;      // [S]: gradient steps taken
};

// Owns all memory of a descent, so iterations allocate nothing. One per thread. Reusable for
// problems of any size; allocates only when it grows.
class PrimalDual {
 public:
  // Called in every iteration with the points [rows, H] and multipliers [rows, M], before they
  // move.
  using Observer = core::FunctionRef<void(int iteration, std::span<const int> start,
                                          const double* points, const double* multipliers)>;

  // Descends from starts [S, H] with multipliers 0. The best iterate is the accepted one, or else
  // the feasible one of least loss. Without a feasible iterate it is the one with the smallest
  // largest constraint. Each start ends as if it were alone, provided the rows of `problem` are
  // independent. This object owns the result, which is valid until the next call.
  const PrimalDualResult& Minimise(const PrimalDualProblem& problem, std::span<const double> starts,
                                   const PrimalDualOptions& options,
                                   const Observer* observe = nullptr);

 private:
  void Prepare(std::span<const double> starts);
  // Whether the start has made progress within options.patience.
  bool Advances(std::size_t start, double violation, double loss, const PrimalDualOptions& options,
                int iteration);
  // These return whether the row's start continues.
  bool UpdateBest(std::size_t row, const PrimalDualProblem& problem,
                  const PrimalDualOptions& options, int iteration);
  bool Step(std::size_t row, const PrimalDualOptions& options, int iteration);
  void Keep(std::size_t row);
  bool End(std::size_t row, Outcome outcome, int iteration);
  void DropEnded();

  std::size_t size_ = 0;              // H
  std::size_t constraint_count_ = 0;  // M
  // For active rows.
  std::vector<int> start_;
  std::vector<char> runs_;
  std::vector<double> points_, gradients_;       // [rows, H]
  std::vector<double> losses_;                   // [rows]
  std::vector<double> constraints_;              // [rows, M]
  std::vector<double> multipliers_, augmented_;  // [rows, M]: lambda, [lambda + penalty c]+
  std::vector<double> violations_;               // [S]: the largest constraint of the best iterate
  // [S]: the largest constraint and the loss at the last progress, and its iteration.
  struct Mark {
    double violation, loss;
    int iteration;
  };
  std::vector<Mark> marks_;
  PrimalDualResult result_;
};

}  // namespace rhumb::steer
