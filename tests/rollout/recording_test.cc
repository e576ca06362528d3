#include "rhumb/rollout/recording.h"

#include <gmock/gmock.h>

#include <vector>

#include "rhumb/sim/catalogue.h"
#include "tests/support/error_expectation.h"

namespace rhumb::rollout {
namespace {

using testing::ElementsAre;

// A force of (0.5, 0) costs 0.25.
TEST(Recording, AStepByHand) {
  const sim::Environment environment(sim::FindBundle("point-v0", "two"));
  sim::Batch batch(environment, {.count = 2, .restart = false});
  batch.Reset();
  const std::vector<double> qpos = {1, 2}, qvel = {0.25, 0};
  batch.Start(1, qpos, qvel);
  data::Episode episode;
  episode.rewards = {9};  // of an earlier episode
  BeginRecording(batch, 1, episode);
  EXPECT_TRUE(episode.rewards.empty());
  EXPECT_THAT(episode.qpos, ElementsAre(1, 2));
  EXPECT_THAT(episode.qvel, ElementsAre(0.25, 0));
  EXPECT_THAT(episode.returns, ElementsAre(0, 0));

  const double control = RecordAction(environment, 0, 0.5f, 0.125f, episode);
  RecordAction(environment, 1, 0, 0, episode);
  batch.StepControls(std::vector<double>{0, 0, control, 0});
  const std::vector<double> weights = {0, 2};
  RecordStep(batch, 1, weights, episode);
  EXPECT_EQ(episode.steps(), 1);
  EXPECT_THAT(episode.raw_actions, ElementsAre(0.5f, 0));
  EXPECT_THAT(episode.action_means, ElementsAre(0.125f, 0));
  EXPECT_EQ(episode.returns[1], -0.25);
  EXPECT_THAT(episode.rewards, ElementsAre(-0.5f));
  EXPECT_EQ(episode.qpos.size(), 4u);
  EXPECT_GT(episode.qpos[2], 1);
  EXPECT_FALSE(episode.diverged);

  batch.StepControls(std::vector<double>{0, 0, control, 0});
  RecordStep(batch, 1, {}, episode);
  EXPECT_EQ(episode.returns[1], -0.5);
  EXPECT_EQ(episode.rewards[1], 0);
}

// The humanoid's actions range from -0.4 to 0.4.
TEST(Recording, ActionsAreClippedScaledAndRounded) {
  const sim::Environment environment(sim::FindBundle("mo-humanoid-v5"));
  data::Episode episode;
  EXPECT_EQ(RecordAction(environment, 3, 7.5f, 0, episode), 0.4f);
  EXPECT_EQ(RecordAction(environment, 4, -0.5f, 0, episode), -0.2f);
  EXPECT_THAT(episode.actions, ElementsAre(0.4f, -0.2f));
  EXPECT_THAT(episode.raw_actions, ElementsAre(7.5f, -0.5f));
}

TEST(Recording, AnObjectiveThatIsNotFiniteIsNamed) {
  const sim::Environment environment(sim::FindBundle("point-v0", "two"));
  sim::StepOutcome outcome{};
  outcome.non_finite_objective = -1;
  EXPECT_EQ(test::ErrorOf([&] { CheckObjectives(environment, outcome, "policy", 3); }), "");
  outcome.non_finite_objective = 1;
  EXPECT_THAT(test::ErrorOf([&] { CheckObjectives(environment, outcome, "policy", 3); }),
              testing::AllOf(testing::StartsWith("objective 'energy' of 'point-v0'"),
                             testing::EndsWith("in a step of policy 3")));
}

}  // namespace
}  // namespace rhumb::rollout
