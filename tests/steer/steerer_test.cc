#include "rhumb/steer/steerer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/steer/plane_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::steer {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Default tolerance of a target: 1.25 % of a range of 2.
// Largest distance of answers from the grid.
const double kMaxDistance = SteerOptions{}.max_distance;  // in grid steps
const double kBorder = kMaxDistance * kGridStep;
constexpr float kLure = 1.5f;

Query Asking(const std::vector<std::string>& targets,
             const std::vector<std::string>& requirements) {
  Query query;
  for (const std::string& text : targets) query.AddTarget(text);
  for (const std::string& text : requirements) query.AddRequirement(text);
  return query;
}

Result Solve(const net::Model& model, const Query& query, const SteerOptions& options = {}) {
  return Steerer(model, kSampledMode, options).Solve(query);
}

// Keeps answers within half a step of the grid.
SteerOptions Near() {
  SteerOptions options;
  options.max_distance = 0.5;
  return options;
}

// No code of the grid has this "up".
TEST(Steerer, ReachesATargetWithinItsRequirements) {
  const net::Model model = PlaneModel();
  SteerOptions options;
  options.mixtures = 0;
  const Query query = Asking({"right=0.53"}, {"up>=-0.27", "up<=-0.21"});
  const Result result = Solve(model, query, options);
  ASSERT_EQ(result.status, Status::kSolved);
  ASSERT_EQ(result.answers.size(), 1u);
  const Answer& answer = result.answers.front();
  EXPECT_NEAR(answer.predicted[0], 0.53, kTolerance);
  EXPECT_GE(answer.predicted[1], -0.27);
  EXPECT_LE(answer.predicted[1], -0.21);
  EXPECT_NEAR(answer.code[0], answer.predicted[0], 1e-6);
  EXPECT_EQ(answer.origin, Origin::kSteered);
  EXPECT_GT(answer.iterations, 0);
  EXPECT_LE(answer.distance_to_data, kMaxDistance);
  EXPECT_FALSE(result.infeasibility);

  // Mixed with each other, the candidates come nearer still.
  const Answer mixed = Solve(model, query).answers.front();
  EXPECT_EQ(mixed.origin, Origin::kMixed);
  EXPECT_LE(mixed.risk, answer.risk);
}

// On the grid the combination is a multiple of 0.1, and no "up" meets the ratio's bounds.
TEST(Steerer, CombinationsAndRatiosAreSteeredLikeObjectives) {
  const net::Model model = PlaneModel();
  const Result sum = Solve(model, Asking({"2*right - up = 1.13 +- 0.01"}, {"right + up <= 0.2"}));
  ASSERT_EQ(sum.status, Status::kSolved);
  const std::vector<double>& v = sum.answers.front().predicted;
  EXPECT_NEAR(2 * v[0] - v[1], 1.13, 0.01);
  EXPECT_LE(v[0] + v[1], 0.2);

  const Result ratio =
      Solve(model, Asking({"right/(up + 3) = 0.25"}, {"up >= 0.52", "up <= 0.58"}));
  ASSERT_EQ(ratio.status, Status::kSolved);
  const std::vector<double>& w = ratio.answers.front().predicted;
  EXPECT_NEAR(w[0] / (w[1] + 3), 0.25, 0.0125);  // its range is 1
  EXPECT_GE(w[1], 0.52);
  EXPECT_LE(w[1], 0.58);
}

// This model's codes are 0.2 apart, so answers are at most 0.1 from them: (0.05, -0.04, 0.06)
// qualifies.
TEST(Steerer, ReachesThreeTargetsAtOnce) {
  const net::Model model = SpaceModel();
  const Result result = Solve(model, Asking({"right=0.45", "up=-0.64", "far=10.52"}, {}), Near());
  ASSERT_EQ(result.status, Status::kSolved);
  const Answer& answer = result.answers.front();
  EXPECT_NEAR(answer.predicted[0], 0.45, kTolerance);
  EXPECT_NEAR(answer.predicted[1], -0.64, kTolerance);
  EXPECT_NEAR(answer.predicted[2], 10.52, 2 * kTolerance);  // its range is 4
  EXPECT_NEAR(10 + 2 * answer.code[2], answer.predicted[2], 1e-5);
  EXPECT_LE(answer.distance_to_data, 0.5);

  Query query = Asking({"right=0.45"}, {"up + far/2 <= 5.57"});
  query.Maximise("up");
  const Result largest = Solve(model, query, Near());
  ASSERT_EQ(largest.status, Status::kSolved);
  const std::vector<double>& v = largest.answers.front().predicted;
  EXPECT_NEAR(v[0], 0.45, kTolerance);
  EXPECT_LE(v[1] + v[2] / 2, 5.57);
  EXPECT_GE(v[1], 1.05);  // half of the allowed distance beyond the grid
}

// The grid ends at 1 and the border lies farther out; the answer must gain at least half of that.
TEST(Steerer, MaximisesBeyondTheGridUpToTheBorder) {
  const net::Model model = PlaneModel();
  const Result farthest = Solve(model, Query().Maximise("right"));
  ASSERT_EQ(farthest.status, Status::kSolved);
  EXPECT_GE(farthest.answers.front().predicted[0], 1 + kBorder / 2);
  EXPECT_LE(farthest.answers.front().predicted[0], 1 + kBorder + 1e-6);
  const Result lowest = Solve(model, Query().Minimise("up"));
  ASSERT_EQ(lowest.status, Status::kSolved);
  EXPECT_LE(lowest.answers.front().predicted[1], -1 - kBorder / 2);
}

// Codes are float, whose rounding around 8 exceeds a millionth of the border.
TEST(Steerer, CodesFarFromTheOriginReachTheBorderToo) {
  for (const float shift : {1.0f, 8.0f, 10.0f, 20.0f}) {
    net::Model model = PlaneModel();
    for (std::size_t i = 0; i < model.training.codes.size(); i += 3) {
      model.training.codes[i] += shift;
    }
    model.heads.bias[0] = -shift;
    const Result result = Solve(model, Query().Maximise("right"));
    ASSERT_EQ(result.status, Status::kSolved);
    EXPECT_GE(result.answers.front().predicted[0], 1 + kBorder / 2) << shift;
    EXPECT_LE(result.answers.front().distance_to_data, kMaxDistance);
  }
}

// max right + up subject to right + 2 up <= 0.57. The best grid code has 0.7, at (1, -0.3). The
// best within the border is where the constraint leaves the ball around (1, -0.2), which is 0.03 /
// sqrt(5) away: 0.8035, at (1.037, -0.234).
TEST(Steerer, MaximisesAsFarAsRequirementsAndDataAllow) {
  const net::Model model = PlaneModel();
  SteerOptions options = Near();
  options.margin = 0;
  const Result result =
      Solve(model, Asking({}, {"right + 2*up <= 0.57"}).Maximise("right + up"), options);
  ASSERT_EQ(result.status, Status::kSolved);
  const std::vector<double>& v = result.answers.front().predicted;
  EXPECT_LE(v[0] + 2 * v[1], 0.57);
  EXPECT_GE(v[0] + v[1], 0.7 + 0.1035 / 2);
  EXPECT_LE(v[0] + v[1], 0.8036);
  EXPECT_LE(result.answers.front().distance_to_data, options.max_distance);
}

// A wish does not pull the answer away from its target.
TEST(Steerer, ReachesATargetBesideAWish) {
  const net::Model model = PlaneModel();
  const Result result = Solve(model, Asking({"right=0.33"}, {}).Maximise("up"));
  ASSERT_EQ(result.status, Status::kSolved);
  EXPECT_NEAR(result.answers.front().predicted[0], 0.33, kTolerance);
  EXPECT_GE(result.answers.front().predicted[1], 1 + kBorder / 2);
  // This holds even if both have the same direction.
  const Result pulled = Solve(model, Asking({"right=0.33"}, {}).Maximise("up + 10*right"));
  ASSERT_EQ(pulled.status, Status::kSolved);
  EXPECT_NEAR(pulled.answers.front().predicted[0], 0.33, kTolerance);
}

TEST(Steerer, WhatIsOutOfReachIsInfeasibleWithTheNearest) {
  const net::Model model = PlaneModel();
  const Result result = Solve(model, Asking({"right=2"}, {"up>=0.5"}));
  ASSERT_EQ(result.status, Status::kInfeasible);
  EXPECT_TRUE(result.answers.empty());
  const Diagnosis& diagnosis = *result.infeasibility;
  EXPECT_NEAR(diagnosis.nearest.predicted[0], 1 + kBorder, 1e-3);
  EXPECT_GE(diagnosis.nearest.predicted[1], 0.5);
  EXPECT_THAT(diagnosis.binding, ElementsAre("right at 2"));
  EXPECT_THAT(diagnosis.reason, HasSubstr("right at 2 is out of reach"));
  ASSERT_EQ(diagnosis.relax.size(), 2u);
  EXPECT_EQ(diagnosis.relax[0].quantity, "right");
  EXPECT_EQ(diagnosis.relax[0].asked, 2);
  EXPECT_TRUE(diagnosis.relax[0].possible);
  EXPECT_NEAR(diagnosis.relax[0].needed, 1 + kBorder, 1e-3);
  EXPECT_FALSE(diagnosis.relax[1].possible);  // "up" does not help
}

// No code of the grid is an answer.
TEST(Steerer, GivesDifferentAnswers) {
  const net::Model model = PlaneModel();
  SteerOptions options;
  options.answers = 4;
  const Result result = Solve(model, Asking({"right=0.53"}, {}), options);
  ASSERT_EQ(result.answers.size(), 4u);
  std::vector<double> ups;
  for (const Answer& answer : result.answers) {
    EXPECT_NEAR(answer.predicted[0], 0.53, kTolerance);
    ups.push_back(answer.predicted[1]);
  }
  std::sort(ups.begin(), ups.end());
  for (std::size_t i = 1; i < ups.size(); ++i) EXPECT_GT(ups[i] - ups[i - 1], 0.5 * kGridStep);
}

// The lure makes the direction off the plane steeper than the one along it.
TEST(Steerer, NaiveDescentLeavesTheDataAndTheDefaultDoesNot) {
  const net::Model model = PlaneModel(kLure);
  const Query query = Asking({"right=0.9"}, {});
  for (int start = 0; start < kGridSide; ++start) {
    const Steerer naive(model, kSampledMode, PresetOptions("naive"));
    const Result lured = naive.Solve(query, nullptr, 0, start);
    ASSERT_EQ(lured.status, Status::kSolved);
    // The step along (1, 0, lure) that closes the gap 0.9 - r.
    const double r = -1 + kGridStep * start;
    EXPECT_NEAR(lured.answers[0].code[2], kLure * (0.9 - r) / (1 + kLure * kLure), 0.01);

    SteerOptions projected = PresetOptions("naive");
    projected.project = true;
    const Result held = Steerer(model, kSampledMode, projected).Solve(query, nullptr, 0, start);
    ASSERT_EQ(held.status, Status::kSolved);
    EXPECT_NEAR(held.answers[0].code[2], 0, 1e-6);
  }
  const Result best = Solve(model, query);
  ASSERT_EQ(best.status, Status::kSolved);
  EXPECT_NEAR(best.answers[0].code[2], 0, 1e-6);
}

// The grid ends at 1, and the border is half a grid step farther out. A target is reached within
// 0.025. A target up to 0.025 beyond the border is refused, not infeasible.
TEST(Steerer, RefusesWhatItWouldHaveToExtrapolate) {
  const net::Model model = PlaneModel();
  EXPECT_EQ(Solve(model, Asking({"right=1.04"}, {}), Near()).status, Status::kSolved);
  const Result result = Solve(model, Asking({"right=1.09"}, {"up>=0"}), Near());
  ASSERT_EQ(result.status, Status::kRefused);
  ASSERT_FALSE(result.answers.empty());
  EXPECT_GT(result.answers[0].distance_to_data, 0.5);
  EXPECT_THAT(result.infeasibility->reason, HasSubstr("spacings from the known codes"));
  EXPECT_NEAR(result.infeasibility->nearest.predicted[0], 1.05, 1e-3);
  EXPECT_EQ(Solve(model, Asking({"right=1.15"}, {"up>=0"}), Near()).status, Status::kInfeasible);
}

TEST(Steerer, ConfidenceTightensRequirementsByTheCalibratedMargin) {
  const net::Model model = NoisyPlaneModel(0.5f);
  SteerOptions options;
  options.confidence = 0.9;
  options.margin = 0;
  const Result result = Solve(model, Asking({"right=0"}, {"up>=0.2"}), options);
  ASSERT_EQ(result.status, Status::kSolved);
  const Answer& answer = result.answers[0];
  const Forecaster forecaster(model, kSampledMode, "auto");
  const Forecast forecast = forecaster.Predict(answer.code).front();
  EXPECT_GT(forecast.stds[1], 0.2);
  EXPECT_GE(answer.predicted[1], 0.2 - forecaster.Quantile(1, 0.1) * forecast.stds[1] - 1e-6);
  EXPECT_EQ(result.interval_episodes, 4);
  EXPECT_NEAR(answer.interval[0].low,
              answer.predicted[0] + forecaster.Quantile(0, 0.05) * forecast.stds[0], 1e-6);

  // Margins of about 0.5 on both sides leave no feasible value.
  const Query narrow = Asking({"right=0"}, {"up>=-0.3", "up<=0.5"});
  EXPECT_EQ(Solve(model, narrow, options).status, Status::kInfeasible);
  options.confidence = 0;
  EXPECT_EQ(Solve(model, narrow, options).status, Status::kSolved);
  options.confidence = 0.9;
  EXPECT_THAT(test::ErrorOf([&] { Solve(PlaneModel(), Asking({"right=0"}, {}), options); }),
              HasSubstr("a confidence of 0.9 needs a model that knows its error"));
}

TEST(Steerer, ManyAtOnceAreTheSameAsEachAlone) {
  const net::Model model = PlaneModel();
  const Steerer steerer(model, kSampledMode, {});
  std::vector<Query> queries;
  for (int i = -9; i < 14; ++i) {
    queries.push_back(Asking({"right=" + std::to_string(0.1 * i)}, {"up>=0.13"}));
  }
  const std::vector<Result> all = steerer.SolveAll(queries, 3);
  ASSERT_EQ(all.size(), queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Result alone = Solve(model, queries[i]);
    EXPECT_EQ(all[i].status, alone.status);
    ASSERT_EQ(all[i].answers.size(), alone.answers.size());
    for (std::size_t a = 0; a < alone.answers.size(); ++a) {
      EXPECT_EQ(all[i].answers[a].code, alone.answers[a].code);
    }
  }
}

TEST(Steerer, ChangesARecordedBehaviourAndKeepsTheRest) {
  const net::Model model = PlaneModel();
  const Reference reference{{0.4f, -0.5f, 0}, {0.4, -0.5}};
  Query query;
  query.AddChange("up -20%");
  const Result result = Steerer(model, kSampledMode, {}).Solve(query, &reference);
  ASSERT_EQ(result.status, Status::kSolved);
  EXPECT_NEAR(result.answers[0].predicted[0], 0.4, kTolerance);
  EXPECT_NEAR(result.answers[0].predicted[1], -0.4, kTolerance + 1e-9);
  EXPECT_THAT(test::ErrorOf([&] { Solve(model, query); }),
              HasSubstr("no recorded trajectory to change"));
}

// The target applies to a quantity that the change does not mention.
TEST(Steerer, ChangesBesideATarget) {
  const net::Model model = PlaneModel();
  const Reference reference{{0.4f, -0.55f, 0}, {0.4, -0.55}};
  const Query query = Asking({"right=0.63"}, {}).AddChange("up -20%");
  const Result result = Steerer(model, kSampledMode, {}).Solve(query, &reference);
  ASSERT_EQ(result.status, Status::kSolved);
  EXPECT_NEAR(result.answers[0].predicted[0], 0.63, kTolerance);
  EXPECT_NEAR(result.answers[0].predicted[1], -0.44, kTolerance);
}

// One step of 0.05 * 2 * 1.9 / s^2 from (-1, -1) is not enough.
TEST(Steerer, SaysThatItsStepsRanOut) {
  const net::Model model = PlaneModel();
  SteerOptions options;
  options.start = "random";
  options.starts = 1;
  options.candidates = false;
  options.iterations = 1;
  options.max_distance = 100;
  const Query query = Asking({"right=0.9"}, {});
  const Result result = Steerer(model, kSampledMode, options).Solve(query, nullptr, 0, 0);
  ASSERT_EQ(result.status, Status::kIterationLimit);
  ASSERT_EQ(result.answers.size(), 1u);
  EXPECT_EQ(result.answers[0].iterations, 1);
  EXPECT_GT(result.answers[0].predicted[0], -1);
  EXPECT_LT(result.answers[0].predicted[0], 0.9 - kTolerance);
  ASSERT_TRUE(result.infeasibility);
  EXPECT_THAT(result.infeasibility->reason, HasSubstr("the code still moved after 1 steps"));
  options.iterations = 50;
  EXPECT_EQ(Steerer(model, kSampledMode, options).Solve(query, nullptr, 0, 0).status,
            Status::kSolved);
}

// The map is what was tried: codes rolled out at right = 2 and 3, and none on the grid.
TEST(Steerer, AnswersByWhatWasRolledOutFarFromTheTrainingCodes) {
  net::Model model = GroundedPlaneModel();
  const Query query = Asking({"right=3"}, {"up>=0.5"});
  EXPECT_EQ(Solve(model, query).status, Status::kInfeasible);
  RollOut(2, 0.7f, model);
  RollOut(3, 0.2f, model);
  RollOut(3, 0.7f, model);
  const Result result = Solve(model, query);
  ASSERT_EQ(result.status, Status::kSolved);
  EXPECT_NEAR(result.answers.front().code[0], 3, kTolerance);
  EXPECT_GE(result.answers.front().predicted[1], 0.5);
  EXPECT_NE(Solve(model, Asking({"right=0.5"}, {})).status, Status::kSolved);
}

TEST(Steerer, BadQueriesAreErrors) {
  const net::Model model = PlaneModel();
  EXPECT_THAT(test::ErrorOf([&] { Solve(model, {}); }), HasSubstr("asks for nothing"));
  EXPECT_THAT(test::ErrorOf([&] { Solve(model, Asking({"rigth=1"}, {})); }),
              AllOf(HasSubstr("rigth"), HasSubstr("right")));
  EXPECT_THAT(test::ErrorOf([&] { Solve(model, Asking({"right/up=1"}, {})); }), HasSubstr("up"));
  EXPECT_THAT(
      test::ErrorOf([&] { Steerer(model, kSampledMode, {}).Assess(std::vector<float>(2)); }),
      "a code of this model has 3 numbers, not 2");
  SteerOptions grounded;
  grounded.heads = "grounded";
  EXPECT_THAT(test::ErrorOf([&] { Steerer(model, kSampledMode, grounded); }),
              HasSubstr("not grounded for sampled actions"));
}

TEST(Steerer, AssessTellsWhatIsForecast) {
  const net::Model model = PlaneModel();
  const Steerer steerer(model, kSampledMode, {});
  const Answer answer = steerer.Assess(std::vector<float>{0.25f, 0.5f, 0.4f});
  EXPECT_THAT(answer.predicted, ElementsAre(0.25, 0.5));
  // 0.05 from the nearest grid code in the plane and 0.4 above it; the spacing is a step of 0.1.
  EXPECT_NEAR(answer.distance_to_data, std::hypot(0.05, 0.4) / kGridStep, 1e-4);
}

}  // namespace
}  // namespace rhumb::steer
