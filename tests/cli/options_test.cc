#include "rhumb/cli/options.h"

#include <gmock/gmock.h>

#include "rhumb/learn/ppo/population_config.h"
#include "rhumb/learn/representation/representation_config.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::cli {
namespace {

// The paper's settings are the program's own. What a spec sets for us must not stay in them.
TEST(SettingsOfRobot, APresetHasOnlyItsOwnSettings) {
  const auto settings = [](const char* robot, const char* preset) {
    return SettingsOfRobot<learn::ppo::PopulationConfig>(sim::FindBundle(robot, ""), preset,
                                                         "population");
  };
  const learn::ppo::PopulationConfig ours = settings("mo-hopper-2obj-v5", "default");
  EXPECT_THAT(ours.list, testing::ElementsAre(0.95, 0.05, 0.65, 0.35, 0.35, 0.65, 0.05, 0.95));
  EXPECT_EQ(ours.children, 3);
  EXPECT_EQ(ours.iterations, 600);
  EXPECT_EQ(ours.ppo.steps, 256);
  EXPECT_TRUE(ours.training);
  const learn::ppo::PopulationConfig paper = settings("mo-hopper-2obj-v5", "paper");
  EXPECT_EQ(paper.count, 10);
  EXPECT_EQ(paper.children, 0);
  EXPECT_EQ(paper.iterations, 200);
  EXPECT_EQ(paper.ppo.steps, 1024);
  EXPECT_FALSE(paper.training);
}

TEST(SettingsOfRobot, AHoppersDecoderPractisesChanges) {
  const auto model = SettingsOfRobot<learn::representation::RepresentationConfig>(
      sim::FindBundle("mo-hopper-v5", ""), "default", "model");
  EXPECT_TRUE(model.dagger.changes);
  EXPECT_EQ(model.dagger.steps, 12000);
  EXPECT_EQ(model.dagger.rounds, 4);
  EXPECT_EQ(model.dagger.episodes, 4) << "the spec does not name it";
}

}  // namespace
}  // namespace rhumb::cli
