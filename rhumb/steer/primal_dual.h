// Projected primal-dual descent, several starts at once.
//
//   min l(h)  subject to  c(h) <= 0,   L(h, lambda) = l(h) + lambda . c(h)
//   h      <- h - step P(h) grad_h L(h, [lambda + penalty c(h)]+)
//   lambda <- [lambda + dual_step c(h)]+
//
// penalty 0 is the paper's method. A penalty above 0 makes L the augmented Lagrangian, which damps
// the swinging of h against lambda and leaves the solution where it is.
//
// Each start runs until the first of these conditions:
//   - its loss or a constraint is not finite, or its projected gradient is not (kNotFinite);
//   - the caller accepts its loss and constraints (kAccepted);
//   - it has made `iterations` steps (kIterationLimit);
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
  int iterations = 500;      // at most
  double stationary = 1e-9;  // the conditions of an optimum hold to this, whatever the steps
  double feasible = 1e-9;    // c <= this counts as met when the best iterate is kept
};

// How the descent of one start ended.
enum class Outcome : std::uint8_t {
  kAccepted,        // the caller's test was met
  kStationary,      // it does not move any more
  kIterationLimit,  // it still moved
  kNotFinite,       // a value or gradient was not finite; the point is the best before that
};

// What is minimised, on the rows of the starts that still run. Points are double; rows are numbered
// from 0 and change as starts end, `start` says which start each row is. Rows end only between two
// iterations: evaluate, gradient and project of one see the same rows.
struct PrimalDualProblem {
  int size = 0;         // H: numbers of a point
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
  // Projects the gradients [rows, H] in place onto what may be moved along at the points.
  core::FunctionRef<void(std::span<const int> start, int iteration, const double* points,
                         double* gradients)>
      project;
  // Whether a point with this loss and these constraints [M] is good enough to stop.
  core::FunctionRef<bool(double loss, const double* constraints)> accept;
};

// What is known of the starts after the descent. Row-major. Where not even the start had finite
// values, it is the point, and its loss and constraints are infinite.
struct PrimalDualResult {
  std::vector<double> points;       // [S, H]: the best iterate of each start
  std::vector<double> losses;       // [S], there
  std::vector<double> constraints;  // [S, M], there
  std::vector<double> multipliers;  // [S, M], the last ones
  std::vector<Outcome> outcomes;    // [S]
  std::vector<int> iterations;      // [S]: gradient steps taken
};

// All memory of a descent, so that the iterations allocate nothing. One per thread; reusable for
// problems of any size, and then allocates only when it grows.
class PrimalDual {
 public:
  // Called with the points of every iteration, [rows, H], and their multipliers, [rows, M], before
  // they move.
  using Observer = core::FunctionRef<void(int iteration, std::span<const int> start,
                                          const double* points, const double* multipliers)>;

  // Descends from starts [S, H], with multipliers 0. The best iterate is the accepted one, else the
  // feasible one of least loss, else the one whose largest constraint is least. Each start ends as
  // if it were alone, where the rows of `problem` do not know each other. The result belongs to
  // this object and is valid until the next call.
  const PrimalDualResult& Minimise(const PrimalDualProblem& problem, std::span<const double> starts,
                                   const PrimalDualOptions& options,
                                   const Observer* observe = nullptr);

 private:
  void Prepare(std::span<const double> starts);
  // These return whether the start of the row continues.
  bool UpdateBest(std::size_t row, const PrimalDualProblem& problem,
                  const PrimalDualOptions& options, int iteration);
  bool Step(std::size_t row, const PrimalDualOptions& options, int iteration);
  void Keep(std::size_t row);
  bool End(std::size_t row, Outcome outcome, int iteration);
  void DropEnded();

  std::size_t size_ = 0;              // H
  std::size_t constraint_count_ = 0;  // M
  // Of the rows that still run.
  std::vector<int> start_;
  std::vector<char> runs_;
  std::vector<double> points_, gradients_;       // [rows, H]
  std::vector<double> losses_;                   // [rows]
  std::vector<double> constraints_;              // [rows, M]
  std::vector<double> multipliers_, augmented_;  // [rows, M]: lambda, [lambda + penalty c]+
  std::vector<double> violations_;               // [S]: the largest constraint of the best iterate
  PrimalDualResult result_;
};

}  // namespace rhumb::steer
