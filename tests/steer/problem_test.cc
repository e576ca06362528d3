#include "rhumb/steer/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/steer/plane_model.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"

namespace rhumb::steer {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Four training codes with labels a = -+1 (standard deviation 1, range 2), b = -+2 (2 and 4) and c
// = 9 or 11 (1 and 2).
net::Model SmallModel() {
  net::Model model;
  for (const char* name : {"a", "b", "c"}) AddObjective(name, model);
  model.description.objectives[1].min = -2;
  model.description.objectives[1].max = 2;
  model.description.objectives[2].min = 9;
  model.description.objectives[2].max = 11;
  model.decoder.joint_code = net::Layer(1, 1);
  model.training.code_size = 1;
  model.training.objectives = 3;
  model.training.codes = {0, 1, 2, 3};
  model.training.values = {-1, -2, 9, 1, -2, 11, -1, 2, 11, 1, 2, 9};
  return model;
}

const Reference kReference{{0.5f}, {1, 2, 10}};

Problem Make(const Query& query, const Reference* reference = nullptr) {
  return MakeProblem(query, SmallModel(), reference);
}

Problem Towards(const char* target) { return Make(Query().AddTarget(target)); }

double LossAt(const Problem& problem, double a) {
  return problem.Loss(std::vector<double>{a, 0, 10});
}

TEST(Problem, AGoalIsSquareNearAndLinearFarAway) {
  const Problem problem = Towards("a=0.5");
  ASSERT_EQ(problem.goals.size(), 1u);
  EXPECT_EQ(problem.goals[0].value, 0.5);
  EXPECT_EQ(problem.goals[0].std, 1);
  EXPECT_DOUBLE_EQ(problem.goals[0].tolerance, 0.025);  // 1.25 % of 2
  EXPECT_EQ(problem.goals[0].words, "a at 0.5");
  EXPECT_TRUE(problem.goals[0].must && problem.goals[0].in_loss);
  EXPECT_TRUE(problem.bounds.empty());
  EXPECT_EQ(LossAt(problem, 0.5), 0);
  EXPECT_EQ(LossAt(problem, 2.5), 4);
  EXPECT_EQ(LossAt(problem, 3.5), 9);
  // From 3 on the loss rises by 6 per standard deviation.
  EXPECT_EQ(LossAt(problem, 5.5), 9 + 2 * 6);
  EXPECT_EQ(LossAt(problem, -4.5), 9 + 2 * 6);
  std::vector<double> gradient(3, 0);
  problem.AddLossGradient(std::vector<double>{-4.5, 0, 10}, gradient);
  EXPECT_EQ(gradient, (std::vector<double>{-6, 0, 0}));
}

TEST(Problem, WishesAndBoundsAreInDeviations) {
  Query query;
  query.Maximise("a").Minimise("b").AddRequirement("a + b >= 1").AddRequirement("c in [9, 10]");
  const Problem problem = Make(query);
  const std::vector<double> values = {0.25, 3, 10.5};
  EXPECT_EQ(problem.Loss(values), -0.25 + 3.0 / 2);
  ASSERT_EQ(problem.bounds.size(), 3u);
  // a and b take all four combinations, so their sum has standard deviation sqrt(1 + 4).
  EXPECT_DOUBLE_EQ(problem.Excess(0, values), (1 - 3.25) / std::sqrt(5));
  EXPECT_EQ(problem.bounds[0].words, "a + b at least 1");
  EXPECT_EQ(problem.Excess(1, values), 9 - 10.5);
  EXPECT_EQ(problem.Excess(2, values), 10.5 - 10);
  EXPECT_EQ(problem.bounds[2].words, "c at most 10");
  for (const Bound& bound : problem.bounds) EXPECT_FALSE(bound.firm);
}

// Checks points on both sides of where goals become linear. The step's square, and the rounding of
// a loss of 1e2 over the step, leave 1e-8.
TEST(Problem, GradientsAreThoseOfTheLossAndTheExcess) {
  constexpr double kStep = 1e-5, kTolerance = 1e-7;
  Query goals;
  goals.AddTarget("a=0.5").AddTarget("a + 2*b - c = 25").AddTarget("a/c = 0.3");
  goals.AddRequirement("b/(c + a) >= 0").AddRequirement("a + b <= 1");
  Query wishes;
  wishes.Maximise("b/c").Minimise("a - b").AddTarget("a*3 = 1");
  for (const Query& query : {goals, wishes}) {
    const Problem problem = Make(query);
    for (const std::vector<double>& values :
         {std::vector<double>{0.3, -1.2, 9.5}, std::vector<double>{-4, 5, 14}}) {
      const auto slope = [&](const auto& function, std::size_t k) {
        std::vector<double> up = values, down = values;
        up[k] += kStep;
        down[k] -= kStep;
        return (function(up) - function(down)) / (2 * kStep);
      };
      std::vector<double> gradient = {1, 2, 3};  // the gradient is added to these
      problem.AddLossGradient(values, gradient);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto loss = [&](const std::vector<double>& at) { return problem.Loss(at); };
        EXPECT_NEAR(gradient[k] - static_cast<double>(k + 1), slope(loss, k), kTolerance);
      }
      for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
        gradient = {1, 2, 3};
        problem.AddExcessGradient(i, values, 0.5, gradient);
        for (std::size_t k = 0; k < 3; ++k) {
          const auto excess = [&](const std::vector<double>& at) { return problem.Excess(i, at); };
          EXPECT_NEAR(gradient[k] - static_cast<double>(k + 1), 0.5 * slope(excess, k), kTolerance);
        }
      }
    }
  }
}

TEST(Problem, ReachedIsWithinTheTolerances) {
  const Problem problem = Make(Query().AddTarget("a=0.5").AddTarget("b = 1 +- 0.125"));
  const auto reached = [&](double a, double b) {
    return problem.Reached(std::vector<double>{a, b, 10});
  };
  EXPECT_TRUE(reached(0.5, 1));
  EXPECT_TRUE(reached(0.5249, 0.875));
  EXPECT_FALSE(reached(0.5251, 1));
  EXPECT_FALSE(reached(0.5, 1.126));
  EXPECT_FALSE(reached(0.5, std::numeric_limits<double>::quiet_NaN()));
}

// 3 and 4 standard deviations off, and c exceeds its bound by half a standard deviation.
TEST(Problem, MissIsTheDistanceAndWhatExceeds) {
  Query query;
  query.AddTarget("a=0").AddTarget("b=0").AddRequirement("c <= 10").AddRequirement("a <= 100");
  const Problem problem = Make(query);
  EXPECT_DOUBLE_EQ(problem.Miss(std::vector<double>{3, 8, 9}), 5);
  EXPECT_DOUBLE_EQ(problem.Miss(std::vector<double>{3, 8, 10.5}), 5 + kBoundWeight * 0.5);
  EXPECT_DOUBLE_EQ(problem.Miss(std::vector<double>{3, 8, 10.5}, 0.25), 5 + kBoundWeight * 0.75);
  EXPECT_DOUBLE_EQ(problem.Miss(std::vector<double>{3, 8, 9.875}, 0.25), 5 + kBoundWeight * 0.125);
  const Problem wish = Make(Query().Maximise("b"));
  EXPECT_DOUBLE_EQ(wish.Miss(std::vector<double>{0, 3, 10}), -1.5);
}

TEST(Problem, GoalsBesideWishesAreFirmBounds) {
  Query query;
  query.AddTarget("a=0.5").AddRequirement("b>=0").Maximise("c");
  const Problem problem = Make(query);
  ASSERT_EQ(problem.goals.size(), 1u);
  EXPECT_TRUE(problem.goals[0].must);
  EXPECT_FALSE(problem.goals[0].in_loss);
  ASSERT_EQ(problem.bounds.size(), 3u);
  EXPECT_FALSE(problem.bounds[0].firm);
  for (const std::size_t i : {1u, 2u}) {
    const Bound& bound = problem.bounds[i];
    EXPECT_TRUE(bound.firm);
    EXPECT_EQ(bound.expression.text, "a");
    EXPECT_EQ(bound.words, "a at 0.5");
    EXPECT_DOUBLE_EQ(bound.limit, i == 1 ? 0.475 : 0.525);
    EXPECT_EQ(bound.sign, i == 1 ? -1 : 1);
  }
  const std::vector<double> values = {0.5, 0, 10};
  EXPECT_NEAR(problem.Excess(1, values), -0.025, 1e-12);
  EXPECT_NEAR(problem.Excess(2, values), -0.025, 1e-12);
  EXPECT_EQ(problem.Loss(values), -10);
  EXPECT_TRUE(problem.Reached(values));
  EXPECT_FALSE(problem.Reached(std::vector<double>{0.6, 0, 10}));
}

TEST(Problem, AChangeKeepsWhatNothingElseSpeaksOf) {
  Query query;
  query.AddChange("a *0.5 +0.25").AddRequirement("c<=10");
  const Problem problem = Make(query, &kReference);
  ASSERT_EQ(problem.goals.size(), 3u);
  EXPECT_EQ(problem.goals[0].value, 0.75);
  EXPECT_EQ(problem.goals[0].words, "a at 0.75");
  EXPECT_EQ(Make(Query().AddChange("a *0.123456789"), &kReference).goals[0].words, "a at 0.123457");
  EXPECT_TRUE(problem.goals[0].must);
  // b stays as near as possible, and so does c, despite its requirement.
  EXPECT_EQ(problem.goals[1].expression.text, "b");
  EXPECT_EQ(problem.goals[1].value, 2);
  EXPECT_EQ(problem.goals[2].expression.text, "c");
  EXPECT_EQ(problem.goals[2].value, 10);
  EXPECT_FALSE(problem.goals[1].must || problem.goals[2].must);
  EXPECT_TRUE(problem.goals[1].in_loss && problem.goals[2].in_loss);
  // The change must be reached whatever else is kept.
  EXPECT_FALSE(problem.goals[0].in_loss);
  ASSERT_EQ(problem.bounds.size(), 3u);
  EXPECT_TRUE(problem.bounds[1].firm && problem.bounds[2].firm);
  EXPECT_TRUE(problem.Reached(std::vector<double>{0.75, 0, 0}));

  const auto kept = [](const Query& asked) {
    std::string names;
    for (const Goal& goal : Make(asked, &kReference).goals) {
      if (!goal.must) names += goal.expression.text;
    }
    return names;
  };
  EXPECT_EQ(kept(Query().AddChange("a -20%")), "bc");
  EXPECT_EQ(kept(Query().AddChange("a -20%").AddTarget("b=1")), "c");
  EXPECT_EQ(kept(Query().AddChange("a -20%").Maximise("c")), "b");
  Query ratio;
  ratio.changes.push_back({"a/c", 1.1, 0});
  EXPECT_EQ(kept(ratio), "b");
  EXPECT_EQ(kept(Query().AddChange("a -20%").Minimise("b/c")), "");
  EXPECT_EQ(kept(Query().AddTarget("a=1")), "");
}

TEST(Problem, WhatDoesNotVaryCannotBeSteered) {
  net::Model model = SmallModel();
  for (std::size_t i = 0; i < 4; ++i) model.training.values[3 * i] = 7;
  const auto error = [&](const Query& query) {
    return test::ErrorOf([&] { MakeProblem(query, model, nullptr); });
  };
  const char* sentence = "'a' does not vary over the training data, so it cannot be steered";
  EXPECT_EQ(error(Query().AddTarget("a=7")), sentence);
  EXPECT_EQ(error(Query().AddRequirement("a>=6")), sentence);
  EXPECT_EQ(error(Query().Maximise("a")), sentence);
  EXPECT_EQ(error(Query().Maximise("a + b")), "");
}

TEST(Problem, FarTargetsAreErrors) {
  EXPECT_EQ(test::ErrorOf([] { Towards("a=0.99e9"); }), "");
  EXPECT_THAT(test::ErrorOf([] { Towards("a=1.01e9"); }),
              AllOf(HasSubstr("target"), HasSubstr("more than 1e+09 standard deviations")));
  EXPECT_THAT(test::ErrorOf([] { Make(Query().AddChange("b *1e10"), &kReference); }),
              AllOf(HasSubstr("change"), HasSubstr("more than 1e+09 standard deviations")));
}

TEST(Problem, BadReferencesAndEmptyQueriesAreErrors) {
  const Query query = Query().AddChange("a -20%");
  const auto error = [&](const Reference& reference) {
    return test::ErrorOf([&] { Make(query, &reference); });
  };
  EXPECT_EQ(error({{0.5f, 1}, {1, 2, 10}}),
            "a recorded behaviour has a code of 2 numbers and 3 values; this model's have 1 and 3");
  EXPECT_THAT(error({{0.5f}, {1, 2}}), HasSubstr("a code of 1 numbers and 2 values"));
  EXPECT_THAT(error({{0.5f}, {1, std::nan(""), 10}}), HasSubstr("not finite"));
  EXPECT_THAT(error({{std::numeric_limits<float>::infinity()}, {1, 2, 10}}),
              HasSubstr("not finite"));
  EXPECT_THAT(test::ErrorOf([&] { Make(query); }),
              AllOf(HasSubstr("'a' is a change"), HasSubstr("no recorded trajectory")));
  EXPECT_THAT(test::ErrorOf([] { Make({}); }), HasSubstr("asks for nothing"));
  // Also for a query that does not need a reference.
  const Reference empty;
  EXPECT_THAT(test::ErrorOf([&] { Make(Query().AddTarget("a=1"), &empty); }),
              HasSubstr("a code of 0 numbers"));
}

TEST(Problem, NothingIsAllocated) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "nothing is counted under a sanitizer";
  const Problem problem = Make(Query().AddTarget("a=0.5").AddRequirement("b/c>=0"));
  const std::vector<double> values = {0.3, -1.2, 9.5};
  std::vector<double> gradient(3, 0);
  const test::AllocationCount count;
  double sum = problem.Loss(values) + problem.Excess(0, values) + problem.Miss(values);
  problem.AddLossGradient(values, gradient);
  problem.AddExcessGradient(0, values, 1, gradient);
  sum += problem.Reached(values);
  const std::size_t allocations = count.since_construction();
  EXPECT_EQ(allocations, 0u) << sum << gradient[0];
}

// A violated bound has 5 times (kBoundWeight) the weight of the goals.
TEST(Nearness, KeptBoundsFirstThenBoth) {
  EXPECT_LT((Nearness{.excess = 0, .distance = 9}), (Nearness{.excess = 0.01, .distance = 0}));
  EXPECT_LT((Nearness{.excess = 0, .distance = 1}), (Nearness{.excess = 0, .distance = 2}));
  EXPECT_LT((Nearness{.excess = 0.2, .distance = 1}), (Nearness{.excess = 0.1, .distance = 2}));
  EXPECT_LT((Nearness{.excess = 0.1, .distance = 1}), (Nearness{.excess = 0.4, .distance = 0}));
  EXPECT_FALSE((Nearness{.excess = 0.1, .distance = 1}) < (Nearness{.excess = 0.1, .distance = 1}));
  const Nearness diverged{kUnbounded, kUnbounded};
  EXPECT_LT((Nearness{.excess = 9, .distance = 9}), diverged);
  EXPECT_FALSE(diverged < diverged);
}

TEST(Problem, NamesTheObjectivesItDependsOn) {
  EXPECT_THAT(ObjectivesOf(Towards("c=10")), testing::ElementsAre(2));
  EXPECT_THAT(ObjectivesOf(Make(Query().AddTarget("b=0").AddRequirement("a/c>=0"))),
              testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(ObjectivesOf(Make(Query().Maximise("b").AddRequirement("b+0*a<=1"))),
              testing::ElementsAre(1));
}

}  // namespace
}  // namespace rhumb::steer
