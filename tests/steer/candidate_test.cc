#include "rhumb/steer/candidate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/steer/plane_model.h"

namespace rhumb::steer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The standard normal density at 0 and 1, and the probability of a value at or below 1.
constexpr double kDensityAt0 = 0.398942280401433;
constexpr double kDensityAt1 = 0.241970724519143;
constexpr double kShareAt1 = 0.841344746068543;

class CandidateTest : public testing::Test {
 protected:
  QueryExpression Parse(const char* text) const {
    return QueryExpression::Parse(text, model_.description, "test");
  }

  Problem WithBound(const char* text, double sign, double limit, double scale) const {
    Problem problem;
    problem.bounds.push_back({Parse(text), sign, limit, scale, text, /*firm=*/false});
    return problem;
  }

  double Risk(const Problem& problem, std::vector<double> values, std::vector<double> stds) const {
    // Without the term of the probability, which has a test of its own.
    const double probability =
        problem.wishes.empty() ? ProbabilityOf(problem, forecaster_, values, stds) : 1;
    return RiskOf(problem, forecaster_, values, stds) + std::log(std::max(1e-6, probability));
  }

  const net::Model model_ = NoisyPlaneModel(0.5f);
  const Forecaster forecaster_{model_, kSampledMode, "auto"};
};

// For a normal x with mean m and standard deviation 1, E max(0, x) is density(m) + m share(m).
TEST_F(CandidateTest, TheRiskOfABoundIsItsExpectedExcess) {
  const Problem problem = WithBound("right", 1, 0.5, 2);
  EXPECT_NEAR(Risk(problem, {0.5, 0}, {2, 9}), kBoundWeight * kDensityAt0, 1e-12);
  EXPECT_NEAR(Risk(problem, {2.5, 0}, {2, 9}), kBoundWeight * (kDensityAt1 + kShareAt1), 1e-12);
  EXPECT_NEAR(Risk(problem, {-1.5, 0}, {2, 9}), kBoundWeight * (kDensityAt1 - (1 - kShareAt1)),
              1e-12);
  // Half the standard deviation gives half the excess.
  EXPECT_NEAR(Risk(problem, {1.5, 0}, {1, 9}), kBoundWeight * 0.5 * (kDensityAt1 + kShareAt1),
              1e-12);
  // A certain value has exactly its own excess.
  EXPECT_NEAR(Risk(problem, {1.1, 0}, {0, 0}), kBoundWeight * 0.3, 1e-12);
  EXPECT_EQ(Risk(problem, {0.4, 0}, {0, 0}), 0);
  // A bound in the other direction.
  EXPECT_NEAR(Risk(WithBound("right", -1, 0.5, 2), {-1.5, 0}, {2, 9}),
              kBoundWeight * (kDensityAt1 + kShareAt1), 1e-12);
}

TEST_F(CandidateTest, TheRiskOfGoalsAndWishes) {
  Problem problem;
  problem.goals.push_back({Parse("right"), 0.2, 0.5, 0.01, true, true, ""});
  // (0.3^2 + 0.4^2) / 0.5^2
  EXPECT_NEAR(Risk(problem, {0.5, 0}, {0.4, 9}), 1, 1e-12);
  problem.goals.push_back({Parse("up"), -1, 2, 0.01, false, true, ""});
  EXPECT_NEAR(Risk(problem, {0.5, 3}, {0.4, 0}), std::sqrt(1 + 4), 1e-12);
  // A goal replaced by bounds is not counted again.
  problem.goals.push_back({Parse("up"), 50, 1, 0.01, true, false, ""});
  EXPECT_NEAR(Risk(problem, {0.5, 3}, {0.4, 0}), std::sqrt(1 + 4), 1e-12);
  problem.wishes.push_back({Parse("right - up"), -1, 4});
  problem.wishes.push_back({Parse("up"), 1, 2});
  EXPECT_NEAR(Risk(problem, {0.5, 3}, {0.4, 0}), std::sqrt(1 + 4) + 2.5 / 4 + 3.0 / 2, 1e-12);
}

// A goal within one deviation on both sides, 0.68269, and a bound with a deviation to spare.
TEST_F(CandidateTest, TheProbabilityIsThatOfAllTogether) {
  Problem problem = WithBound("up", 1, 0.5, 2);
  const double inside = 2 * kShareAt1 - 1;
  EXPECT_NEAR(ProbabilityOf(problem, forecaster_, std::vector{0.0, 0.2}, std::vector{9.0, 0.3}),
              kShareAt1, 1e-12);
  problem.goals.push_back({Parse("right"), 0.25, 1, 0.5, true, true, ""});
  EXPECT_NEAR(ProbabilityOf(problem, forecaster_, std::vector{0.25, 0.2}, std::vector{0.5, 0.3}),
              inside * kShareAt1, 1e-12);
  // Certain values.
  const std::vector<double> certain = {0, 0};
  EXPECT_EQ(ProbabilityOf(problem, forecaster_, std::vector{0.75, 0.5}, certain), 1);
  EXPECT_EQ(ProbabilityOf(problem, forecaster_, std::vector{0.76, 0.5}, certain), 0);
  EXPECT_EQ(ProbabilityOf(problem, forecaster_, std::vector{0.75, 0.51}, certain), 0);

  // Doubt adds to the risk, down to one in a million.
  const auto doubt = [&](double up) {
    const std::vector<double> values = {0.25, up}, stds = {0.5, 0.3};
    return RiskOf(problem, forecaster_, values, stds) - Risk(problem, values, stds);
  };
  EXPECT_NEAR(doubt(0.2), -std::log(inside * kShareAt1), 1e-12);
  EXPECT_NEAR(doubt(50), -std::log(1e-6), 1e-12);
}

// up is at least 0.2, in standard deviations of 0.8; at 0.6 it has 0.5 to spare.
TEST_F(CandidateTest, ConfidenceTightensABound) {
  Problem problem = WithBound("up", -1, 0.2, 0.8);
  const std::vector<double> values = {0, 0.6}, stds = {9, 0.4};
  const double margin = forecaster_.Margin(problem.bounds[0], values, stds, 0.9);
  EXPECT_GT(margin, 0.4) << "nine of ten are within more than a standard deviation";
  EXPECT_NEAR(TightenedExcess(problem, 0, forecaster_, values, stds, 0), -0.5, 1e-12);
  EXPECT_NEAR(TightenedExcess(problem, 0, forecaster_, values, stds, 0.9), -0.5 + margin / 0.8,
              1e-12);
  EXPECT_TRUE(Satisfies(problem, forecaster_, values, stds, 0));
  EXPECT_FALSE(Satisfies(problem, forecaster_, values, stds, 0.9));
  problem.bounds[0].firm = true;
  EXPECT_TRUE(Satisfies(problem, forecaster_, values, stds, 0.9));
}

TEST_F(CandidateTest, SatisfyingIsReachingEveryGoalAndMeetingEveryBound) {
  Problem problem = WithBound("up", 1, 0.5, 1);
  problem.bounds.push_back({Parse("right + up"), -1, 0.5, 1, "", false});
  problem.goals.push_back({Parse("right"), 0.3, 1, 0.0625, true, true, ""});
  const auto satisfies = [&](double right, double up) {
    return Satisfies(problem, forecaster_, std::vector{right, up}, std::vector{0.0, 0.0}, 0);
  };
  EXPECT_TRUE(satisfies(0.25, 0.25));
  EXPECT_TRUE(satisfies(0.25, 0.5));
  EXPECT_FALSE(satisfies(0.25, 0.5001));
  EXPECT_FALSE(satisfies(0.25, 0.2499));
  EXPECT_FALSE(satisfies(0.37, 0.25));
}

// A ratio has no value beyond its pole.
TEST_F(CandidateTest, WhatHasNoValueSatisfiesNothing) {
  const std::vector<double> beyond = {0.5, -2}, stds = {0, 0};
  EXPECT_FALSE(Satisfies(WithBound("right/(up + 1.5)", 1, 1e6, 1), forecaster_, beyond, stds, 0));
  Problem goal;
  goal.goals.push_back({Parse("right/(up + 1.5)"), 0, 1, 1e6, true, true, ""});
  EXPECT_FALSE(Satisfies(goal, forecaster_, beyond, stds, 0));
  Problem wish;
  wish.wishes.push_back({Parse("right/(up + 1.5)"), 1, 1});
  EXPECT_FALSE(Satisfies(wish, forecaster_, beyond, stds, 0));
}

Candidate At(float place, double risk, bool satisfies = true) {
  Candidate candidate;
  candidate.code = {0, place};
  candidate.risk = risk;
  candidate.satisfies = satisfies;
  return candidate;
}

std::vector<float> PlacesOf(const std::vector<const Candidate*>& chosen) {
  std::vector<float> places;
  for (const Candidate* candidate : chosen) places.push_back(candidate->code[1]);
  return places;
}

TEST(ChooseAnswers, LeastRiskThenTheFarthestInTheOrderOfRisk) {
  const std::vector<Candidate> candidates = {At(0, 0.3),  At(1, 0.125),    At(1.25f, 0.2),
                                             At(3, 0.25), At(9, 0, false), At(10, 0.5)};
  EXPECT_THAT(PlacesOf(ChooseAnswers(candidates, 1, 0.5)), ElementsAre(1));
  EXPECT_THAT(PlacesOf(ChooseAnswers(candidates, 2, 0.5)), ElementsAre(1, 3));
  EXPECT_THAT(PlacesOf(ChooseAnswers(candidates, 3, 0.5)), ElementsAre(1, 3, 0));
  // 10 is more than 0.25 worse than the best, and 1.25 is the same answer as 1.
  EXPECT_THAT(PlacesOf(ChooseAnswers(candidates, 9, 0.5)), ElementsAre(1, 3, 0));
  EXPECT_THAT(PlacesOf(ChooseAnswers(candidates, 9, 0.125)), ElementsAre(1, 1.25f, 3, 0));
  EXPECT_THAT(PlacesOf(ChooseAnswers(candidates, 9, 1)), ElementsAre(1, 3));
}

// From 0 the farthest is 8; next comes 4, which lies between them, and not 7.
TEST(ChooseAnswers, TheNextOneIsFarFromAllBeforeIt) {
  const std::vector<Candidate> candidates = {At(7, 0.2), At(0, 0.1), At(8, 0.2), At(4, 0.15)};
  EXPECT_THAT(PlacesOf(ChooseAnswers(candidates, 2, 0.5)), ElementsAre(0, 8));
  EXPECT_THAT(PlacesOf(ChooseAnswers(candidates, 3, 0.5)), ElementsAre(0, 4, 8));
}

TEST(ChooseAnswers, NothingOfNothing) {
  EXPECT_THAT(ChooseAnswers({}, 3, 0.5), IsEmpty());
  EXPECT_THAT(ChooseAnswers(std::vector<Candidate>{At(1, 0, false)}, 3, 0.5), IsEmpty());
}

TEST(ChooseAnswers, ARiskOfAQuarterMoreIsStillAnAnswer) {
  const std::vector<Candidate> candidates = {At(0, -1), At(1, -0.75), At(2, -0.7499)};
  EXPECT_THAT(PlacesOf(ChooseAnswers(candidates, 3, 0.5)), ElementsAre(0, 1));
}

}  // namespace
}  // namespace rhumb::steer
