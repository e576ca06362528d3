// Blow-ups are flagged and end the episode, and all outputs stay finite.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rhumb/core/math/random.h"
#include "rhumb/sim/batch.h"
#include "rhumb/sim/catalogue.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::sim {
namespace {

// The number of a simulation's episode, which ends its saved state.
double EpisodeNumber(const Batch& batch, int simulation) {
  std::vector<double> state(batch.state_size());
  batch.SaveState(simulation, state);
  return state.back();
}

constexpr int kBlowUpsPerEnvironment = 40;  // x 5 robots = 200

bool AllFinite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

void ExpectFiniteOutput(const Batch& batch) {
  EXPECT_TRUE(AllFinite(batch.observations()));
  EXPECT_TRUE(AllFinite(batch.final_observations()));
  EXPECT_TRUE(AllFinite(batch.rewards()));
}

class BlowUp : public ::testing::TestWithParam<const char*> {};

TEST_P(BlowUp, HugeVelocitiesAndControlsAreFlagged) {
  const Environment environment(FindBundle(GetParam()));
  const mjModel* model = environment.model();
  Batch batch(environment, {.count = 2, .threads = 2});
  batch.Reset();
  const std::vector<double> qpos(model->qpos0, model->qpos0 + model->nq);
  std::vector<double> qvel(static_cast<std::size_t>(model->nv));
  std::vector<double> controls(static_cast<std::size_t>(2 * model->nu), 0.0);
  int flagged = 0;
  for (int i = 0; i < kBlowUpsPerEnvironment; ++i) {
    core::Stream draw(17, core::Purpose::kReset, 0, static_cast<std::uint32_t>(i));
    // Even: speeds from 1e5 up to overflow. Odd: a control far beyond any motor.
    std::fill(controls.begin(), controls.end(), 0.0);
    std::fill(qvel.begin(), qvel.end(), 0.0);
    if (i % 2 == 0) {
      for (double& v : qvel) v = draw.Uniform(-1, 1) * std::pow(10, 5 + 14 * i);
      for (double& v : qvel) v = std::clamp(v, -1e300, 1e300);
    } else {
      const double huge[] = {1e11, -1e200, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};
      controls[0] = huge[(i / 2) % 4];
    }
    batch.Start(0, qpos, qvel);
    const double episode = EpisodeNumber(batch, 0);
    const double neighbour = EpisodeNumber(batch, 1);
    batch.StepControls(controls);
    EXPECT_TRUE(batch.outcomes()[0].diverged) << "blow-up " << i;
    EXPECT_TRUE(batch.outcomes()[0].terminated);
    EXPECT_EQ(EpisodeNumber(batch, 0), episode + 1) << "the next episode has not started";
    EXPECT_EQ(EpisodeNumber(batch, 1), neighbour + batch.outcomes()[1].ended());
    EXPECT_FALSE(batch.outcomes()[1].diverged) << "the other simulation was hit";
    ExpectFiniteOutput(batch);
    flagged += batch.outcomes()[0].diverged;
    // The next episode is normal.
    std::fill(controls.begin(), controls.end(), 0.0);
    batch.StepControls(controls);
    EXPECT_FALSE(batch.outcomes()[0].diverged);
    ExpectFiniteOutput(batch);
  }
  EXPECT_EQ(flagged, kBlowUpsPerEnvironment);
}

INSTANTIATE_TEST_SUITE_P(Robots, BlowUp,
                         ::testing::Values("mo-halfcheetah-v5", "mo-hopper-v5", "mo-walker2d-v5",
                                           "mo-ant-v5", "mo-humanoid-v5"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A motor without limits makes the physics diverge.
TEST(Divergence, HugeControlOfAnUnlimitedMotor) {
  const test::ScratchFolder folder;
  folder.Write("m.xml",
               R"(<mujoco><worldbody><body><joint name="j"/><geom size="0.1" pos="1 0 0"/></body>
            </worldbody><actuator><motor joint="j" gear="1e6"/></actuator></mujoco>)");
  const std::filesystem::path spec = folder.Write("m.toml", R"toml(
id = "m"
model = "m.xml"
frame_skip = 5
action_range = [-1, 1]
observation = [ { field = "qvel" } ]
quantities = [ { name = "turn", element_of = "qvel" } ]
[rewards]
default = "only"
[[rewards.only]]
name = "fast"
expression = "turn"
[[rewards.broken]]
name = "fine"
expression = "turn"
[[rewards.broken]]
name = "root"
expression = "sqrt(-1 - turn * turn)"
)toml");
  {
    const Environment environment(ReadBundle(spec));
    Batch batch(environment, {});
    batch.Reset();
    batch.StepControls(std::vector<double>{1e9});
    EXPECT_TRUE(batch.outcomes()[0].diverged);
    ExpectFiniteOutput(batch);
  }
  // A non-finite objective is distinguished from diverged physics.
  {
    const Environment environment(ReadBundle(spec, "broken"));
    Batch batch(environment, {});
    batch.Reset();
    batch.StepControls(std::vector<double>{0});
    EXPECT_TRUE(batch.outcomes()[0].diverged);
    EXPECT_EQ(batch.outcomes()[0].non_finite_objective, 1);
    ExpectFiniteOutput(batch);
  }
}

}  // namespace
}  // namespace rhumb::sim
