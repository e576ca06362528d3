#include "rhumb/sim/randomisation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "rhumb/sim/batch.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"

namespace rhumb::sim {
namespace {

using ::testing::HasSubstr;

// A mass of 2 kg on a slide, without gravity: u newtons give u / 2 m/s^2. Nothing is drawn at the
// start but what the test asks for.
constexpr const char* kSled = R"(
<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody>
<geom name="floor" type="plane" size="1 1 1" pos="0 0 -5" friction="0.5"/>
<body name="sled"><joint name="slide" type="slide" axis="1 0 0"/>
<geom name="runner" size="0.1" mass="2"/></body></worldbody>
<actuator><motor name="push" joint="slide" ctrlrange="-1 1"/></actuator></mujoco>
)";

core::EnvironmentBundle SledBundle(const std::string& randomise) {
  const std::string spec = R"(
id = "sled"
model = "sled.xml"
frame_skip = 4
time_limit = 50
observation = [ { field = "qpos" }, { field = "qvel" } ]
[[rewards.only]]
name = "time"
expression = "time"
[randomise]
)" + randomise;
  return {.id = "sled",
          .rewards = "",
          .spec = "sled.toml",
          .files = {{"sled.toml", spec}, {"sled.xml", kSled}}};
}

// Speeds of `count` simulations after `steps` steps under a full push.
std::vector<double> Speeds(const std::string& randomise, int count, int steps = 1,
                           bool in_training = false) {
  const Environment environment(SledBundle(randomise), in_training);
  Batch batch(environment, {.count = count, .seed = 1});
  batch.Reset();
  for (int step = 0; step < steps; ++step) {
    batch.Step(std::vector<double>(static_cast<std::size_t>(count), 1.0));
  }
  std::vector<double> speeds;
  for (int i = 0; i < count; ++i) speeds.push_back(batch.observation(i)[1]);
  return speeds;
}

// 4 substeps of 0.01 s at 0.5 m/s^2.
constexpr double kSpeed = 0.02;

TEST(Randomisation, MassesDifferBetweenEpisodes) {
  const std::vector<double> speeds = Speeds("mass = { uniform = [0.5, 2] }", 200);
  const auto [least, most] = std::ranges::minmax(speeds);
  EXPECT_GT(least, kSpeed / 2);
  EXPECT_LT(least, kSpeed / 1.95);
  EXPECT_GT(most, kSpeed / 0.55);
  EXPECT_LT(most, kSpeed / 0.5);
  for (const double speed : Speeds("mass = { body = \"sled\", uniform = [0.5, 0.5] }", 3)) {
    EXPECT_NEAR(speed, kSpeed / 0.5, 1e-12);
  }
}

TEST(Randomisation, GainsScaleTheForce) {
  for (const double speed : Speeds("gain = { actuator = \"push\", uniform = [3, 3] }", 3)) {
    EXPECT_NEAR(speed, 3 * kSpeed, 1e-12);
  }
}

// With a delay of 0.015 s, rounded up to 2 substeps, two of four substeps push.
TEST(Randomisation, ControlsArriveLate) {
  for (const double speed : Speeds("delay = { uniform = [0.015, 0.015] }", 3)) {
    EXPECT_NEAR(speed, kSpeed / 2, 1e-12);
  }
  for (const double speed : Speeds("delay = { uniform = [0.06, 0.06] }", 3, /*steps=*/3)) {
    EXPECT_NEAR(speed, 3 * kSpeed - 1.5 * kSpeed, 1e-12);
  }
}

// A push of 20 N for 0.04 s adds 0.4 m/s, once in 0.4 s.
TEST(Randomisation, PushesComeOnceInAPeriod) {
  const std::string push =
      "push = { body = \"sled\", every = 0.4, duration = 0.04, uniform = [20, 20] }";
  for (const double speed : Speeds(push, 20, /*steps=*/40)) {
    EXPECT_NEAR((speed - 40 * kSpeed) / 0.4, 4, 1e-9);  // 1.6 s
  }
}

TEST(Randomisation, OnlyInTraining) {
  const std::string randomise = R"(observation = { normal = 0.5 }
[training.randomise]
gain = { uniform = [3, 3] }
delay = { uniform = [0.04, 0.04] }
[training.reset]
qvel = { set = 5 }
)";
  const Environment usual(SledBundle(randomise));
  EXPECT_FALSE(usual.randomisation().changes_model());
  EXPECT_TRUE(usual.randomisation().active());
  Batch batch(usual, {.seed = 1});
  batch.Reset();
  EXPECT_LT(batch.qvel(0)[0], 1);
  for (const double speed : Speeds(randomise, 3, /*steps=*/2, /*in_training=*/true)) {
    EXPECT_NEAR(speed, 5 + 3 * kSpeed, 1e-12) << "of two pushes the second has not arrived";
  }
}

TEST(Randomisation, AShareOfTheEpisodesInTrainingStartsOtherwise) {
  constexpr int kEpisodes = 200;
  const auto fast = [&](const std::string& share, bool in_training) {
    const Environment environment(SledBundle("[training.reset]\nqvel = { set = 5 }\n" + share),
                                  in_training);
    Batch batch(environment, {.count = kEpisodes, .seed = 1});
    batch.Reset();
    int count = 0;
    for (int i = 0; i < kEpisodes; ++i) count += batch.qvel(i)[0] == 5;
    return count;
  };
  EXPECT_EQ(fast("share = 0.25", false), 0);
  EXPECT_EQ(fast("", true), kEpisodes);
  EXPECT_NEAR(fast("share = 0.25", true), 0.25 * kEpisodes, 20);
}

TEST(Randomisation, EpisodesInTrainingMayBeShorter) {
  const core::EnvironmentBundle bundle = SledBundle("[training]\ntime_limit = 3\n");
  EXPECT_EQ(Environment(bundle).time_limit(), 50);
  const Environment environment(bundle, /*in_training=*/true);
  Batch batch(environment, {.seed = 1});
  batch.Reset();
  for (const bool truncated : {false, false, true}) {
    batch.Step(std::vector{0.0});
    EXPECT_EQ(batch.outcomes()[0].truncated, truncated);
  }
}

TEST(Randomisation, FactorsReachTheModel) {
  const Environment environment(
      SledBundle("friction = [ { geom = \"floor\", uniform = [2, 2] }, { uniform = [3, 3] } ]\n"
                 "mass = { uniform = [2, 2] }"));
  const mjModel* nominal = environment.model();
  const ModelPointer own(mj_copyModel(nullptr, nominal));
  const DataPointer scratch(mj_makeData(own.get()));
  environment.randomisation().ChangeModel(nominal, /*seed=*/7, own.get(), scratch.get());
  EXPECT_DOUBLE_EQ(own->geom_friction[0], 6 * 0.5);
  EXPECT_DOUBLE_EQ(own->geom_friction[1], nominal->geom_friction[1]);
  EXPECT_DOUBLE_EQ(own->geom_friction[3], 3 * nominal->geom_friction[3]);
  EXPECT_DOUBLE_EQ(own->body_mass[1], 4);
  EXPECT_DOUBLE_EQ(own->body_subtreemass[0], 4);
  EXPECT_DOUBLE_EQ(own->body_inertia[3], 2 * nominal->body_inertia[3]);
  EXPECT_DOUBLE_EQ(own->dof_invweight0[0], nominal->dof_invweight0[0] / 2);
  // Without a seed the model is as it was.
  environment.randomisation().ChangeModel(nominal, kNotRandomised, own.get(), scratch.get());
  EXPECT_EQ(own->geom_friction[0], nominal->geom_friction[0]);
  EXPECT_EQ(own->body_mass[1], 2);
  EXPECT_EQ(own->dof_invweight0[0], nominal->dof_invweight0[0]);
}

TEST(Randomisation, ObservationNoise) {
  const Environment environment(SledBundle("observation = [ { field = \"qpos\", normal = 0.5 } ]"));
  Batch batch(environment, {.count = 400, .seed = 2});
  batch.Reset();
  double squares = 0;
  for (int i = 0; i < 400; ++i) {
    squares += batch.observation(i)[0] * batch.observation(i)[0] / 400;
    EXPECT_EQ(batch.observation(i)[1], 0);
    EXPECT_EQ(batch.qpos(i)[0], 0);
  }
  EXPECT_NEAR(std::sqrt(squares), 0.5, 0.07);  // 4 standard errors
  const double first = batch.observation(0)[0];
  batch.Step(std::vector<double>(400, 0.0));
  EXPECT_NE(batch.observation(0)[0], first);
}

constexpr const char* kEverything = R"(
mass = { uniform = [0.8, 1.2] }
friction = { uniform = [0.7, 1.3] }
gain = { uniform = [0.9, 1.1] }
delay = { uniform = [0, 0.1] }
observation = { normal = 0.01 }
push = { body = "sled", every = 0.5, normal = 5 }
)";

std::vector<double> RecordSled(Batch& batch, int steps) {
  std::vector<double> log;
  for (int step = 0; step < steps; ++step) {
    batch.Step(std::vector<double>(static_cast<std::size_t>(batch.count()), std::sin(step)));
    log.insert(log.end(), batch.observations().begin(), batch.observations().end());
  }
  return log;
}

TEST(Randomisation, ThreadsAndRestoringDoNotChangeABit) {
  const Environment environment(SledBundle(kEverything));
  Batch first(environment, {.count = 5, .seed = 1});
  Batch second(environment, {.count = 5, .threads = 3, .seed = 1});
  first.Reset();
  second.Reset();
  EXPECT_EQ(RecordSled(first, 70), RecordSled(second, 70));  // a restart after 50

  Batch other(environment, {.count = 5, .seed = 9});
  other.Reset();
  std::vector<double> state(first.state_size());
  for (int i = 0; i < 5; ++i) {
    first.SaveState(i, state);
    other.RestoreState(i, state);
  }
  // After 80 steps in all the next episode starts, which has another seed in this batch.
  EXPECT_EQ(RecordSled(first, 29), RecordSled(other, 29));
}

TEST(Randomisation, AGivenStateIsNotRandomised) {
  const Environment random(SledBundle(kEverything)), plain(SledBundle(""));
  EXPECT_TRUE(random.randomisation().active());
  EXPECT_FALSE(plain.randomisation().active());
  Batch first(random, {}), second(plain, {});
  first.Reset();
  RecordSled(first, 3);
  first.Start(0, std::vector<double>{0.1}, std::vector<double>{0.2});
  second.Start(0, std::vector<double>{0.1}, std::vector<double>{0.2});
  EXPECT_EQ(RecordSled(first, 20), RecordSled(second, 20));
}

TEST(Randomisation, AllocatesNothing) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer has the allocator";
  const Environment environment(SledBundle(kEverything));
  Batch batch(environment, {.count = 2});
  batch.Reset();
  const std::vector<double> actions = {0.5, -0.5};
  for (int i = 0; i < 60; ++i) batch.Step(actions);
  const test::AllocationCount count;
  for (int i = 0; i < 120; ++i) batch.Step(actions);  // two restarts
  EXPECT_EQ(count.since_construction(), 0u);
}

TEST(Randomisation, Complaints) {
  const auto complaint = [](const std::string& text) {
    return test::ErrorOf([&] { Environment environment(SledBundle(text)); });
  };
  EXPECT_THAT(complaint("mass = { uniform = [0, 1] }"), HasSubstr("low at least 0.01"));
  EXPECT_THAT(complaint("mass = { normal = [1, 0.1] }"), HasSubstr("uniform = [low, high]"));
  EXPECT_THAT(complaint("mass = { body = \"sledge\", uniform = [1, 2] }"),
              HasSubstr("did you mean 'sled'"));
  EXPECT_THAT(complaint("friction = { geom = \"flor\", uniform = [1, 2] }"),
              HasSubstr("did you mean 'floor'"));
  EXPECT_THAT(complaint("delay = { uniform = 0.1 }"), HasSubstr("low at least 0"));
  EXPECT_THAT(complaint("observation = { field = \"xpos\", normal = 1 }"),
              HasSubstr("'xpos' is not observed"));
  EXPECT_THAT(complaint("push = { every = 1, normal = 1 }"), HasSubstr("'body' is missing"));
  const auto in_training = [](const std::string& text) {
    return test::ErrorOf([&] { Environment environment(SledBundle(text), true); });
  };
  EXPECT_THAT(in_training("[training.reset]\nqpos = { joint = \"slid\", set = 1 }"),
              HasSubstr("did you mean 'slide'"));
  EXPECT_THAT(in_training("[training.reset]\nshare = 0"), HasSubstr("share"));
  EXPECT_THAT(in_training("[training]\ntime_limit = 0"), HasSubstr("time_limit"));
  EXPECT_THAT(in_training("[training]\nframe_skip = 3"), HasSubstr("unknown key 'frame_skip'"));
  EXPECT_THAT(complaint("gravity = { uniform = [1, 2] }"), HasSubstr("unknown key 'gravity'"));
}

}  // namespace
}  // namespace rhumb::sim
