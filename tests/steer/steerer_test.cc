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

constexpr net::RolloutMode kSampled = net::RolloutMode::kSampled;
// 1.25 % of a range of 2: within what a target counts as reached.
constexpr double kTolerance = 0.025;
constexpr float kLure = 1.5f;

Query Asking(const std::vector<std::string>& targets,
             const std::vector<std::string>& requirements) {
  Query query;
  for (const std::string& text : targets) query.AddTarget(text);
  for (const std::string& text : requirements) query.AddRequirement(text);
  return query;
}

Result Solve(const net::Model& model, const Query& query, const SteerOptions& options = {}) {
  return Steerer(model, kSampled, options).Solve(query);
}

TEST(Steerer, ReachesATargetWithinItsRequirements) {
  const net::Model model = PlaneModel();
  const Result result = Solve(model, Asking({"right=0.53"}, {"up>=-0.27", "up<=-0.21"}));
  ASSERT_EQ(result.status, Status::kSolved);
  ASSERT_EQ(result.answers.size(), 1u);
  const Answer& answer = result.answers.front();
  EXPECT_NEAR(answer.predicted[0], 0.53, kTolerance);
  EXPECT_GE(answer.predicted[1], -0.27);
  EXPECT_LE(answer.predicted[1], -0.21);
  EXPECT_NEAR(answer.code[0], answer.predicted[0], 1e-6);
  EXPECT_LE(answer.distance_to_data, 1);
  EXPECT_FALSE(result.infeasibility);
}

TEST(Steerer, CombinationsAndRatiosAreSteeredLikeObjectives) {
  const net::Model model = PlaneModel();
  const Result sum = Solve(model, Asking({"2*right - up = 1.1"}, {"right + up <= 0.2"}));
  ASSERT_EQ(sum.status, Status::kSolved);
  const std::vector<double>& v = sum.answers.front().predicted;
  // The combination's range over the data is 6.
  EXPECT_NEAR(2 * v[0] - v[1], 1.1, 3 * kTolerance);
  EXPECT_LE(v[0] + v[1], 0.2);

  const Result ratio = Solve(model, Asking({"right/(up + 3) = 0.25"}, {"up >= 0.5"}));
  ASSERT_EQ(ratio.status, Status::kSolved);
  const std::vector<double>& w = ratio.answers.front().predicted;
  EXPECT_NEAR(w[0] / (w[1] + 3), 0.25, 0.0125);  // its range is 1
  EXPECT_GE(w[1], 0.5);
}

// max right + up subject to right + 2 up <= 0.6: the corner right = 1, up = -0.2. Steering may
// leave the data by one spacing, which is a step of the grid.
TEST(Steerer, MaximisesAsFarAsRequirementsAndDataAllow) {
  const net::Model model = PlaneModel();
  Query query = Asking({}, {"right + 2*up <= 0.6"});
  query.Maximise("right + up");
  const Result result = Solve(model, query);
  ASSERT_EQ(result.status, Status::kSolved);
  const std::vector<double>& v = result.answers.front().predicted;
  EXPECT_LE(v[0] + 2 * v[1], 0.6);
  EXPECT_GE(v[0] + v[1], 0.8 - 0.05);
  EXPECT_LE(v[0], 1 + 1.2 * kGridStep);

  Query smallest;
  smallest.Minimise("up");
  const Result lowest = Solve(model, smallest);
  ASSERT_EQ(lowest.status, Status::kSolved);
  EXPECT_LE(lowest.answers.front().predicted[1], -1);
}

TEST(Steerer, WhatIsOutOfReachIsInfeasibleWithTheNearest) {
  const net::Model model = PlaneModel();
  const Result result = Solve(model, Asking({"right=2"}, {"up>=0.5"}));
  ASSERT_EQ(result.status, Status::kInfeasible);
  EXPECT_TRUE(result.answers.empty());
  const Diagnosis& diagnosis = *result.infeasibility;
  EXPECT_NEAR(diagnosis.nearest[0], 1, 1.2 * kGridStep);
  EXPECT_GE(diagnosis.nearest[1], 0.5);
  EXPECT_THAT(diagnosis.reason, HasSubstr("right at 2 is out of reach"));
  ASSERT_EQ(diagnosis.relax.size(), 2u);
  EXPECT_EQ(diagnosis.relax[0].quantity, "right");
  EXPECT_TRUE(diagnosis.relax[0].possible);
  EXPECT_NEAR(diagnosis.relax[0].needed, 1, 1.2 * kGridStep);
  EXPECT_FALSE(diagnosis.relax[1].possible);  // "up" does not help
}

// right = 0.9 and right + up >= 1.5 leave 0.6 for "up", but it must not exceed 0.1: giving way by
// 0.5 anywhere helps.
TEST(Steerer, SaysHowFarEachRequirementWouldHaveToGiveWay) {
  const net::Model model = PlaneModel();
  const Result result = Solve(model, Asking({"right=0.9"}, {"right + up >= 1.5", "up <= 0.1"}));
  ASSERT_EQ(result.status, Status::kInfeasible);
  const Diagnosis& diagnosis = *result.infeasibility;
  EXPECT_GE(diagnosis.binding.size(), 2u);
  ASSERT_EQ(diagnosis.relax.size(), 3u);
  EXPECT_FALSE(diagnosis.relax[0].possible);  // right up to 1.1, with up = 0.1, is 0.3 short
  EXPECT_NEAR(diagnosis.relax[1].needed, 1, 3 * kTolerance);
  EXPECT_NEAR(diagnosis.relax[2].needed, 0.6, 3 * kTolerance);
}

TEST(Steerer, GivesDifferentAnswers) {
  const net::Model model = PlaneModel();
  SteerOptions options;
  options.answers = 4;
  const Result result = Solve(model, Asking({"right=0.5"}, {}), options);
  ASSERT_EQ(result.answers.size(), 4u);
  std::vector<double> ups;
  for (const Answer& answer : result.answers) {
    EXPECT_NEAR(answer.predicted[0], 0.5, kTolerance);
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
    const Steerer naive(model, kSampled, PresetOptions("naive"));
    const Result lured = naive.Solve(query, nullptr, 0, start);
    ASSERT_EQ(lured.status, Status::kSolved);
    // The step along (1, 0, lure) that makes up for 0.9 - r.
    const double r = -1 + kGridStep * start;
    EXPECT_NEAR(lured.answers[0].code[2], kLure * (0.9 - r) / (1 + kLure * kLure), 0.01);

    SteerOptions projected = PresetOptions("naive");
    projected.project = true;
    const Result held = Steerer(model, kSampled, projected).Solve(query, nullptr, 0, start);
    ASSERT_EQ(held.status, Status::kSolved);
    EXPECT_NEAR(held.answers[0].code[2], 0, 1e-6);
  }
  const Result best = Solve(model, query);
  ASSERT_EQ(best.status, Status::kSolved);
  EXPECT_NEAR(best.answers[0].code[2], 0, 1e-6);
}

// The grid ends at 1, and the border is half a step of it farther out. A target is reached within
// 0.025, and what lies up to 0.025 beyond the border is refused, not infeasible.
TEST(Steerer, RefusesWhatItWouldHaveToExtrapolate) {
  const net::Model model = PlaneModel();
  EXPECT_EQ(Solve(model, Asking({"right=1.04"}, {})).status, Status::kSolved);
  const Result result = Solve(model, Asking({"right=1.09"}, {"up>=0"}));
  ASSERT_EQ(result.status, Status::kRefused);
  ASSERT_FALSE(result.answers.empty());
  EXPECT_GT(result.answers[0].distance_to_data, 0.5);
  EXPECT_THAT(result.infeasibility->reason, HasSubstr("spacings from the training codes"));
  // A diagnosis goes half as far as an answer may.
  EXPECT_NEAR(result.infeasibility->nearest[0], 1.025, 1e-3);
  EXPECT_EQ(Solve(model, Asking({"right=1.15"}, {"up>=0"})).status, Status::kInfeasible);
}

// An answer is held to as if it were the best of 4: the residual at the level 0.025 of 21, whose
// outermost, -1, stands at 1/22, is carried on as a normal tail: -1 * 1.96 / 1.69, in scales of
// 0.5.
TEST(Steerer, ConfidenceTightensRequirementsByTheCalibratedMargin) {
  const net::Model model = GroundedPlaneModel(0.5f);
  SteerOptions options;
  options.confidence = 0.9;
  options.margin = 0;
  const Result result = Solve(model, Asking({"right=0"}, {"up>=0.2"}), options);
  ASSERT_EQ(result.status, Status::kSolved);
  EXPECT_GE(result.answers[0].predicted[1], 0.2 + 1.96 / 1.69 * 0.5 - 1e-3);
  EXPECT_EQ(result.interval_episodes, 4);
  // The central 0.9: the rank floor(0.05 * 22) = 1 of 21.
  EXPECT_NEAR(result.answers[0].interval[0].low, result.answers[0].predicted[0] - 1 * 0.5, 1e-6);

  // Margins of more than 0.5 on both sides leave nothing.
  const Query narrow = Asking({"right=0"}, {"up>=-0.4", "up<=0.6"});
  EXPECT_EQ(Solve(model, narrow, options).status, Status::kInfeasible);
  options.confidence = 0;
  EXPECT_EQ(Solve(model, narrow, options).status, Status::kSolved);
  options.confidence = 0.9;
  EXPECT_THAT(test::ErrorOf([&] { Solve(PlaneModel(), Asking({"right=0"}, {}), options); }),
              HasSubstr("a confidence of 0.9 needs heads that know their error"));
}

TEST(Steerer, ManyAtOnceAreTheSameAsEachAlone) {
  const net::Model model = PlaneModel();
  const Steerer steerer(model, kSampled, {});
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
  const Result result = Steerer(model, kSampled, {}).Solve(query, &reference);
  ASSERT_EQ(result.status, Status::kSolved);
  EXPECT_NEAR(result.answers[0].predicted[0], 0.4, kTolerance);
  EXPECT_NEAR(result.answers[0].predicted[1], -0.4, kTolerance + 1e-9);
  EXPECT_THAT(test::ErrorOf([&] { Solve(model, query); }),
              HasSubstr("no recorded trajectory to change"));
}

TEST(Steerer, BadQueriesAreErrors) {
  const net::Model model = PlaneModel();
  EXPECT_THAT(test::ErrorOf([&] { Solve(model, {}); }), HasSubstr("asks for nothing"));
  EXPECT_THAT(test::ErrorOf([&] { Solve(model, Asking({"rigth=1"}, {})); }),
              AllOf(HasSubstr("rigth"), HasSubstr("right")));
  EXPECT_THAT(test::ErrorOf([&] { Solve(model, Asking({"right/up=1"}, {})); }), HasSubstr("up"));
  EXPECT_THAT(test::ErrorOf([&] { Steerer(model, kSampled, {}).Assess(std::vector<float>(2)); }),
              "a code of this model has 3 numbers, not 2");
  SteerOptions grounded;
  grounded.heads = "grounded";
  EXPECT_THAT(test::ErrorOf([&] { Steerer(model, kSampled, grounded); }),
              HasSubstr("not grounded for sampled actions"));
  EXPECT_THAT(test::ErrorOf([] { PresetOptions("fast"); }), HasSubstr("default, paper and naive"));
}

TEST(Steerer, AssessTellsWhatTheHeadsSay) {
  const net::Model model = GroundedPlaneModel(0.5f);
  const Steerer steerer(model, kSampled, {});
  const Answer answer = steerer.Assess(std::vector<float>{0.25f, 0.5f, 0.4f});
  EXPECT_THAT(answer.predicted, ElementsAre(0.25, 0.5));
  // 0.05 to the nearest of the grid in the plane, 0.4 above it, a step of 0.1 being the spacing.
  EXPECT_NEAR(answer.distance_to_data, std::hypot(0.05, 0.4) / kGridStep, 1e-4);
}

}  // namespace
}  // namespace rhumb::steer
