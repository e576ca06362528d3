#include "rhumb/sim/simulation.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace rhumb::sim
