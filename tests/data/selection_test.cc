#include "rhumb/data/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "tests/support/error_expectation.h"

namespace rhumb::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Policy MakePolicy(int agent, int iteration, std::vector<double> weights = {}) {
  Policy policy;
  policy.agent = agent;
  policy.iteration = iteration;
  policy.weights = std::move(weights);
  return policy;
}

// A policy with 8 measured episodes.
Policy Measured(int agent, double mean_return, double std_return, double length, double motion) {
  Policy policy = MakePolicy(agent, 300);
  policy.measured_episodes = 8;
  policy.mean_return = {mean_return, -1};
  policy.std_return = {std_return, 1e9};  // the second objective, which no rule uses
  policy.mean_length = length;
  policy.motion = motion;
  return policy;
}

std::vector<Verdict> VerdictsOf(const std::vector<Policy>& policies) {
  std::vector<Verdict> verdicts;
  for (const Policy& policy : policies) verdicts.push_back(policy.verdict);
  return verdicts;
}

std::vector<int> AgentsIn(Split split, const std::vector<Policy>& policies) {
  std::vector<int> agents;
  for (const Policy& policy : policies) {
    if (policy.split == split) agents.push_back(policy.agent);
  }
  return agents;
}

TEST(Selection, ThePapersHalfCheetahHas432Checkpoints) {
  std::vector<Policy> policies;
  for (int agent = 0; agent < 10; ++agent) {
    for (int iteration = 1; iteration <= 300; ++iteration) {
      policies.push_back(MakePolicy(agent, iteration));
    }
  }
  SelectionConfig config;
  config.drop_last_weights = 2;
  SelectCheckpoints(config, policies);
  EXPECT_EQ(std::count_if(policies.begin(), policies.end(),
                          [](const Policy& policy) { return policy.kept(); }),
            432);
}

TEST(Selection, CheckpointsByIteration) {
  std::vector<Policy> policies = {MakePolicy(0, 30), MakePolicy(0, 34), MakePolicy(0, 35),
                                  MakePolicy(1, 35)};
  SelectionConfig config;
  config.drop_last_weights = 1;
  SelectCheckpoints(config, policies);
  EXPECT_THAT(VerdictsOf(policies), ElementsAre(Verdict::kEarly, Verdict::kThinned, Verdict::kKept,
                                                Verdict::kDroppedWeight));
  EXPECT_EQ(policies[0].reason, "among the first 30 iterations");
  EXPECT_EQ(policies[1].reason, "its iteration is not a multiple of 5");
  EXPECT_EQ(policies[2].reason, "");
}

TEST(Selection, PoliciesThatFallOrVaryAreLeftOut) {
  std::vector<Policy> policies = {
      Measured(0, 1000, 249, 801, 5),   // kept: 0.249
      Measured(0, 1000, 250, 1000, 5),  // 0.25 is not below 0.25
      Measured(0, -1000, 10, 800, 5),   // 800 is not above 0.8 of 1000
      MakePolicy(0, 300),               // not rolled out
  };
  SelectBehaviours({}, 1000, policies);
  EXPECT_THAT(VerdictsOf(policies), ElementsAre(Verdict::kKept, Verdict::kVariable, Verdict::kFalls,
                                                Verdict::kNoEpisodes));
  EXPECT_EQ(policies[1].reason, "variation 0.25 of the first objective, not below 0.25");
  EXPECT_EQ(policies[2].reason, "mean length 800 of 1000 steps, not above 0.8");
}

TEST(Selection, UnstablePoliciesMayBeKept) {
  std::vector<Policy> policies = {Measured(0, 1, 100, 10, 5)};
  SelectionConfig config;
  config.keep_unstable = true;
  SelectBehaviours(config, 1000, policies);
  EXPECT_TRUE(policies[0].kept());
}

// The first policy's mean is nearly 0, so its relative variation is huge without the floor. The
// other means are +-1000: std about 816, floor 81.6. 20 / 81.6 is below 0.25, 21 / 81.6 is not.
TEST(Selection, VariationHasAFloor) {
  for (const auto& [std_return, verdict] :
       {std::pair(20.0, Verdict::kKept), std::pair(21.0, Verdict::kVariable)}) {
    std::vector<Policy> policies = {Measured(0, 0.001, std_return, 1000, 5),
                                    Measured(0, 1000, 0, 1000, 5), Measured(0, -1000, 0, 1000, 5)};
    SelectBehaviours({}, 1000, policies);
    EXPECT_THAT(VerdictsOf(policies), ElementsAre(verdict, Verdict::kKept, Verdict::kKept));
  }
}

TEST(Selection, AgentsThatStandStillAreLeftOutWhole) {
  std::vector<Policy> policies = {Measured(0, 10, 0, 1000, 5), Measured(1, 10, 0, 1000, 0.49),
                                  Measured(1, 10, 0, 1000, 3), Measured(2, 10, 0, 1000, 0.5)};
  policies[2].iteration = 100;  // it still moved then, but its agent's last motion is 0.49
  SelectBehaviours({}, 1000, policies);
  EXPECT_THAT(VerdictsOf(policies), ElementsAre(Verdict::kKept, Verdict::kStationary,
                                                Verdict::kStationary, Verdict::kKept));
  EXPECT_THAT(policies[2].reason, HasSubstr("motion 0.49, the liveliest has 5"));
}

TEST(Splits, TheMiddleWeightIsHeldOut) {
  // The mean of 1, 8/9 ... 2/9 lies between 6/9 and 5/9; the larger one is held out.
  std::vector<Policy> policies;
  for (int agent = 0; agent < 8; ++agent) {
    policies.push_back(MakePolicy(agent, 300, {1 - agent / 9.0, agent / 9.0}));
  }
  AssignSplits({}, policies);
  for (const Policy& policy : policies) {
    EXPECT_EQ(policy.split == Split::kHeldOutWeight, policy.agent == 3) << policy.agent;
  }
  // Three weight vectors with mean (0.4, 0.3, 0.3), nearest to the last.
  policies = {MakePolicy(0, 300, {0.8, 0.1, 0.1}), MakePolicy(1, 300, {0.1, 0.5, 0.4}),
              MakePolicy(2, 300, {0.3, 0.3, 0.4})};
  AssignSplits({}, policies);
  EXPECT_EQ(policies[2].split, Split::kHeldOutWeight);
}

TEST(Splits, DescendantsAreHeldOutWithTheirAncestor) {
  std::vector<Policy> policies;
  for (int agent = 0; agent < 3; ++agent) {
    policies.push_back(MakePolicy(agent, 300, {1 - agent / 2.0, agent / 2.0}));
  }
  // 3 and its child 5 descend from the middle one, 4 does not.
  for (const auto& [agent, parent] : {std::pair(3, 1), std::pair(4, 0), std::pair(5, 3)}) {
    const double weight = agent == 4 ? 0.9 : agent == 3 ? 0.2 : 0.1;
    policies.push_back(MakePolicy(agent, 360, {weight, 1 - weight}));
    policies.back().parent = parent;
  }
  AssignSplits({.held_out_checkpoints = 0, .held_out_agent = 1}, policies);
  EXPECT_THAT(AgentsIn(Split::kHeldOutWeight, policies), ElementsAre(1, 3, 5));
  AssignSplits({.held_out_checkpoints = 0, .held_out_agent = 0}, policies);
  EXPECT_THAT(AgentsIn(Split::kHeldOutWeight, policies), ElementsAre(0, 4));
  EXPECT_THAT(test::ErrorOf([&] { AssignSplits({.held_out_agent = 9}, policies); }),
              HasSubstr("held_out_agent is 9"));
  // By default no agent has to follow: of 2, 4 and 5, the last is nearest to the mean, 0.45.
  AssignSplits({.held_out_checkpoints = 0}, policies);
  EXPECT_THAT(AgentsIn(Split::kHeldOutWeight, policies), ElementsAre(5));
}

TEST(Splits, WithFewWeightsNoneIsHeldOut) {
  std::vector<Policy> policies = {MakePolicy(0, 300, {1, 0}), MakePolicy(1, 300, {0, 1}),
                                  MakePolicy(2, 300)};
  AssignSplits({}, policies);
  for (const Policy& policy : policies) EXPECT_NE(policy.split, Split::kHeldOutWeight);
}

TEST(Splits, NeitherSideIsEmpty) {
  for (int agent = 0; agent < 50; ++agent) {
    std::vector<Policy> policies = {MakePolicy(agent, 300)};
    AssignSplits({}, policies);
    EXPECT_EQ(policies[0].split, Split::kTrain);
    policies.push_back(MakePolicy(agent, 305));
    AssignSplits({}, policies);
    EXPECT_NE(policies[0].split, policies[1].split);
  }
}

// Mean returns 0 to 9, with median 4.5.
std::vector<Policy> TenInARow() {
  std::vector<Policy> policies;
  for (int i = 0; i < 10; ++i) {
    policies.push_back(MakePolicy(i, 300));
    policies.back().mean_return = {static_cast<double>(i), 7};
  }
  return policies;
}

TEST(Splits, AHoleIsAroundTheMiddle) {
  const SplitConfig none = {.held_out_checkpoints = 0};
  SplitConfig config = none;
  std::vector<Policy> policies = TenInARow();
  AssignSplits(none, policies);
  EXPECT_THAT(AgentsIn(Split::kHole, policies), ElementsAre());
  config.hole = 0.2;
  AssignSplits(config, policies);
  EXPECT_THAT(AgentsIn(Split::kHole, policies), ElementsAre(4, 5));
  EXPECT_THAT(AgentsIn(Split::kTrain, policies), ElementsAre(0, 1, 2, 3, 6, 7, 8, 9));
  config.hole = 0.3;
  AssignSplits(config, policies);
  EXPECT_THAT(AgentsIn(Split::kHole, policies), ElementsAre(3, 4, 5, 6)) << "3 as much as 6";
  // A policy that is left out does not count: the median of 1 to 9 is 5, and the hole holds one
  // policy.
  policies[0].verdict = Verdict::kFalls;
  config.hole = 0.1;
  AssignSplits(config, policies);
  EXPECT_THAT(AgentsIn(Split::kHole, policies), ElementsAre(5));
}

// The box is measured in standard deviations. The second objective's is ten times the first's, so 1
// in the first is as far as 10 in the second. Of the five policies inside, one is already held out.
TEST(Splits, AHoleIsABoxInUnitsOfTheSpreads) {
  std::vector<Policy> policies;
  for (const auto& [x, y] : std::vector<std::pair<double, double>>{
           {0, 0}, {1, 0}, {-1, 0}, {0, 10}, {0, -10}, {3, 30}, {3, -30}, {-3, 30}, {-3, -30}}) {
    policies.push_back(MakePolicy(static_cast<int>(policies.size()), 300));
    policies.back().mean_return = {x, y};
  }
  // The weights' mean is nearest to policy 0's weights.
  for (Policy& policy : policies) policy.weights = {policy.mean_return[0], policy.mean_return[1]};
  const SplitConfig config = {.held_out_checkpoints = 0, .hole = 0.5};
  AssignSplits(config, policies);
  EXPECT_THAT(AgentsIn(Split::kHeldOutWeight, policies), ElementsAre(0));
  EXPECT_THAT(AgentsIn(Split::kHole, policies), ElementsAre(1, 2, 3, 4));
}

TEST(Splits, AHoleThatCannotBeIsAnError) {
  std::vector<Policy> policies = TenInARow();
  policies.resize(2);  // both equally far from the median, so no training policy would be left
  const auto error =
      test::ErrorOf([&] { AssignSplits({.held_out_checkpoints = 0, .hole = 0.5}, policies); });
  EXPECT_THAT(error, HasSubstr("of 2 training policies, 2 lie in the box"));
}

// The hole does not change which policies are held out.
TEST(Splits, AHoleIsTakenFromTheTrainingPolicies) {
  std::vector<Policy> policies = TenInARow();
  AssignSplits({}, policies);
  const std::vector<int> held_out = AgentsIn(Split::kHeldOutCheckpoint, policies);
  AssignSplits({.hole = 0.4}, policies);
  EXPECT_EQ(AgentsIn(Split::kHeldOutCheckpoint, policies), held_out);
  for (const int agent : AgentsIn(Split::kHole, policies)) {
    EXPECT_GE(agent, 3);
    EXPECT_LE(agent, 6);
  }
}

TEST(Splits, AboutATenthOfTheCheckpointsWhateverTheirOrder) {
  std::vector<Policy> policies;
  for (int agent = 0; agent < 8; ++agent) {
    for (int iteration = 35; iteration <= 300; iteration += 5) {
      policies.push_back(MakePolicy(agent, iteration, {1 - agent / 9.0, agent / 9.0}));
    }
  }
  policies[0].verdict = Verdict::kFalls;
  AssignSplits({}, policies);
  std::map<std::pair<int, int>, Split> splits;
  int held_out = 0;
  for (const Policy& policy : policies) {
    splits[{policy.agent, policy.iteration}] = policy.split;
    held_out += policy.split == Split::kHeldOutCheckpoint ? 1 : 0;
  }
  // 377 remain without the 54 of the held-out weight and the one left out: 38 +- 3 * 6.
  EXPECT_GT(held_out, 20);
  EXPECT_LT(held_out, 56);
  EXPECT_EQ(policies[0].split, Split::kTrain);

  std::reverse(policies.begin(), policies.end());
  std::rotate(policies.begin(), policies.begin() + 100, policies.end());
  AssignSplits({}, policies);
  for (const Policy& policy : policies) {
    EXPECT_EQ(policy.split, splits.at({policy.agent, policy.iteration}));
  }
}

}  // namespace
}  // namespace rhumb::data
