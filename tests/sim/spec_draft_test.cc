#include "rhumb/sim/spec_draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/environment.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A body that slides along `axis` and up, pushed by a leg with a motor.
std::string Walker(const std::string& axis, const std::string& motor = "ctrlrange='-2 2'") {
  return "<mujoco><option timestep='0.004'/><worldbody><body name='hull' pos='0 0 1.5'>"
         "<joint type='slide' axis='" +
         axis +
         "'/><joint type='slide' axis='0 0 1'/><geom size='0.1'/>"
         "<body><joint name='hip' type='hinge' axis='0 1 0'/><geom size='0.1' pos='0 0 -0.3'/>"
         "</body></body></worldbody><actuator><motor joint='hip' " +
         motor + "/></actuator></mujoco>";
}

constexpr const char* kArm =
    "<mujoco><worldbody><body><joint name='shoulder' type='hinge' axis='0 1 0'/>"
    "<geom size='0.1' pos='0 0 0.3'/><body name='hand' pos='0 0 1'><geom size='0.1'/></body>"
    "</body></worldbody><actuator><motor joint='shoulder' ctrllimited='true' ctrlrange='-1 1'/>"
    "</actuator></mujoco>";

std::string Draft(const test::ScratchFolder& folder, const std::string& mjcf) {
  folder.Write("robot.xml", mjcf);
  const core::EnvironmentBundle bundle = DraftSpec(folder.path(), "robot.xml", "robot.toml");
  const Environment environment(bundle);  // it loads as it is
  EXPECT_EQ(environment.objective_count(), 2);
  return bundle.files.at("robot.toml");
}

TEST(SpecDraft, ATravellingRobotRunsAlongItsFreeAxis) {
  const test::ScratchFolder folder;
  const std::string text = Draft(folder, Walker("1 0 0"));
  EXPECT_THAT(text, HasSubstr("id = \"robot\""));
  EXPECT_THAT(text, HasSubstr("frame_skip = 5 "));  // 0.02 s / 0.004 s
  EXPECT_THAT(text, HasSubstr("{ name = \"x\", body = \"hull\", axis = \"x\""));
  EXPECT_THAT(text, HasSubstr("{ field = \"qpos\", skip = 1 }"));
  EXPECT_THAT(text, HasSubstr("name = \"forward\"\nexpression = \"x_velocity\""));
  EXPECT_THAT(text, HasSubstr("range = [0.9, 2.4] },   # it starts at 1.5 m"));
  EXPECT_THAT(text, Not(HasSubstr("action_range")));
  EXPECT_THAT(Draft(folder, Walker("0 1 0")), HasSubstr("expression = \"y_velocity\""));
}

TEST(SpecDraft, ActuatorsWithoutARangeGetOne) {
  const test::ScratchFolder folder;
  EXPECT_THAT(Draft(folder, Walker("1 0 0", "")), HasSubstr("action_range = [-1, 1]"));
}

TEST(SpecDraft, AnArmIsAskedForThePlaceOfItsTip) {
  const test::ScratchFolder folder;
  const std::string text = Draft(folder, kArm);
  EXPECT_THAT(text, HasSubstr("{ name = \"tip_x\", body = \"hand\", axis = \"x\""));
  EXPECT_THAT(text, HasSubstr("expression = \"tip_x\""));
  EXPECT_THAT(text, HasSubstr("{ field = \"qpos\" }"));
  EXPECT_THAT(text, Not(HasSubstr("height")));
}

// The same robot with motors ten times as strong per unit of control moves as it did, for a
// hundredth of the squares.
TEST(SpecDraft, EnergyIsScaledToWhatRandomActionsMove) {
  const test::ScratchFolder folder;
  EXPECT_THAT(Draft(folder, Walker("1 0 0")), HasSubstr("expression = \"-0.05 * sum_sq_action\""));
  EXPECT_THAT(Draft(folder, Walker("1 0 0", "ctrlrange='-0.2 0.2' gear='10'")),
              HasSubstr("expression = \"-5 * sum_sq_action\""));
}

TEST(SpecDraft, AFreeRobotStartsAtItsKeyframe) {
  const test::ScratchFolder folder;
  const std::string text = Draft(
      folder,
      "<mujoco><worldbody><body name='a \"b\"'><freejoint/><geom size='0.1'/><body>"
      "<joint name='arm' type='hinge'/><geom size='0.1' pos='1 0 0'/></body></body></worldbody>"
      "<actuator><motor joint='arm' ctrlrange='-1 1'/></actuator>"
      "<keyframe><key name='home' qpos='0 0 0.5 1 0 0 0 0'/></keyframe></mujoco>");
  EXPECT_THAT(text, HasSubstr("keyframe = \"home\""));
  EXPECT_THAT(text, HasSubstr("{ field = \"qpos\", skip = 2 }"));
  EXPECT_THAT(text, HasSubstr("body = \"a \\\"b\\\"\""));
  EXPECT_THAT(text, HasSubstr("# it starts at 0.5 m"));
}

TEST(SpecDraft, BundledIdsAreLeftAlone) {
  const test::ScratchFolder folder;
  folder.Write("robot.xml", kArm);
  EXPECT_EQ(DraftSpec(folder.path(), "robot.xml", "mo-hopper-v5.toml").id, "mo-hopper-v5-own");
}

TEST(SpecDraft, ARobotThatCannotActIsRefused) {
  const test::ScratchFolder folder;
  folder.Write("robot.xml",
               "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody>"
               "</mujoco>");
  EXPECT_THAT(test::ErrorOf([&] { DraftSpec(folder.path(), "robot.xml", "robot.toml"); }),
              HasSubstr("robot.xml: the model has no actuator"));
}

}  // namespace
}  // namespace rhumb::sim
