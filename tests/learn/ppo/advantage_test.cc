#include "rhumb/learn/ppo/advantage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rhumb::learn::ppo {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

struct Estimate {
  std::vector<float> advantages, returns;
};

// gamma = lambda = 1/2 throughout, so every number is exact.
struct Episode {
  int steps = 0, environments = 1;
  std::vector<float> rewards = {}, values = {}, next_values = {}, final_values = {};
  std::vector<std::uint8_t> terminated = {}, truncated = {};

  Estimate Run() const {
    const std::vector<std::uint8_t> none(rewards.size(), 0);
    const std::vector<float> zeros(rewards.size(), 0.0f);
    Estimate out{zeros, zeros};
    EstimateAdvantages({.steps = steps,
                        .environments = environments,
                        .discount = 0.5,
                        .lambda = 0.5,
                        .rewards = rewards,
                        .values = values,
                        .next_values = next_values,
                        .final_values = final_values.empty() ? zeros : final_values,
                        .terminated = terminated.empty() ? none : terminated,
                        .truncated = truncated.empty() ? none : truncated},
                       out.advantages, out.returns);
    return out;
  }
};

// The segment ends in mid-episode, and V = 8 of the state after it replaces the rest.
//   delta_1 = 3 + 8/2 - 2 = 5            A_1 = 5
//   delta_0 = 1 + 2/2 - 4 = -2           A_0 = -2 + 5/4 = -0.75
TEST(Advantage, EndOfTheSegmentByHand) {
  const Episode episode{.steps = 2, .rewards = {1, 3}, .values = {4, 2}, .next_values = {8}};
  const Estimate estimate = episode.Run();
  EXPECT_THAT(estimate.advantages, ElementsAre(-0.75f, 5));
  EXPECT_THAT(estimate.returns, ElementsAre(3.25f, 7));
}

// A fall after step 1: the value after it is 0, and step 2 belongs to another episode.
//   delta_2 = 10 + 8/2 - 6 = 8           A_2 = 8
//   delta_1 = 3 + 0 - 2 = 1              A_1 = 1
//   delta_0 = 1 + 2/2 - 4 = -2           A_0 = -2 + 1/4 = -1.75
TEST(Advantage, TerminationByHand) {
  const Episode episode{.steps = 3,
                        .rewards = {1, 3, 10},
                        .values = {4, 2, 6},
                        .next_values = {8},
                        .final_values = {0, 100, 0},  // ignored, because the episode has terminated
                        .terminated = {0, 1, 0}};
  EXPECT_THAT(episode.Run().advantages, ElementsAre(-1.75f, 1, 8));
}

// The time limit after step 1: the bootstrap uses the true last state, with value 12. The next
// state in the array is the next episode's first, with value 6, and must not be used.
//   A_2 = 8;   A_1 = delta_1 = 3 + 12/2 - 2 = 7;   A_0 = -2 + 7/4 = -0.25
TEST(Advantage, TimeOutBootstrapsWithTheTrueLastState) {
  Episode episode{.steps = 3,
                  .rewards = {1, 3, 10},
                  .values = {4, 2, 6},
                  .next_values = {8},
                  .final_values = {0, 12, 0},
                  .truncated = {0, 1, 0}};
  const Estimate estimate = episode.Run();
  EXPECT_THAT(estimate.advantages, ElementsAre(-0.25f, 7, 8));
  EXPECT_THAT(estimate.returns, ElementsAre(3.75f, 9, 14));
  // A fall in the same step as the time limit counts as a fall.
  episode.terminated = {0, 1, 0};
  EXPECT_THAT(episode.Run().advantages, ElementsAre(-1.75f, 1, 8));
}

// A time-out in the segment's last step: next_values belongs to the next episode and is not used.
//   A_0 = 3 + 12/2 - 2 = 7
TEST(Advantage, TimeOutInTheLastStep) {
  const Episode episode{.steps = 1,
                        .rewards = {3},
                        .values = {2},
                        .next_values = {1000},
                        .final_values = {12},
                        .truncated = {1}};
  EXPECT_THAT(episode.Run().advantages, ElementsAre(7));
}

// Two environments, [T, E]: the columns are the first two cases.
TEST(Advantage, EnvironmentsAreSeparate) {
  const Episode episode{.steps = 2,
                        .environments = 2,
                        .rewards = {1, 1, 3, 3},
                        .values = {4, 4, 2, 2},
                        .next_values = {8, 8},
                        .terminated = {0, 0, 0, 1}};
  EXPECT_THAT(episode.Run().advantages, ElementsAre(-0.75f, -1.75f, 5, 1));
}

// gamma = 1/2, one environment. The rewards {2, 2} have the discounted returns G = 2, 3: mean 2.5,
// standard deviation 0.5, so rewards double. After the end G starts at 0, so {2} gives 2. All three
// {2, 3, 2} have standard deviation sqrt(2/9).
TEST(RewardScaler, ByHand) {
  RewardScaler scaler(1, 0.5);
  std::vector<float> rewards = {2, 2};
  scaler.Apply(rewards, std::vector<std::uint8_t>{0, 1});
  EXPECT_THAT(rewards, ElementsAre(FloatEq(4), FloatEq(4)));
  rewards = {2};
  scaler.Apply(rewards, std::vector<std::uint8_t>{0});
  EXPECT_THAT(rewards, ElementsAre(FloatEq(static_cast<float>(2 / std::sqrt(2.0 / 9)))));
  EXPECT_EQ(scaler.discounted()[0], 2);
  // The episode has not ended, so G continues: 2/2 + 2 = 3.
  scaler.Apply(rewards = {2}, std::vector<std::uint8_t>{0});
  EXPECT_EQ(scaler.discounted()[0], 3);
}

// [T, E]: environment 0 gets {1, 1}, environment 1 gets {10, 10} and ends after its first step.
TEST(RewardScaler, EnvironmentsAreSeparate) {
  RewardScaler scaler(2, 0.5);
  std::vector<float> rewards = {1, 10, 1, 10};
  scaler.Apply(rewards, std::vector<std::uint8_t>{0, 1, 0, 0});
  EXPECT_THAT(scaler.discounted(), ElementsAre(1.5, 10));
  EXPECT_DOUBLE_EQ(scaler.returns().mean()[0], (1 + 10 + 1.5 + 10) / 4);
}

TEST(RewardScaler, NoRewardStaysNone) {
  RewardScaler scaler(1, 0.5);
  std::vector<float> rewards = {0, 0};
  scaler.Apply(rewards, std::vector<std::uint8_t>{0, 0});
  EXPECT_THAT(rewards, ElementsAre(0, 0));
}

// {1, 3}: mean 2, standard deviation 1.
TEST(NormaliseAdvantages, ByHand) {
  std::vector<float> advantages = {1, 3};
  NormaliseAdvantages(advantages);
  EXPECT_THAT(advantages, ElementsAre(FloatEq(-1), FloatEq(1)));
  advantages = {5, 5, 5};
  NormaliseAdvantages(advantages);
  EXPECT_THAT(advantages, ElementsAre(0, 0, 0));
}

}  // namespace
}  // namespace rhumb::learn::ppo
