#include "rhumb/sim/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rhumb/core/math/random.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::sim {
namespace {

// The number of a simulation's episode, which ends its saved state.
double EpisodeOf(const Batch& batch, int simulation) {
  std::vector<double> state(batch.state_size());
  batch.SaveState(simulation, state);
  return state.back();
}

std::vector<double> RandomActions(const Batch& batch, std::uint64_t seed, int step) {
  core::Stream noise(seed, core::Purpose::kAction, 0, 0, static_cast<std::uint32_t>(step));
  std::vector<double> actions(
      static_cast<std::size_t>(batch.count() * batch.environment().action_size()));
  for (double& action : actions) action = noise.Uniform(-1, 1);
  return actions;
}

void Append(std::vector<double>& log, std::span<const double> values) {
  log.insert(log.end(), values.begin(), values.end());
}

// All outputs of the next `steps` steps.
std::vector<double> Record(Batch& batch, int first_step, int steps) {
  std::vector<double> log;
  for (int step = first_step; step < first_step + steps; ++step) {
    batch.Step(RandomActions(batch, 3, step));
    Append(log, batch.observations());
    Append(log, batch.rewards());
    for (const StepOutcome& outcome : batch.outcomes()) {
      log.push_back(outcome.terminated + 2 * outcome.truncated + 4 * outcome.diverged);
    }
  }
  return log;
}

class EachEnvironment : public ::testing::TestWithParam<const char*> {};

TEST_P(EachEnvironment, ThreadsDoNotChangeABit) {
  const Environment environment(FindBundle(GetParam()));
  std::vector<double> expected;
  for (const int threads : {1, 2, 5}) {
    Batch batch(environment, {.count = 7, .threads = threads, .seed = 11});
    batch.Reset();
    const std::vector<double> log = Record(batch, 0, 60);
    if (threads == 1) expected = log;
    EXPECT_EQ(log, expected) << threads << " threads";
  }
}

TEST_P(EachEnvironment, RestoredRunContinuesToTheBit) {
  const Environment environment(FindBundle(GetParam()));
  const BatchOptions options{.count = 3, .seed = 5};
  Batch first(environment, options);
  first.Reset();
  Record(first, 0, 37);
  std::vector<std::vector<double>> states;
  for (int i = 0; i < first.count(); ++i) {
    states.emplace_back(first.state_size());
    first.SaveState(i, states.back());
  }
  const std::vector<double> at_save(first.observations().begin(), first.observations().end());
  const std::vector<double> expected = Record(first, 37, 50);

  // A batch with a different past.
  Batch second(environment, options);
  second.Reset();
  Record(second, 100, 20);
  for (int i = 0; i < second.count(); ++i) {
    second.RestoreState(i, states[static_cast<std::size_t>(i)]);
  }
  EXPECT_TRUE(std::equal(at_save.begin(), at_save.end(), second.observations().begin()));
  EXPECT_EQ(Record(second, 37, 50), expected);
}

TEST_P(EachEnvironment, SeedsAndUnitsDiffer) {
  const Environment environment(FindBundle(GetParam()));
  const auto start = [&](std::uint64_t seed, std::uint32_t unit) {
    Batch batch(environment, {.seed = seed, .first_unit = unit});
    batch.Reset();
    return std::vector<double>(batch.observations().begin(), batch.observations().end());
  };
  EXPECT_EQ(start(1, 0), start(1, 0));
  EXPECT_NE(start(1, 0), start(2, 0));
  EXPECT_NE(start(1, 0), start(1, 1));
  // Simulation i of a batch is unit first_unit + i.
  Batch batch(environment, {.count = 3, .seed = 1});
  batch.Reset();
  const auto second = batch.observation(2);
  EXPECT_EQ(std::vector<double>(second.begin(), second.end()), start(1, 2));
}

INSTANTIATE_TEST_SUITE_P(Bundled, EachEnvironment,
                         ::testing::Values("mo-halfcheetah-v5", "mo-hopper-v5", "mo-hopper-2obj-v5",
                                           "mo-walker2d-v5", "mo-ant-v5", "mo-ant-2obj-v5",
                                           "mo-humanoid-v5", "point-v0", "swimmer-v5", "reacher-v5",
                                           "pusher-v5", "inverted-pendulum-v5",
                                           "inverted-double-pendulum-v5"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Batch, TimeLimitTruncatesAndTheNextEpisodeStarts) {
  const Environment environment(FindBundle("point-v0"));
  Batch batch(environment, {.seed = 4});
  batch.Reset();
  const std::vector<double> push = {1, 0};
  for (int step = 1; step <= 100; ++step) {
    EXPECT_EQ(EpisodeOf(batch, 0), 0);
    batch.Step(push);
    EXPECT_EQ(batch.outcomes()[0].truncated, step == 100) << step;
    EXPECT_FALSE(batch.outcomes()[0].terminated);
  }
  // At the end the mass moves at its terminal speed; the next episode starts within the noise.
  EXPECT_EQ(EpisodeOf(batch, 0), 1);
  EXPECT_GT(batch.final_observations()[0], 0.9);
  EXPECT_LT(std::abs(batch.observations()[0]), 0.1);
  // It starts differently from episode 0.
  Batch fresh(environment, {.seed = 4});
  fresh.Reset();
  EXPECT_NE(batch.observations()[0], fresh.observations()[0]);
}

// The last observation of a fall equals that of a batch without restarts.
TEST(Batch, KeepsTheTrueLastObservation) {
  const Environment environment(FindBundle("mo-hopper-v5"));
  Batch restarting(environment, {.seed = 2});
  Batch going_on(environment, {.seed = 2, .restart = false});
  restarting.Reset();
  going_on.Reset();
  for (int step = 0; step < 300; ++step) {
    const std::vector<double> action = RandomActions(restarting, 9, step);
    restarting.Step(action);
    going_on.Step(action);
    ASSERT_EQ(restarting.outcomes()[0].terminated, going_on.outcomes()[0].terminated);
    EXPECT_EQ(restarting.rewards()[0], going_on.rewards()[0]);
    if (!restarting.outcomes()[0].ended()) continue;
    EXPECT_TRUE(std::equal(going_on.observations().begin(), going_on.observations().end(),
                           restarting.final_observations().begin()));
    EXPECT_FALSE(std::equal(going_on.observations().begin(), going_on.observations().end(),
                            restarting.observations().begin()));
    return;
  }
  FAIL() << "the hopper never fell";
}

// Noise with Reset's key gives the same start, and the state can be read.
TEST(Batch, StartsFromNoise) {
  const Environment environment(FindBundle("mo-hopper-v5"));
  Batch reset(environment, {.count = 2, .seed = 6});
  reset.Reset();
  Batch started(environment, {.count = 2});
  started.Start(0, core::Stream(6, core::Purpose::kReset, 1, 0));
  EXPECT_TRUE(std::ranges::equal(started.observation(0), reset.observation(1)));
  ASSERT_EQ(started.qpos(0).size(), 6u);
  ASSERT_EQ(started.qvel(0).size(), 6u);
  // Hopper observes {qpos without x, qvel}.
  EXPECT_TRUE(std::ranges::equal(started.qpos(0).subspan(1), started.observation(0).first(5)));
  EXPECT_TRUE(std::ranges::equal(started.qvel(0), started.observation(0).subspan(5)));
}

TEST(Batch, OnlyActiveSimulationsStep) {
  const Environment environment(FindBundle("point-v0"));
  Batch whole(environment, {.count = 3, .seed = 6});
  Batch part(environment, {.count = 3, .seed = 6});
  whole.Reset();
  part.Reset();
  const std::vector<double> before(part.observation(1).begin(), part.observation(1).end());
  const std::vector<double> push(6, 0.5);
  const std::vector<int> active = {0, 2};
  part.SetActive(active);
  whole.Step(push);
  part.Step(push);
  for (const int i : active) {
    EXPECT_TRUE(std::ranges::equal(part.observation(i), whole.observation(i)));
  }
  EXPECT_TRUE(std::ranges::equal(part.observation(1), before));
  part.Reset();
  part.Step(push);
  EXPECT_TRUE(std::ranges::equal(part.observation(1), whole.observation(1)));
}

// The last physics step of a control step leaves the state that the next one starts from.
TEST(Batch, KeepsSubsteps) {
  const Environment environment(FindBundle("mo-halfcheetah-v5", ""));
  Batch batch(environment, {.count = 2, .seed = 1, .keep_substeps = true});
  batch.Reset();
  batch.Step(RandomActions(batch, 3, 0));
  const auto width = static_cast<std::size_t>(environment.model()->nq);
  for (const int simulation : {0, 1}) {
    const std::span<const double> substeps = batch.substeps(simulation);
    ASSERT_EQ(substeps.size(), 5 * width);
    EXPECT_TRUE(std::ranges::equal(substeps.last(width), batch.qpos(simulation)));
    EXPECT_FALSE(std::ranges::equal(substeps.first(width), substeps.last(width)));
  }
  Batch plain(environment, {});
  EXPECT_TRUE(plain.substeps(0).empty());
}

TEST(Batch, AppliesForces) {
  const Environment environment(FindBundle("mo-halfcheetah-v5", ""));
  Batch batch(environment, {.count = 2, .restart = false});
  const core::Stream noise(1, core::Purpose::kReset);
  for (const int simulation : {0, 1}) batch.Start(simulation, noise);
  ASSERT_EQ(batch.applied_forces(1).size(), 6u * 8);
  batch.applied_forces(1)[6 + 2] = 500;  // upwards, on the torso
  batch.Step(std::vector<double>(12));
  EXPECT_GT(batch.qvel(1)[1], batch.qvel(0)[1] + 0.5);
  batch.Start(1, noise);
  EXPECT_EQ(std::ranges::count(batch.applied_forces(1), 0.0), 48) << "a start takes them away";
}

}  // namespace
}  // namespace rhumb::sim
