#include "rhumb/steer/descent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "rhumb/core/math/random.h"
#include "tests/steer/plane_model.h"
#include "tests/support/allocation_count.h"

namespace rhumb::steer {
namespace {

using testing::Each;
using testing::Le;

// The tolerance is 1.25 % of a range of 2; a descent aims for a tenth of it.
constexpr double kNear = 0.1 * kTolerance;

// The parts of a descent on one model. With this step, a value gradient of one moves the codes of
// a plane by 0.1.
struct Setting {
  explicit Setting(net::Model described, double step = 0.1, const SteerOptions& settings = {})
      : model(std::move(described)),
        options(settings),
        forecaster(model, kSampledMode, options.heads),
        manifold(forecaster.known_codes(), forecaster.metric(),
                 {.neighbours = options.neighbours, .variance = options.variance}),
        descent(forecaster, manifold, options, step) {}

  Problem Make(const Query& query) const { return MakeProblem(query, model, nullptr); }

  double Distance(const PrimalDualResult& result, std::size_t start) const {
    const auto width = static_cast<std::size_t>(model.code_size());
    return manifold.DistanceToData(std::span(result.points).subspan(start * width, width));
  }

  net::Model model;
  SteerOptions options;
  Forecaster forecaster;
  DataManifold manifold;
  Descent descent;
};

// Returns starts in the plane that are not training codes.
std::vector<double> PlaneStarts(int count) {
  core::Stream stream(3, core::Purpose::kBenchmark);
  std::vector<double> starts;
  for (int i = 0; i < count; ++i) {
    for (int axis = 0; axis < 2; ++axis) {
      // Both coordinates are within 0.03 of the grid.
      starts.push_back(-1 + kGridStep * stream.Below(kGridSide) + stream.Uniform(-0.03, 0.03));
    }
    starts.push_back(0);
  }
  return starts;
}

// From right = 0 towards 0.04. By hand x <- x - 0.1 * 2 (x - 0.04) / s^2, so each step scales the
// distance by 1 - 0.2 / s^2 = 0.4545. 0.04 * 0.4545^4 is the first distance within 0.0025.
TEST(Descent, GoesAsComputedByHandAndStopsWhenNear) {
  Setting setting(PlaneModel());
  const Problem problem = setting.Make(Query().AddTarget("right=0.04"));
  const double shrink = 1 - 0.2 / (kGridStd * kGridStd);
  const std::vector<double> starts = {0, 0, 0, 0.04 - 0.9 * kNear, 0.3, 0};
  const PrimalDualResult& result =
      setting.descent.Run(problem, 0, starts, {.starts = 2, .iterations = 50, .max_distance = 0.5});
  EXPECT_THAT(result.outcomes, Each(Outcome::kAccepted));
  EXPECT_EQ(result.iterations[0], 4);
  // Values are float.
  EXPECT_NEAR(result.points[0], 0.04 - 0.04 * std::pow(shrink, 4), 1e-6);
  EXPECT_NEAR(result.points[1], 0, 1e-12);
  // This start is near already.
  EXPECT_EQ(result.iterations[1], 0);
  EXPECT_EQ(result.points[3], starts[3]);

  const PrimalDualResult& none =
      setting.descent.Run(problem, 0, starts, {.starts = 2, .iterations = 0, .max_distance = 0.5});
  EXPECT_EQ(none.points, starts);
  EXPECT_EQ(none.outcomes[0], Outcome::kIterationLimit);
}

// Iterates computed by hand as above; observing changes nothing.
TEST(Descent, ShowsItsIterates) {
  Setting setting(PlaneModel());
  const Problem problem = setting.Make(Query().AddTarget("right=0.04"));
  const std::vector<double> start = {0, 0, 0};
  const AttemptSettings attempt{.starts = 1, .iterations = 50, .max_distance = 0.5};
  const std::vector<double> unseen = setting.descent.Run(problem, 0, start, attempt).points;
  const double shrink = 1 - 0.2 / (kGridStd * kGridStd);
  int seen = 0;
  const auto look = [&](int iteration, std::span<const int> rows, const double* points,
                        const double*) {
    EXPECT_EQ(iteration, seen++);
    EXPECT_EQ(rows.size(), 1u);
    EXPECT_NEAR(points[0], 0.04 - 0.04 * std::pow(shrink, iteration), 1e-6);
  };
  const PrimalDual::Observer observer(look);
  EXPECT_EQ(setting.descent.Run(problem, 0, start, attempt, &observer).points, unseen);
  EXPECT_EQ(seen, 5);
}

// Every code gives 0.2 more than the heads say, in both objectives.
net::Model RealisedMoreModel() {
  net::Model model = GroundedPlaneModel();
  RollOutGrid(model);
  for (float& value : model.grounded[static_cast<std::size_t>(kSampledMode)]->rolled_out.values) {
    value += 0.2f;
  }
  return model;
}

// A target and a bound of the realised values.
TEST(Descent, FollowsTheCorrectedForecast) {
  Setting setting(RealisedMoreModel(), 0.05);
  const Problem problem = setting.Make(Query().AddTarget("right=0.44").AddRequirement("up>=0.5"));
  const std::vector<double> start = {0, 0, 0};
  const PrimalDualResult& result =
      setting.descent.Run(problem, 0, start, {.starts = 1, .iterations = 200, .max_distance = 1});
  const std::vector<float> code(result.points.begin(), result.points.end());
  const Forecast forecast = setting.forecaster.Predict(code).front();
  EXPECT_NEAR(forecast.values[0], 0.44, kTolerance);
  EXPECT_GE(forecast.values[1], 0.5);
  EXPECT_NEAR(forecast.values[0] - result.points[0], 0.2, 0.03);
  EXPECT_LT(result.points[1], 0.5);
}

// The path to right = 0.9 leads through up >= 0.5, which holds only up to right = 0.4. The iterate
// of least risk is kept, not the last one.
TEST(Descent, KeepsTheIterateOfLeastRisk) {
  Setting setting(PlaneModel(), 0.02);
  const Problem problem =
      setting.Make(Query().AddTarget("right=0.9").AddRequirement("right + up<=0.5"));
  const std::vector<double> start = {0, 0.1, 0};
  double least = kUnbounded, last = kUnbounded;
  const auto look = [&](int, std::span<const int>, const double* points, const double*) {
    const std::vector<double> values(points, points + 2), stds = {0, 0};
    last = RiskOf(problem, setting.forecaster, values, stds) +
           (Satisfies(problem, setting.forecaster, values, stds, 0) ? 0 : kUnsatisfyingRisk);
    least = std::min(least, last);
  };
  const PrimalDual::Observer observer(look);
  const PrimalDualResult& result = setting.descent.Run(
      problem, 0, start, {.starts = 1, .iterations = 60, .max_distance = 1}, &observer);
  const std::vector<double> kept(result.points.begin(), result.points.begin() + 2), stds = {0, 0};
  EXPECT_NEAR(RiskOf(problem, setting.forecaster, kept, stds) +
                  (Satisfies(problem, setting.forecaster, kept, stds, 0) ? 0 : kUnsatisfyingRisk),
              least, 1e-5);
}

// No code reaches up = 9, so the search rests at the border.
TEST(Descent, AStartEndsThatFindsNothingBetter) {
  Setting setting(PlaneModel(), 0.02);
  const Problem problem = setting.Make(Query().AddTarget("right=0.4").AddRequirement("up>=9"));
  const std::vector<double> start = {0, 0, 0};
  const auto count_iterates = [&](int patience) {
    int seen = 0;
    const auto look = [&](int, std::span<const int>, const double*, const double*) { ++seen; };
    const PrimalDual::Observer observer(look);
    setting.descent.Run(problem, 0, start,
                        {.starts = 1, .iterations = 1000, .max_distance = 1, .patience = patience},
                        &observer);
    return seen;
  };
  EXPECT_LT(count_iterates(50), 200);
  EXPECT_EQ(count_iterates(0), 1001);
}

// A wish can always improve: here a step of 0.01 / s.
TEST(Descent, DoesNotStopBesideAWish) {
  Setting setting(PlaneModel(), 0.01);
  const Problem problem = setting.Make(Query().AddTarget("right=0.04").Maximise("up"));
  const std::vector<double> start = {0.04, 0, 0};
  const PrimalDualResult& result =
      setting.descent.Run(problem, 0, start, {.starts = 1, .iterations = 3, .max_distance = 0.5});
  EXPECT_EQ(result.outcomes[0], Outcome::kIterationLimit);
  EXPECT_GT(result.points[1], 0.01 / kGridStd - 1e-6);
  EXPECT_NEAR(result.points[0], 0.04, kTolerance);
}

// In standard deviations of the forecast.
TEST(Descent, TightensBoundsButFirmOnesByTheMargin) {
  Setting setting(NoisyPlaneModel(0.2f));
  const Problem problem = setting.Make(Query().AddRequirement("up>=0.2"));
  const std::vector<double> start = {0, 0, 0};
  SteerOptions& options = setting.options;
  options.candidates = false;  // the solver's own iterate
  AttemptSettings attempt{.starts = 1, .iterations = 500, .max_distance = 10, .margin = 0};
  const auto run = [&] {
    const PrimalDualResult& result = setting.descent.Run(problem, 0, start, attempt);
    const std::vector<float> code(result.points.begin(), result.points.end());
    return setting.forecaster.Predict(code).front();
  };
  // A descent follows forecasts that it does not refresh at every step.
  EXPECT_GE(run().values[1], 0.2 - 0.01);
  EXPECT_LT(run().values[1], 0.3);
  attempt.margin = 1;
  const Forecast careful = run();
  EXPECT_GT(careful.stds[1], 0.1);
  EXPECT_GE(careful.values[1], 0.2 + careful.stds[1] - 0.01);

  // Two firm bounds closer together than twice the margin can still be met.
  const Problem firm = setting.Make(Query().AddTarget("right=0.04").Minimise("up"));
  const PrimalDualResult& result = setting.descent.Run(firm, 0, start, attempt);
  EXPECT_THAT(result.constraints, Each(Le(0)));
}

// For any wish and any border.
TEST(Descent, CodesNeverLeaveTheBorder) {
  constexpr int kStarts = 20;
  for (const double border : {0.5, 0.45, 0.8, 3.0}) {
    Setting setting(PlaneModel(1.5f));
    for (const char* wish : {"right", "-right", "right + 3*up", "up - 2*right"}) {
      const Problem problem = setting.Make(Query().Maximise(wish));
      const std::vector<double> starts = PlaneStarts(kStarts);
      const PrimalDualResult& result = setting.descent.Run(
          problem, 0, starts, {.starts = kStarts, .iterations = 100, .max_distance = border});
      double farthest = 0;
      for (std::size_t i = 0; i < kStarts; ++i) {
        EXPECT_LE(setting.Distance(result, i), border) << wish;
        farthest = std::max(farthest, setting.Distance(result, i));
      }
      // The best ones reach the border.
      EXPECT_GT(farthest, 0.999 * border) << wish;
    }
  }
}

// The lure points off the plane, and the plane is the tangent space everywhere.
TEST(Descent, CodesStayInThePlane) {
  constexpr int kStarts = 20;
  Setting setting(PlaneModel(1.5f));
  const Problem problem = setting.Make(Query().AddTarget("right=0.9").AddRequirement("up<=0.1"));
  const std::vector<double> starts = PlaneStarts(kStarts);
  const PrimalDualResult& result = setting.descent.Run(
      problem, 0, starts, {.starts = kStarts, .iterations = 100, .max_distance = 1});
  for (std::size_t i = 0; i < kStarts; ++i) {
    EXPECT_NE(result.points[3 * i], starts[3 * i]);
    EXPECT_NEAR(result.points[3 * i + 2], 0, 1e-12);
  }
}

// Training codes on a circle: the tangent at (cos t, sin t) is (-sin t, cos t). A step towards an
// outside point follows it.
TEST(Descent, AStepGoesAlongTheTangent) {
  constexpr int kCodes = 100;
  net::Model model = PlaneModel();
  model.training.codes.clear();
  model.training.values.clear();
  for (int i = 0; i < kCodes; ++i) {
    const auto x = static_cast<float>(std::cos(2 * M_PI * i / kCodes));
    const auto y = static_cast<float>(std::sin(2 * M_PI * i / kCodes));
    model.training.codes.insert(model.training.codes.end(), {x, y, 0});
    model.training.values.insert(model.training.values.end(), {x, y});
  }
  SteerOptions options;
  options.neighbours = 5;
  Setting setting(model, 1e-3, options);
  const Problem problem = setting.Make(Query().AddTarget("right=1.3").AddTarget("up=0.4"));
  const std::vector<double> starts(model.training.codes.begin(), model.training.codes.end());
  const PrimalDualResult& result = setting.descent.Run(
      problem, 0, starts, {.starts = kCodes, .iterations = 1, .max_distance = 1});
  int moved = 0;
  for (std::size_t i = 0; i < kCodes; ++i) {
    const double x = starts[3 * i], y = starts[3 * i + 1];
    const double dx = result.points[3 * i] - x, dy = result.points[3 * i + 1] - y;
    EXPECT_NEAR(dx * x + dy * y, 0, 1e-7);  // the codes are float
    EXPECT_NEAR(result.points[3 * i + 2], 0, 1e-12);
    moved += std::hypot(dx, dy) > 1e-4;
  }
  // All except starts with the target straight ahead or behind.
  EXPECT_GE(moved, 90);
}

// The trusted balls around the grid's codes overlap; the path from 0 to 0.93 crosses ten of them.
TEST(Descent, GoesFromCodeToCodeWithinTheBorder) {
  for (const int refresh : {1, 5}) {
    SteerOptions options;
    options.refresh = refresh;
    Setting setting(PlaneModel(), 0.1, options);
    const Problem problem = setting.Make(Query().AddTarget("right=0.93"));
    const std::vector<double> start = {0, 0, 0};
    const PrimalDualResult& result = setting.descent.Run(
        problem, 0, start, {.starts = 1, .iterations = 200, .max_distance = 0.8});
    EXPECT_EQ(result.outcomes[0], Outcome::kAccepted) << refresh;
    EXPECT_NEAR(result.points[0], 0.93, kNear + 1e-6);
  }
}

// right = 0.305 is enough for the goal. Within 0.05 of (0.3, 1) this leaves "up" at 1.0497.
TEST(Descent, FindsWhatMeetsFirmBounds) {
  Setting setting(PlaneModel(), 0.05);
  const Problem problem = setting.Make(Query().AddTarget("right=0.33").Maximise("up"));
  const std::vector<double> start = {0.3, 1, 0};
  const PrimalDualResult& result =
      setting.descent.Run(problem, 0, start, {.starts = 1, .iterations = 150, .max_distance = 0.5});
  const std::vector<double> values(result.points.begin(), result.points.begin() + 2);
  EXPECT_LE(problem.Excess(0, values), 0);
  EXPECT_LE(problem.Excess(1, values), 0);
  EXPECT_GE(values[1], 1.025);
}

// With a step of 1e-4 the codes still move after 100 iterations.
TEST(Descent, IterationsAllocateNothing) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "nothing is counted under a sanitizer";
  constexpr int kStarts = 4;
  net::Model model = GroundedPlaneModel();
  RollOutGrid(model);
  Setting setting(std::move(model), 1e-4);
  const Problem problem =
      setting.Make(Query().Maximise("right").AddTarget("up=0.1").AddRequirement("right/(up+3)>=0"));
  const std::vector<double> starts = PlaneStarts(kStarts);
  const auto count = [&](int iterations) {
    const test::AllocationCount allocations;
    const PrimalDualResult& result = setting.descent.Run(
        problem, 0.9, starts, {.starts = kStarts, .iterations = iterations, .max_distance = 0.5});
    const std::size_t counted = allocations.since_construction();
    EXPECT_THAT(result.outcomes, Each(Outcome::kIterationLimit));
    return counted;
  };
  for (int i = 0; i < setting.manifold.count(); ++i) setting.manifold.Basis(i);
  count(1);  // the workspace grows
  EXPECT_EQ(count(10), count(100));
}

}  // namespace
}  // namespace rhumb::steer
