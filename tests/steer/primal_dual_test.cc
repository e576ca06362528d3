#include "rhumb/steer/primal_dual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/support/allocation_count.h"

namespace rhumb::steer {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A problem of single points. Without a projection all directions are free; without a test no
// point is accepted.
struct Functions {
  int size = 1;
  int constraints = 0;
  std::function<double(int start, const double* h, double* c)> evaluate;  // returns the loss
  std::function<void(int start, const double* h, const double* multipliers, double* gradient)>
      gradient;
  std::function<void(double* gradient)> project;
  std::function<bool(double loss, const double* c)> accept;
  int evaluated_rows = 0;
};

const PrimalDualResult& Descend(PrimalDual& solver, Functions& of, std::span<const double> starts,
                                const PrimalDualOptions& options,
                                const PrimalDual::Observer* observe = nullptr) {
  const auto evaluate = [&](std::span<const int> start, const double* points, double* losses,
                            double* constraints) {
    of.evaluated_rows += static_cast<int>(start.size());
    for (std::size_t row = 0; row < start.size(); ++row) {
      const auto at = static_cast<std::ptrdiff_t>(row);
      losses[row] =
          of.evaluate(start[row], points + at * of.size, constraints + at * of.constraints);
    }
  };
  const auto gradient = [&](std::span<const int> start, const double* points,
                            const double* multipliers, double* gradients) {
    for (std::size_t row = 0; row < start.size(); ++row) {
      const auto at = static_cast<std::ptrdiff_t>(row);
      of.gradient(start[row], points + at * of.size, multipliers + at * of.constraints,
                  gradients + at * of.size);
    }
  };
  const auto project = [&](std::span<const int> start, int, const double*, double* gradients) {
    for (std::size_t row = 0; of.project && row < start.size(); ++row) {
      of.project(gradients + static_cast<std::ptrdiff_t>(row) * of.size);
    }
  };
  const auto accept = [&](double loss, const double* constraints) {
    return of.accept && of.accept(loss, constraints);
  };
  return solver.Minimise({of.size, of.constraints, evaluate, gradient, project, accept}, starts,
                         options, observe);
}

// 1/2 sum_i weights_i (h_i - centre_i)^2 subject to rows h <= bounds.
Functions Quadratic(const std::vector<double>& weights, const std::vector<double>& centre,
                    const std::vector<std::vector<double>>& rows,
                    const std::vector<double>& bounds) {
  Functions functions;
  functions.size = static_cast<int>(centre.size());
  functions.constraints = static_cast<int>(bounds.size());
  functions.evaluate = [=](int, const double* h, double* c) {
    double loss = 0;
    for (std::size_t i = 0; i < centre.size(); ++i) {
      loss += 0.5 * weights[i] * (h[i] - centre[i]) * (h[i] - centre[i]);
    }
    for (std::size_t m = 0; m < bounds.size(); ++m) {
      c[m] = -bounds[m];
      for (std::size_t i = 0; i < centre.size(); ++i) c[m] += rows[m][i] * h[i];
    }
    return loss;
  };
  functions.gradient = [=](int, const double* h, const double* multipliers, double* gradient) {
    for (std::size_t i = 0; i < centre.size(); ++i) {
      gradient[i] = weights[i] * (h[i] - centre[i]);
      for (std::size_t m = 0; m < bounds.size(); ++m) gradient[i] += multipliers[m] * rows[m][i];
    }
  };
  return functions;
}

// 1/2 h^2 with a step of one half: a start is halved at every iteration.
Functions Halving() { return Quadratic({1}, {0}, {}, {}); }
constexpr PrimalDualOptions kHalving = {.primal_step = 0.5};

// The observed points and multipliers of one start with one element and one constraint.
struct Path {
  std::vector<double> points, multipliers;
};

Path ObservedPath(Functions& of, double start, const PrimalDualOptions& options) {
  Path path;
  PrimalDual solver;
  const auto record = [&](int iteration, std::span<const int>, const double* points,
                          const double* multipliers) {
    EXPECT_EQ(iteration, std::ssize(path.points));
    path.points.push_back(points[0]);
    path.multipliers.push_back(multipliers[0]);
  };
  const PrimalDual::Observer observer = record;
  Descend(solver, of, std::vector{start}, options, &observer);
  return path;
}

// 1/2 h^2 with h >= 1 from 0, steps 1/2: the multiplier rises first, then the point follows. All
// numbers are sums of powers of 1/2.
TEST(PrimalDual, StepsByHand) {
  Functions functions = Quadratic({1}, {0}, {{-1}}, {-1});
  PrimalDualOptions options = {.primal_step = 0.5, .dual_step = 0.5, .iterations = 3};
  const Path plain = ObservedPath(functions, 0, options);
  EXPECT_THAT(plain.points, ElementsAre(0, 0, 0.25, 0.625));
  EXPECT_THAT(plain.multipliers, ElementsAre(0, 0.5, 1, 1.375));
  // The penalty adds c to the multiplier in the point's gradient.
  options.penalty = 1;
  const Path augmented = ObservedPath(functions, 0, options);
  EXPECT_THAT(augmented.points, ElementsAre(0, 0.5, 0.75, 0.875));
  EXPECT_THAT(augmented.multipliers, ElementsAre(0, 0.5, 0.75, 0.875));
}

// c = 1 - 0 h never holds. While h nears 1 by half of the rest, only the constraint counts, so the
// patience runs out at once. If c always holds, the loss 0.5 (h - 1)^2 falls by more than a
// hundredth in every step, and the start goes on.
TEST(PrimalDual, AStartWithoutProgressRunsOutOfPatience) {
  const PrimalDualOptions options = {.primal_step = 0.5, .iterations = 40, .patience = 10};
  const std::vector<double> start = {0};
  PrimalDual solver;
  Functions hopeless = Quadratic({1}, {1}, {{0}}, {-1});
  EXPECT_EQ(Descend(solver, hopeless, start, options).outcomes[0], Outcome::kStalled);
  EXPECT_EQ(Descend(solver, hopeless, start, options).iterations[0], 10);
  PrimalDualOptions patient = options;
  patient.patience = 0;
  EXPECT_EQ(Descend(solver, hopeless, start, patient).outcomes[0], Outcome::kIterationLimit);
  Functions open = Quadratic({1}, {1}, {{0}}, {1});
  EXPECT_EQ(Descend(solver, open, start, options).outcomes[0], Outcome::kStationary);
}

// Problems with known optimum and multipliers, by the paper's method and with a penalty. The
// remaining error is of order 1e-9, `stationary`. A loss compared in double distinguishes points
// from 1e-8 on.
class ConvexProblem : public testing::TestWithParam<double> {
 protected:
  // Returns the multipliers.
  std::vector<double> ExpectOptimum(Functions functions, const std::vector<double>& start,
                                    const std::vector<double>& point) {
    PrimalDual solver;
    const auto check = [&](int, std::span<const int>, const double*, const double* lambda) {
      for (int m = 0; m < functions.constraints; ++m) EXPECT_GE(lambda[m], 0);
    };
    const PrimalDual::Observer observer = check;
    const PrimalDualResult& result =
        Descend(solver, functions, start, {.penalty = GetParam(), .iterations = 3000}, &observer);
    EXPECT_EQ(result.outcomes[0], Outcome::kStationary);
    EXPECT_THAT(result.points, Pointwise(DoubleNear(1e-6), point));
    for (const double c : result.constraints) EXPECT_LE(c, PrimalDualOptions().feasible);
    return result.multipliers;
  }

  void ExpectOptimum(const Functions& functions, const std::vector<double>& start,
                     const std::vector<double>& point, const std::vector<double>& multipliers) {
    EXPECT_THAT(ExpectOptimum(functions, start, point), Pointwise(DoubleNear(1e-6), multipliers));
  }
};

TEST_P(ConvexProblem, InactiveConstraint) {
  ExpectOptimum(Quadratic({1, 2}, {2, 1}, {{1, 1}}, {10}), {-5, 3}, {2, 1}, {0});
}

TEST_P(ConvexProblem, NoConstraint) {
  ExpectOptimum(Quadratic({1, 2}, {2, 1}, {}, {}), {-5, 3}, {2, 1}, {});
}

// (2, 1) is (1, 0) plus the normal (1, 1).
TEST_P(ConvexProblem, ActiveConstraint) {
  ExpectOptimum(Quadratic({1, 1}, {2, 1}, {{1, 1}}, {1}), {4, -3}, {1, 0}, {1});
}

// At the corner (1/2, 1/2): (5/2, 3/2) = 3/2 (1, 1) + 1 (1, 0). The third constraint stays
// inactive.
TEST_P(ConvexProblem, SeveralActiveConstraints) {
  ExpectOptimum(Quadratic({1, 1}, {3, 2}, {{1, 1}, {1, 0}, {0, 1}}, {1, 0.5, 4}), {0, 0},
                {0.5, 0.5}, {1.5, 1, 0});
}

// With h0 + h1 = 1, 1/2 h0^2 + h1^2 is smallest at (2/3, 1/3), where its gradient is 2/3 (1, 1).
// Only the difference of the two multipliers is determined.
TEST_P(ConvexProblem, EqualityAsTwoInequalities) {
  const std::vector<double> multipliers = ExpectOptimum(
      Quadratic({1, 2}, {0, 0}, {{1, 1}, {-1, -1}}, {1, -1}), {-2, -3}, {2.0 / 3, 1.0 / 3});
  EXPECT_NEAR(multipliers[1] - multipliers[0], 2.0 / 3, 1e-6);
}

TEST_P(ConvexProblem, Box) {
  ExpectOptimum(Quadratic({1, 1, 1}, {-2, 0.3, 5},
                          {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
                          {1, 1, 1, 1, 1, 1}),
                {0, 0, 0}, {-1, 0.3, 1}, {0, 0, 4, 1, 0, 0});
}

// The maximum of a . h with 1/2 (|h|^2 - 1) <= 0 is at h = a / |a|, with multiplier |a|.
TEST_P(ConvexProblem, LinearOverBall) {
  Functions functions;
  functions.size = 2;
  functions.constraints = 1;
  functions.evaluate = [](int, const double* h, double* c) {
    c[0] = 0.5 * (h[0] * h[0] + h[1] * h[1] - 1);
    return -(0.9 * h[0] + 1.2 * h[1]);
  };
  functions.gradient = [](int, const double* h, const double* multipliers, double* gradient) {
    gradient[0] = -0.9 + multipliers[0] * h[0];
    gradient[1] = -1.2 + multipliers[0] * h[1];
  };
  ExpectOptimum(functions, {0, 0}, {0.6, 0.8}, {1.5});
}

// Moves along (1, 1, 0) and (0, 0, 1) from (1, 2, 3): the shortest point with h2 >= 1.
TEST_P(ConvexProblem, InsideASubspace) {
  Functions functions = Quadratic({1, 1, 1}, {0, 0, 0}, {{0, 0, -1}}, {-1});
  functions.project = [](double* g) { g[0] = g[1] = (g[0] + g[1]) / 2; };
  ExpectOptimum(functions, {1, 2, 3}, {-0.5, 0.5, 1}, {1});
}

INSTANTIATE_TEST_SUITE_P(Penalty, ConvexProblem, testing::Values(0, 1));

// Moves in the plane normal to n = (1, 2, 2) / 3: no iterate leaves it, within rounding.
TEST(PrimalDual, IteratesStayInTheSubspace) {
  Functions functions = Quadratic({1, 2, 3}, {5, -4, 3}, {{1, 1, 1}}, {1});
  const auto height = [](const double* h) { return (h[0] + 2 * h[1] + 2 * h[2]) / 3; };
  functions.project = [&](double* g) {
    const double off = height(g) / 3;
    g[0] -= off;
    g[1] -= 2 * off;
    g[2] -= 2 * off;
  };
  const std::vector<double> start = {1, 2, 3};
  double farthest = 0;
  const auto check = [&](int, std::span<const int>, const double* points, const double*) {
    EXPECT_NEAR(height(points), height(start.data()), 1e-12);
    farthest = std::max(farthest, std::abs(points[0] - start[0]));
  };
  const PrimalDual::Observer observer = check;
  PrimalDual solver;
  Descend(solver, functions, start, {}, &observer);
  EXPECT_GT(farthest, 1);
}

// h <= 1/2 from 5: the multiplier rises until the point is inside. It then falls, and without the
// clamp would become negative.
TEST(PrimalDual, MultipliersAreNeverNegative) {
  Functions functions = Quadratic({1}, {0}, {{1}}, {0.5});
  for (const double penalty : {0.0, 1.0}) {
    const Path path = ObservedPath(functions, 5, {.penalty = penalty});
    EXPECT_GT(*std::max_element(path.multipliers.begin(), path.multipliers.end()), 0.1);
    EXPECT_EQ(*std::min_element(path.multipliers.begin(), path.multipliers.end()), 0);
    EXPECT_EQ(path.multipliers.back(), 0);
  }
}

// h >= 1 and h <= -1: 0 violates each by 1, which is the least. The multipliers rise by dual_step
// * 1 forever.
TEST(PrimalDual, InfeasibleEndsAtTheLeastViolation) {
  Functions functions = Quadratic({1}, {3}, {{-1}, {1}}, {-1, -1});
  functions.accept = [](double, const double* c) { return c[0] <= 0 && c[1] <= 0; };
  for (const double penalty : {0.0, 1.0}) {
    PrimalDual solver;
    const PrimalDualResult& result =
        Descend(solver, functions, std::vector{4.0}, {.penalty = penalty, .iterations = 1000});
    EXPECT_EQ(result.outcomes[0], Outcome::kIterationLimit);
    EXPECT_EQ(result.iterations[0], 1000);
    EXPECT_NEAR(result.points[0], 0, 1e-6);
    EXPECT_NEAR(std::max(result.constraints[0], result.constraints[1]), 1, 1e-6);
    EXPECT_GT(std::min(result.multipliers[0], result.multipliers[1]), 90);
  }
}

// 8, 4, 2, 1: the loss is first below 1 at 1.
TEST(PrimalDual, StopsAtTheFirstAcceptedIterate) {
  Functions functions = Halving();
  functions.accept = [](double loss, const double*) { return loss < 1; };
  PrimalDual solver;
  const PrimalDualResult& result = Descend(solver, functions, std::vector{8.0}, kHalving);
  EXPECT_EQ(result.outcomes[0], Outcome::kAccepted);
  EXPECT_EQ(result.iterations[0], 3);
  EXPECT_EQ(result.points[0], 1);
  EXPECT_EQ(result.losses[0], 0.5);
}

// An accepted iterate wins even over an earlier one of less loss. Here the loss only rises.
TEST(PrimalDual, AcceptedIterateIsTheBest) {
  Functions functions = Halving();
  functions.evaluate = [](int, const double* h, double*) { return -h[0]; };
  functions.accept = [](double loss, const double*) { return loss > -3; };
  PrimalDual solver;
  EXPECT_EQ(Descend(solver, functions, std::vector{8.0}, kHalving).points[0], 2);
  functions.accept = nullptr;
  EXPECT_EQ(Descend(solver, functions, std::vector{8.0}, kHalving).points[0], 8);
}

TEST(PrimalDual, NoIterationsJudgeTheStart) {
  Functions functions = Halving();
  PrimalDual solver;
  const PrimalDualResult& result = Descend(solver, functions, std::vector{8.0}, {.iterations = 0});
  EXPECT_EQ(result.outcomes[0], Outcome::kIterationLimit);
  EXPECT_EQ(result.losses[0], 32);
  EXPECT_EQ(result.iterations[0], 0);
}

// Values below 1 and the gradient at 3 are NaN. The starts run 8 4 2 1 (1/2) and 6 3; 0.8 fails at
// once, and 0 stays.
TEST(PrimalDual, NotFiniteKeepsTheBestBefore) {
  Functions functions = Halving();
  functions.evaluate = [](int start, const double* h, double*) {
    return start != 3 && h[0] < 1 ? kNaN : 0.5 * h[0] * h[0];
  };
  functions.gradient = [](int, const double* h, const double*, double* gradient) {
    gradient[0] = h[0] == 3 ? kNaN : h[0];
  };
  PrimalDual solver;
  const PrimalDualResult& result =
      Descend(solver, functions, std::vector{8.0, 6.0, 0.8, 0.0}, kHalving);
  EXPECT_THAT(result.outcomes, ElementsAre(Outcome::kNotFinite, Outcome::kNotFinite,
                                           Outcome::kNotFinite, Outcome::kStationary));
  EXPECT_THAT(result.points, ElementsAre(1, 3, 0.8, 0));
  EXPECT_THAT(result.losses, ElementsAre(0.5, 4.5, std::numeric_limits<double>::infinity(), 0));
  EXPECT_THAT(result.iterations, ElementsAre(4, 1, 0, 0));
}

TEST(PrimalDual, NotFiniteConstraint) {
  Functions functions = Quadratic({1}, {0}, {{1}}, {0});
  functions.evaluate = [](int, const double* h, double* c) {
    c[0] = h[0] < 4 ? -std::numeric_limits<double>::infinity() : h[0];
    return 0.0;
  };
  PrimalDual solver;
  const PrimalDualResult& result = Descend(solver, functions, std::vector{5.0}, {});
  EXPECT_EQ(result.outcomes[0], Outcome::kNotFinite);
  EXPECT_GE(result.points[0], 4);
  EXPECT_EQ(result.constraints[0], result.points[0]);
}

// Each start has its own centre and ends in its own way and time; the constraint is active for
// some. Together and alone they do the same arithmetic.
TEST(PrimalDual, StartsDoNotKnowEachOther) {
  constexpr int kStarts = 6;
  const auto functions_from = [](int first) {
    Functions functions = Quadratic({1, 2}, {0, 0}, {{1, 1}}, {2});
    const auto evaluate = functions.evaluate;
    functions.evaluate = [=](int start, const double* h, double* c) {
      const double moved[] = {h[0] - first - start, h[1]};
      const double loss = evaluate(start, moved, c);
      c[0] = h[0] + h[1] - 2;
      return first + start == 2 && h[0] < 4 ? kNaN : loss;
    };
    functions.gradient = [=](int start, const double* h, const double* multipliers,
                             double* gradient) {
      gradient[0] = h[0] - first - start + multipliers[0];
      gradient[1] = 2 * h[1] + multipliers[0];
    };
    functions.accept = [](double loss, const double* c) { return loss < 1e-3 && c[0] <= 0; };
    return functions;
  };
  std::vector<double> starts;
  for (int s = 0; s < kStarts; ++s) starts.insert(starts.end(), {5.0 - 0.3 * s, 1.0 + s});

  for (const double penalty : {0.0, 1.0}) {
    const PrimalDualOptions options = {.penalty = penalty, .iterations = 2000};
    PrimalDual solver, alone_solver;
    Functions functions = functions_from(0);
    const PrimalDualResult& together = Descend(solver, functions, starts, options);
    int rows = 0;
    for (std::size_t s = 0; s < kStarts; ++s) {
      Functions single = functions_from(static_cast<int>(s));
      const PrimalDualResult& alone =
          Descend(alone_solver, single, std::span(starts).subspan(2 * s, 2), options);
      EXPECT_EQ(together.points[2 * s], alone.points[0]);
      EXPECT_EQ(together.points[2 * s + 1], alone.points[1]);
      EXPECT_EQ(together.losses[s], alone.losses[0]);
      EXPECT_EQ(together.constraints[s], alone.constraints[0]);
      EXPECT_EQ(together.multipliers[s], alone.multipliers[0]);
      EXPECT_EQ(together.outcomes[s], alone.outcomes[0]);
      EXPECT_EQ(together.iterations[s], alone.iterations[0]);
      rows += together.iterations[s] + 1;
    }
    // No start is evaluated after its end.
    EXPECT_EQ(functions.evaluated_rows, rows);
    for (const Outcome outcome : {Outcome::kAccepted, Outcome::kStationary, Outcome::kNotFinite}) {
      EXPECT_THAT(together.outcomes, testing::Contains(outcome));
    }
  }
}

TEST(PrimalDual, AllocatesNothingOnceItHasGrown) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "the sanitizer owns the allocator";
  Functions large = Quadratic({1, 1}, {3, 2}, {{1, 1}, {1, 0}}, {1, 0.5});
  Functions small = Halving();
  const std::vector<double> starts = {0, 0, 5, 5, -3, 8};
  PrimalDual solver;
  Descend(solver, large, starts, {});
  const test::AllocationCount count;
  Descend(solver, large, starts, {});
  Descend(solver, small, std::span(starts).first(2), kHalving);
  EXPECT_EQ(count.since_construction(), 0u);
}

}  // namespace
}  // namespace rhumb::steer
