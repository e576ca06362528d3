#include "rhumb/steer/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "tests/steer/plane_model.h"

namespace rhumb::steer {
namespace {

// Default tolerance of a target: 1.25 % of a range of 2.

Query AskingOne(const std::string& target, const std::vector<std::string>& requirements) {
  Query query;
  query.AddTarget(target);
  for (const std::string& text : requirements) query.AddRequirement(text);
  return query;
}

// Diagnoses an infeasible query. Like Steerer, it searches half as far as an answer may lie.
Diagnosis DiagnosisOf(const net::Model& model, const Query& query, double max_distance = 1) {
  const SteerOptions options;
  const PreparedModel prepared(model, net::RolloutMode::kSampled, options);
  Search search(prepared);
  const Problem problem = MakeProblem(query, model, nullptr);
  const AttemptSettings attempt{2 * options.starts, 2 * options.iterations, max_distance / 2, 0};
  const std::vector<Candidate> found = search.Run(problem, attempt, {});
  for (const Candidate& candidate : found) EXPECT_FALSE(candidate.satisfies);
  return Diagnose(prepared, search, problem, found, attempt, {});
}

// No code of the grid has right = 0.93. With up <= 0.13 the largest right + up within 0.025 of the
// grid is that of (0.9, 0.1) plus 0.025 sqrt(2). With right + up >= 1.5 the smallest "up" is 0.025
// / sqrt(2) below (0.9, 0.6).
TEST(Diagnosis, SaysHowFarEachRequirementWouldHaveToGiveWay) {
  const net::Model model = PlaneModel();
  const Diagnosis diagnosis =
      DiagnosisOf(model, AskingOne("right=0.93", {"right + up >= 1.5", "up <= 0.13"}), 0.5);
  EXPECT_THAT(diagnosis.binding,
              testing::IsSupersetOf({"right + up at least 1.5", "up at most 0.13"}));
  ASSERT_EQ(diagnosis.relax.size(), 3u);
  EXPECT_FALSE(
      diagnosis.relax[0].possible);  // right up to 1.025, with up = 0.13, falls short by 0.3
  EXPECT_NEAR(diagnosis.relax[1].needed, 1 + 0.025 * std::sqrt(2), 1e-3);
  EXPECT_NEAR(diagnosis.relax[2].needed, 0.6 - 0.025 / std::sqrt(2), 1e-3);
}

// "up" must hold with probability 3/4. Single episodes deviate by 0.6, so its mean must stay well
// below 0.53; right is at most 1, and the border and the noise add a little.
TEST(Diagnosis, TheNearestIsLikelyToKeepTheRequirements) {
  const net::Model model = NoisyPlaneModel(0.5f);
  const Diagnosis diagnosis = DiagnosisOf(model, AskingOne("right + up = 1.8", {"up <= 0.53"}));
  EXPECT_LE(diagnosis.nearest.predicted[1], 0.53 - 0.1);
  const double sum = diagnosis.nearest.predicted[0] + diagnosis.nearest.predicted[1];
  EXPECT_GE(sum, 1.0);
  EXPECT_LE(sum, 1.53);
  EXPECT_NEAR(diagnosis.relax[0].needed, sum, kTolerance);

  // The first alternative is `nearest` itself. Others only seem to meet the bound, and promise
  // more. All differ.
  ASSERT_EQ(diagnosis.alternatives.size(), 12u);
  std::set<std::vector<float>> codes;
  for (const Answer& one : diagnosis.alternatives) codes.insert(one.code);
  EXPECT_EQ(codes.size(), 12u);
  EXPECT_EQ(diagnosis.alternatives.front().code, diagnosis.nearest.code);
  EXPECT_EQ(diagnosis.alternatives.front().predicted, diagnosis.nearest.predicted);
  bool is_bolder = false;
  for (const Answer& one : diagnosis.alternatives) {
    EXPECT_EQ(one.interval.size(), 2u);
    EXPECT_LE(one.predicted[1], 0.53);
    is_bolder |= one.predicted[1] >= diagnosis.nearest.predicted[1] + 0.05;
  }
  EXPECT_TRUE(is_bolder);
}

// Every code violates the requirement by at least 2. The best is at right = 1, but it gains only
// 0.05 of the requirement for 1 of the target.
TEST(Diagnosis, WhatCannotBeKeptAnywayDoesNotCostTheTarget) {
  const net::Model model = PlaneModel();
  const Diagnosis diagnosis = DiagnosisOf(model, AskingOne("right=0", {"up + 0.05 * right >= 3"}));
  EXPECT_NEAR(diagnosis.nearest.predicted[0], 0, 0.1);
  EXPECT_NEAR(diagnosis.nearest.predicted[1], 1, 0.1);
}

// No code meets the bound with probability 3/4, because 10 * up deviates by 3. Some of the codes at
// up = -1 meet it by forecast. More right would gain 1.65 of the target and cost 0.82 of the bound.
TEST(Diagnosis, TheNearestSeemsToKeepTheRequirementsAtLeast) {
  const net::Model model = NoisyPlaneModel(0.5f);
  const Diagnosis diagnosis =
      DiagnosisOf(model, AskingOne("right=2", {"right + 10 * up <= -9.55"}));
  const std::vector<double>& nearest = diagnosis.nearest.predicted;
  EXPECT_LE(nearest[0] + 10 * nearest[1], -9.55);
}

}  // namespace
}  // namespace rhumb::steer
