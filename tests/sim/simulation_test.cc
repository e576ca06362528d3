#include "rhumb/sim/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rhumb/core/math/random.h"
#include "rhumb/sim/batch.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::sim {
namespace {

double QuantityOf(const Batch& batch, std::string_view name) {
  const auto quantities = batch.environment().quantities();
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    if (quantities[i].name == name) return batch.quantities()[i];
  }
  ADD_FAILURE() << "no quantity " << name;
  return 0;
}

// The point mass has m = 1, damping 1, h = 0.01 and ten substeps. MuJoCo's Euler integrator treats
// damping implicitly: v' = (v + h u) / (1 + h), x' = x + h v'. From rest under u = 1, the speed
// after k substeps is 1 - r^k with r = 1 / 1.01.
TEST(Simulation, PointMassByHand) {
  const Environment environment(FindBundle("point-v0"));
  Batch batch(environment, {});
  const double zero[2] = {0, 0};
  batch.Start(0, zero, zero);
  const double action[2] = {1, -0.5};
  batch.Step(action);
  double mean_speed = 0;
  for (int k = 1; k <= 10; ++k) mean_speed += (1 - std::pow(1 / 1.01, k)) / 10;
  EXPECT_NEAR(batch.observations()[0], 1 - std::pow(1 / 1.01, 10), 1e-15);
  EXPECT_NEAR(batch.rewards()[0], mean_speed, 1e-14);
  EXPECT_NEAR(batch.rewards()[1], -0.5 * mean_speed, 1e-14);
  EXPECT_DOUBLE_EQ(batch.rewards()[2], -1.25);
}

TEST(Simulation, BuiltInQuantities) {
  const Environment environment(FindBundle("point-v0"));
  Batch batch(environment, {});
  const double zero[2] = {0, 0};
  batch.Start(0, zero, zero);
  batch.Step(std::vector<double>{0.5, -0.25});
  EXPECT_DOUBLE_EQ(QuantityOf(batch, "sum_sq_action"), 0.3125);
  EXPECT_DOUBLE_EQ(QuantityOf(batch, "sum_abs_action"), 0.75);
  EXPECT_DOUBLE_EQ(QuantityOf(batch, "max_abs_action"), 0.5);
  EXPECT_DOUBLE_EQ(QuantityOf(batch, "action_rate"), 0);  // 0 in the first step
  EXPECT_DOUBLE_EQ(QuantityOf(batch, "alive"), 1);
  batch.Step(std::vector<double>{-0.5, -0.25});
  EXPECT_DOUBLE_EQ(QuantityOf(batch, "action_rate"), 1);
  EXPECT_NEAR(QuantityOf(batch, "time"), 0.2, 1e-15);
}

TEST(Simulation, ActionsAreClippedAndScaled) {
  const Environment environment(FindBundle("mo-humanoid-v5"));  // controls within +-0.4
  Batch batch(environment, {});
  batch.Reset();
  std::vector<double> action(17, 0.0);
  action[0] = 7;
  action[1] = -0.5;
  batch.Step(action);
  EXPECT_DOUBLE_EQ(QuantityOf(batch, "max_abs_action"), 0.4);
  EXPECT_NEAR(QuantityOf(batch, "sum_sq_action"), 0.4 * 0.4 + 0.2 * 0.2, 1e-15);
}

// From rest the return is sum_t g_t u_t for any controls (docs/environments.md derives g_t).
TEST(Simulation, PointMassReturnHasItsClosedForm) {
  const Environment environment(FindBundle("point-v0", "two"));
  Batch batch(environment, {});
  const double zero[2] = {0, 0};
  batch.Start(0, zero, zero);
  core::Stream noise(1, core::Purpose::kAction);
  const double r = 1 / 1.01;
  double forward = 0, energy = 0, expected_forward = 0, expected_energy = 0;
  for (int step = 0; step < 100; ++step) {
    const double u = noise.Uniform(-0.5, 1);
    batch.Step(std::vector<double>{u, 0});
    forward += batch.rewards()[0];
    energy += batch.rewards()[1];
    for (int j = 0; j < 10; ++j) {
      expected_forward += u * (1 - std::pow(r, 10 * (100 - step) - j)) / 10;
    }
    expected_energy -= u * u;
    EXPECT_EQ(batch.outcomes()[0].truncated, step == 99);
  }
  EXPECT_NEAR(forward, expected_forward, 1e-11);  // a sum of 100 rounded terms of size 1
  EXPECT_NEAR(energy, expected_energy, 1e-11);
}

// A slide and a mocap body that shows the goal, with a keyframe.
core::EnvironmentBundle GoalBundle(const std::string& reset) {
  const std::string model = R"(
<mujoco><worldbody>
<body name="block"><joint name="slide" type="slide" axis="1 0 0"/><geom size="0.1"/></body>
<body name="marker" mocap="true"><geom size="0.1"/></body></worldbody>
<actuator><motor joint="slide" ctrlrange="-1 1"/></actuator>
<keyframe><key name="away" qpos="5"/></keyframe></mujoco>)";
  const std::string spec = R"(
id = "probe"
model = "probe.xml"
quantities = [
  { name = "goal", uniform = [1, 3] },
  { name = "command", normal = [10, 1] },
  { name = "marker_x", body = "marker", axis = "x" },
]
observation = [
  { field = "qpos" }, { quantity = "goal" }, { quantity = "command" }, { quantity = "marker_x" },
]
[[rewards.only]]
name = "near"
expression = "goal"
[reset]
)" + reset;
  return {.id = "probe",
          .rewards = "",
          .spec = "probe.toml",
          .files = {{"probe.toml", spec}, {"probe.xml", model}}};
}

TEST(Simulation, GoalsAreDrawnAcceptedAndShown) {
  const Environment environment(GoalBundle(R"(
accept = "goal < 2"
keyframe = "away"
qpos = [ { uniform = [0.5, 0.6] } ]
mocap_pos = { body = "marker", count = 1, set = "-goal" }
)"));
  Batch batch(environment, {.count = 200, .seed = 3});
  batch.Reset();
  double least = 3, most = 0, commands = 0;
  for (int i = 0; i < batch.count(); ++i) {
    const std::span<const double> seen = batch.observation(i);
    EXPECT_GE(seen[0], 5.5);
    EXPECT_LT(seen[0], 5.6);
    EXPECT_EQ(seen[3], -seen[1]);
    least = std::min(least, seen[1]);
    most = std::max(most, seen[1]);
    commands += seen[2] / batch.count();
  }
  EXPECT_GE(least, 1);
  EXPECT_LT(least, 1.05);
  EXPECT_GT(most, 1.95);
  EXPECT_LT(most, 2);
  EXPECT_NEAR(commands, 10, 0.3);  // 4 standard errors

  // The goal stays, and the objective sees it.
  const std::vector<double> before(batch.observation(0).begin(), batch.observation(0).end());
  batch.Step(std::vector<double>(200, 0.5));
  EXPECT_EQ(batch.observation(0)[1], before[1]);
  EXPECT_EQ(batch.rewards()[0], before[1]);
  EXPECT_NE(batch.observation(0)[0], before[0]);
}

TEST(Simulation, AGivenStateHasTheMeansOfTheDrawnQuantities) {
  const Environment environment(GoalBundle("qpos = { set = \"2 * goal\" }"));
  Batch batch(environment, {});
  batch.Reset();
  EXPECT_EQ(batch.observation(0)[0], 2 * batch.observation(0)[1]);
  batch.Start(0, std::vector<double>{0.5}, std::vector<double>{0});
  EXPECT_THAT(batch.observation(0), ::testing::ElementsAre(0.5, 2, 10, 0));
}

// The position of a body lags one substep behind qpos; mj_forward brings it up to date.
TEST(Simulation, ForwardAfterStepBringsPositionsUpToDate) {
  for (const bool forward : {false, true}) {
    core::EnvironmentBundle bundle = GoalBundle("qvel = { set = 1 }");
    std::string& text = bundle.files["probe.toml"];
    const std::string body = "body = \"marker\"";
    text.replace(text.find(body), body.size(), "body = \"block\"");
    if (forward) text = "forward_after_step = true\n" + text;
    const Environment environment(bundle);
    Batch batch(environment, {});
    batch.Reset();
    batch.Step(std::vector<double>{0});
    EXPECT_EQ(batch.observation(0)[3] == batch.observation(0)[0], forward);
  }
}

TEST(Simulation, ARestoredEpisodeKeepsItsGoal) {
  const Environment environment(GoalBundle("mocap_pos = { body = \"marker\", set = \"goal\" }"));
  Batch first(environment, {.seed = 1});
  Batch second(environment, {.seed = 2});
  first.Reset();
  second.Reset();
  std::vector<double> state(first.state_size());
  first.SaveState(0, state);
  second.RestoreState(0, state);
  first.Step(std::vector<double>{1});
  second.Step(std::vector<double>{1});
  EXPECT_TRUE(std::ranges::equal(first.observation(0), second.observation(0)));
}

}  // namespace
}  // namespace rhumb::sim
