#include "rhumb/rollout/episode_recorder.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "rhumb/core/math/random.h"
#include "rhumb/sim/catalogue.h"
#include "tests/population/sample_population.h"
#include "tests/rollout/numberless_point.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::rollout {
namespace {

using data::Episode;
using test::ErrorOf;
using testing::HasSubstr;

constexpr auto kGoOn = [](int) { return true; };

std::vector<Episode> Record(const sim::Environment& environment, const RecorderOptions& options,
                            const net::GaussianPolicy& policy, int index = 3) {
  const std::vector<double> weights(static_cast<std::size_t>(environment.objective_count()), 0.5);
  return EpisodeRecorder(environment, options).Record({policy, index, weights}, kGoOn);
}

void ExpectEqual(const std::vector<Episode>& a, const std::vector<Episode>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const data::FieldLayout& layout : data::LayoutOf({})) {
      EXPECT_EQ(a[i].*layout.values, b[i].*layout.values) << layout.name << " of episode " << i;
    }
    EXPECT_EQ(a[i].terminations, b[i].terminations);
    EXPECT_EQ(a[i].truncations, b[i].truncations);
    EXPECT_EQ(a[i].returns, b[i].returns);
  }
}

// A push of (0.5, 0) without noise costs 0.25 in each of 100 steps.
TEST(EpisodeRecorder, ConstantPushByHand) {
  const sim::Environment environment(sim::FindBundle("point-v0", "two"));
  const std::vector<Episode> episodes =
      Record(environment, {.seed = 5, .steps = 250}, population::ConstantPolicy(2, {0.5F, 0}, 0));
  ASSERT_EQ(episodes.size(), 3u) << "of 100 steps each, for 250";
  const data::StepShape shape = DescribeRecordings(environment).shape();
  for (const Episode& episode : episodes) {
    data::CheckShape(episode, shape, "here");
    EXPECT_EQ(episode.policy, 3);
    EXPECT_EQ(episode.seed, 5u);
    ASSERT_EQ(episode.steps(), 100);
    EXPECT_NEAR(episode.returns[1], -25, 1e-12);
    EXPECT_EQ(std::accumulate(episode.truncations.begin(), episode.truncations.end(), 0), 1);
    EXPECT_EQ(episode.truncations.back(), 1);
    EXPECT_EQ(std::accumulate(episode.terminations.begin(), episode.terminations.end(), 0), 0);
    for (std::size_t t = 0; t < 100; ++t) {
      EXPECT_EQ(episode.actions[2 * t], 0.5F);
      EXPECT_EQ(episode.actions[2 * t + 1], 0);
      EXPECT_EQ(episode.vector_rewards[2 * t + 1], -0.25F);
      // The scalar reward is rounded once; the vector's elements are rounded before the sum.
      EXPECT_NEAR(episode.rewards[t], 0.5 * (episode.vector_rewards[2 * t] - 0.25), 1e-7);
      // The observation is the velocity, and the reward the mean speed over 0.1 s.
      EXPECT_EQ(episode.observations[2 * t], episode.qvel[2 * t]);
      EXPECT_NEAR(episode.vector_rewards[2 * t],
                  (episode.qpos[2 * t + 2] - episode.qpos[2 * t]) / 0.1, 2e-5);
    }
    EXPECT_LE(std::abs(episode.qpos[0]), 0.1F);
    EXPECT_GT(episode.qpos[200], 3);
  }
  EXPECT_NE(episodes[0].qpos[0], episodes[1].qpos[0]);
}

// a = mean + deviation n, clipped and scaled; n and the start come from streams with the documented
// keys.
TEST(EpisodeRecorder, ARecordingIsItsReplay) {
  const sim::Environment environment(sim::FindBundle("mo-humanoid-v5"));
  const std::vector<float> push(17, 0.1F);
  const std::vector<Episode> episodes =
      Record(environment, {.seed = 8, .steps = 60, .min_episode_steps = 5},
             population::ConstantPolicy(348, push, 0.75F));
  ASSERT_GE(episodes.size(), 2u);
  for (std::uint32_t e = 0; e < 2; ++e) {
    const Episode& episode = episodes[e];
    sim::Batch batch(environment, {.restart = false});
    batch.Start(0, core::Stream(8, core::Purpose::kReset, 3, e));
    std::vector<double> returns(2, 0.0);
    for (std::uint32_t t = 0; t < episode.steps(); ++t) {
      for (std::size_t i = 0; i < 348; ++i) {
        ASSERT_EQ(episode.observations[t * 348 + i], static_cast<float>(batch.observations()[i]));
      }
      ASSERT_EQ(episode.qpos[t * 24 + 2], static_cast<float>(batch.qpos(0)[2]));
      ASSERT_EQ(episode.qvel[t * 23 + 5], static_cast<float>(batch.qvel(0)[5]));
      core::Stream noise(8, core::Purpose::kAction, 3, e, t);
      std::vector<double> controls;
      for (std::size_t a = 0; a < 17; ++a) {
        const float raw = 0.1F + 0.75F * static_cast<float>(noise.Normal());
        EXPECT_EQ(episode.action_means[t * 17 + a], 0.1F);
        EXPECT_EQ(episode.raw_actions[t * 17 + a], raw);
        EXPECT_NEAR(episode.actions[t * 17 + a], 0.4 * std::clamp(double{raw}, -1.0, 1.0), 1e-7);
        controls.push_back(episode.actions[t * 17 + a]);
      }
      batch.StepControls(controls);
      for (std::size_t k = 0; k < 2; ++k) {
        ASSERT_EQ(episode.vector_rewards[t * 2 + k], static_cast<float>(batch.rewards()[k]));
        returns[k] += batch.rewards()[k];
      }
      for (std::size_t q = 0; q < environment.quantities().size(); ++q) {
        ASSERT_EQ(episode.quantities[t * environment.quantities().size() + q],
                  static_cast<float>(batch.quantities()[q]));
      }
      EXPECT_EQ(episode.terminations[t] != 0, batch.outcomes()[0].terminated);
    }
    EXPECT_EQ(episode.returns, returns);
    EXPECT_TRUE(batch.outcomes()[0].ended());
    EXPECT_EQ(episode.action_stds, std::vector<float>(17, 0.75F));
    // The last state, without an action.
    EXPECT_EQ(episode.observations.back(), static_cast<float>(batch.observations().back()));
    EXPECT_EQ(episode.qpos.back(), static_cast<float>(batch.qpos(0).back()));
  }
}

// Hoppers fall after different times, so episodes do not end in the order of their starts.
TEST(EpisodeRecorder, TheBatchChangesNoNumber) {
  const sim::Environment environment(sim::FindBundle("mo-hopper-v5"));
  const net::GaussianPolicy policy = population::ConstantPolicy(11, {0, 0, 0}, 1);
  RecorderOptions options{.seed = 1, .steps = 5000, .min_episode_steps = 15, .batch = 1};
  const std::vector<Episode> one = Record(environment, options, policy);
  std::int64_t recorded = 0, short_episodes = 0;
  for (const Episode& episode : one) {
    if (episode.steps() >= 15) recorded += episode.steps();
    if (episode.steps() < 15) ++short_episodes;
  }
  EXPECT_GE(recorded, 5000);
  EXPECT_LT(recorded - one.back().steps(), 5000) << "no episode more than needed";
  EXPECT_GT(short_episodes, 0);
  for (const int batch : {3, 8}) {
    options.batch = batch;
    ExpectEqual(Record(environment, options, policy), one);
  }
}

// No episode is long enough, so recording stops at 2 * steps.
TEST(EpisodeRecorder, APolicyThatOnlyFallsEndsToo) {
  const sim::Environment environment(sim::FindBundle("mo-hopper-v5"));
  const std::vector<Episode> episodes =
      Record(environment, {.steps = 200, .min_episode_steps = 999},
             population::ConstantPolicy(11, {1, 1, 1}, 0.1F));
  std::int64_t steps = 0;
  for (const Episode& episode : episodes) steps += episode.steps();
  EXPECT_GE(steps, 400);
  EXPECT_LT(steps - episodes.back().steps(), 400);
}

TEST(EpisodeRecorder, StopsWhenTold) {
  const sim::Environment environment(sim::FindBundle("point-v0", "two"));
  const net::GaussianPolicy policy = population::ConstantPolicy(2, {0.5F, 0}, 0);
  const std::vector<double> weights = {1, 0};
  int told = 0;
  EpisodeRecorder recorder(environment, {.steps = 250});
  const auto stop_at_30 = [&](int steps) { return (told += steps) < 30; };
  EXPECT_TRUE(recorder.Record({policy, 0, weights}, stop_at_30).empty());
  EXPECT_EQ(told, 30);
  EXPECT_EQ(recorder.Record({policy, 0, weights}, kGoOn).size(), 3u) << "usable afterwards";
}

TEST(EpisodeRecorder, AnObjectiveThatIsNoNumberIsNamed) {
  const test::ScratchFolder scratch;
  const sim::Environment environment = NumberlessPoint(scratch);
  EXPECT_THAT(
      ErrorOf([&] {
        Record(environment, {.steps = 250}, population::ConstantPolicy(2, {0.5F, 0}, 0));
      }),
      HasSubstr("objective 'energy' of 'point-v0' (\"ln(0.5 - time)\") is not a finite number"));
}

// Ant's contact forces are recorded, but marked.
TEST(DescribeRecordings, NamesWhatIsUnseen) {
  const sim::Environment ant(sim::FindBundle("mo-ant-v5", "upstream"));
  const data::DatasetDescription description = DescribeRecordings(ant);
  EXPECT_EQ(description.observation_size, 105);
  ASSERT_EQ(description.unseen.size(), 78u);
  EXPECT_EQ(description.unseen.front(), 27);
  EXPECT_EQ(description.unseen.back(), 104);
}

}  // namespace
}  // namespace rhumb::rollout
