#include "rhumb/sim/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/sim/robot_sample.h"
#include "tests/support/error_expectation.h"

namespace rhumb::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kTwoMotors = R"(
<mujoco><worldbody><body name="block"><joint name="slide" type="slide" axis="1 0 0"/>
<geom size="0.1"/><site name="tip"/></body></worldbody>
<actuator><motor joint="slide" ctrlrange="-1 1"/>
<motor name="strong" joint="slide" ctrlrange="-1 3"/></actuator>
<sensor><jointpos name="where" joint="slide"/></sensor></mujoco>
)";

core::EnvironmentBundle BundleOf(const std::string& spec, const std::string& model = kTwoMotors) {
  return {.id = "probe",
          .rewards = "",
          .spec = "probe.toml",
          .files = {{"probe.toml", spec}, {"probe.xml", model}}};
}

class EnvironmentTest : public ::testing::Test {
 protected:
  // The message of the Error from loading this spec; "" if it loads.
  static std::string Complaint(const std::string& spec) {
    return test::ErrorOf([&] { Environment environment(BundleOf(spec)); });
  }
};

TEST_F(EnvironmentTest, UnknownQuantityInObjective) {
  EXPECT_THAT(Complaint(With(kMinimal, "expression = \"x\"", "expression = \"sum_sq_actoin\"")),
              AllOf(HasSubstr("probe.toml:6"), HasSubstr("'far'"), HasSubstr("sum_sq_actoin"),
                    HasSubstr("sum_sq_action")));
}

TEST_F(EnvironmentTest, UnknownNamesInTheModel) {
  const auto complaint = [&](const std::string& source) {
    return Complaint(With(kMinimal, "element_of = \"qpos\"", source));
  };
  EXPECT_THAT(complaint("body = \"blok\", axis = \"x\""), HasSubstr("did you mean 'block'"));
  EXPECT_THAT(complaint("site = \"tpi\", axis = \"x\""), HasSubstr("did you mean 'tip'"));
  EXPECT_THAT(complaint("sensor = \"wher\""), HasSubstr("did you mean 'where'"));
  EXPECT_THAT(complaint("element_of = \"qposs\""), HasSubstr("did you mean 'qpos'"));
  EXPECT_THAT(complaint("element_of = \"qpos\", index = 1"), HasSubstr("has 1 elements"));
  EXPECT_THAT(complaint("sensor = \"where\", index = 1"), HasSubstr("has 1 elements"));
  EXPECT_THAT(complaint("rate_of = \"y\""), HasSubstr("unknown quantity 'y'"));
  EXPECT_THAT(complaint("expression = \"alive\""), HasSubstr("alive"));
  EXPECT_EQ(complaint("site = \"tip\", axis = \"x\""), "");
  EXPECT_EQ(complaint("sensor = \"where\""), "");
}

TEST_F(EnvironmentTest, BuiltInQuantitiesComeFirst) {
  const Environment environment(BundleOf(kMinimal));
  ASSERT_EQ(environment.quantities().size(), static_cast<std::size_t>(kBuiltInCount) + 1);
  EXPECT_EQ(environment.quantities()[kAlive].name, "alive");
  EXPECT_EQ(environment.quantities()[kBuiltInCount].name, "x");
  EXPECT_THAT(Complaint(With(kMinimal, "name = \"x\"", "name = \"time\"")),
              HasSubstr("quantity 'time' has the name of a built-in quantity"));
}

TEST_F(EnvironmentTest, ActionsAreScaledToTheControlRange) {
  const Environment environment(BundleOf(kMinimal));
  EXPECT_THAT(environment.action_centre(), ElementsAre(0, 1));
  EXPECT_THAT(environment.action_half_range(), ElementsAre(1, 2));
  EXPECT_THAT(environment.action_names(), ElementsAre("actuator 0", "strong"));
}

TEST_F(EnvironmentTest, AnActuatorWithoutARangeIsAskedAbout) {
  const std::string model = With(kTwoMotors, " ctrlrange=\"-1 3\"", "");
  EXPECT_THAT(test::ErrorOf([&] { Environment environment(BundleOf(kMinimal, model)); }),
              AllOf(HasSubstr("actuators of 'probe.xml' without a ctrlrange: strong."),
                    HasSubstr("action_range")));
  const Environment environment(BundleOf(std::string("action_range = [0, 5]\n") + kMinimal, model));
  EXPECT_THAT(environment.action_centre(), ElementsAre(0, 2.5));
  EXPECT_THAT(environment.action_half_range(), ElementsAre(1, 2.5));
}

TEST_F(EnvironmentTest, ObservationsAreSlicesOfArrays) {
  const std::string observation =
      "[ { field = \"xpos\", skip = 3, count = 2 }, { field = \"qvel\", clip = [-1, 1] } ]";
  const Environment environment(BundleOf(With(kMinimal, "[ { field = \"qvel\" } ]", observation)));
  ASSERT_EQ(environment.observation_size(), 3);
  const DataPointer data(mj_makeData(environment.model()));
  data->qpos[0] = 0.5;
  data->qvel[0] = 7;
  mj_forward(environment.model(), data.get());
  std::vector<double> observed(3);
  environment.Observe(data.get(), nullptr, observed.data());
  EXPECT_THAT(observed, ElementsAre(0.5, 0, 1));
  EXPECT_THAT(Complaint(With(kMinimal, "\"qvel\"", "\"qvel\", skip = 1")),
              HasSubstr("'qvel' has 1 elements; asked for element 1"));
}

TEST_F(EnvironmentTest, PartsOfAnObservationMayBeUnseen) {
  const std::string observation =
      "[ { field = \"xpos\", skip = 3, count = 2, unseen = true }, { field = \"qvel\" }, "
      "{ quantity = \"x\", unseen = true } ]";
  const Environment environment(BundleOf(With(kMinimal, "[ { field = \"qvel\" } ]", observation)));
  EXPECT_EQ(environment.observation_size(), 4);
  EXPECT_THAT(environment.unseen(), ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(Environment(BundleOf(kMinimal)).unseen(), ElementsAre(0));
}

TEST_F(EnvironmentTest, ObservationsMayBeQuantitiesAndExpressions) {
  const std::string observation =
      "[ { quantity = \"x\" }, { expression = \"2 * x + 1\", clip = [0, 1] } ]";
  const Environment environment(BundleOf(With(kMinimal, "[ { field = \"qvel\" } ]", observation)));
  ASSERT_EQ(environment.observation_size(), 2);
  const std::vector<double> values = {0.5, 2};
  std::vector<double> observed(2);
  environment.Observe(/*data=*/nullptr, values.data(), observed.data());
  EXPECT_THAT(observed, ElementsAre(0.5, 1));
  const auto complaint = [](const std::string& part) {
    return Complaint(With(kMinimal, "{ field = \"qvel\" }", part));
  };
  EXPECT_THAT(complaint("{ quantity = \"y\" }"),
              AllOf(HasSubstr("probe.toml:4: observation"), HasSubstr("unknown name 'y'")));
  EXPECT_THAT(complaint("{ field = \"qvel\", quantity = \"x\" }"),
              HasSubstr("exactly one of 'field', 'quantity' and 'expression'"));
  EXPECT_THAT(complaint("{ field = \"qvel\", cuont = 1 }"), HasSubstr("did you mean 'count'"));
}

TEST_F(EnvironmentTest, ResetsAreChecked) {
  const auto complaint = [](const std::string& reset) {
    const std::string drawn =
        With(kMinimal, "quantities = [ ", "quantities = [ { name = \"goal\", uniform = [0, 2] }, ");
    return Complaint(drawn + "[reset]\n" + reset + "\n");
  };
  EXPECT_EQ(complaint("accept = \"goal > 1\"\nqpos = { joint = \"slide\", set = \"goal\" }"), "");
  EXPECT_EQ(complaint("qpos = [ { set = 1, normal = [0, 2] }, { uniform = 0.1 } ]"), "");
  EXPECT_THAT(complaint("accept = \"goal > 2\""), HasSubstr("holds for 0 of 1000 draws"));
  EXPECT_THAT(complaint("accept = \"goal > x\""), HasSubstr("unknown name 'x'"));
  EXPECT_THAT(complaint("qpos = { set = \"x\" }"), HasSubstr("unknown name 'x'"));
  EXPECT_THAT(complaint("qpos = { joint = \"slyde\", set = 0 }"),
              HasSubstr("did you mean 'slide'"));
  EXPECT_THAT(complaint("qpos = { joint = \"slide\" }"),
              HasSubstr("needs 'set', 'uniform' or 'normal'"));
  EXPECT_THAT(complaint("qpos = { uniform = [1, 0] }"), HasSubstr("a half-width or [low, high]"));
  EXPECT_THAT(complaint("qpos = { normal = -1 }"), HasSubstr("standard deviation"));
  EXPECT_THAT(complaint("qpos = { uniform = 1, normal = 1 }"), HasSubstr("not both"));
  EXPECT_THAT(complaint("mocap_pos = { body = \"block\", set = 0 }"),
              HasSubstr("there is no 'mocap_pos' of body 'block'"));
  EXPECT_THAT(complaint("keyframe = \"home\""), HasSubstr("'home'"));
}

TEST_F(EnvironmentTest, HealthCannotDependOnItself) {
  const std::string health = "health = [ { quantity = \"alive\", range = [0, 1] } ]\n";
  EXPECT_THAT(Complaint(health + kMinimal), HasSubstr("cannot use 'alive'"));
}

TEST_F(EnvironmentTest, ContactForcesAreComputedOnlyIfTheyAreRead) {
  EXPECT_FALSE(Environment(BundleOf(kMinimal)).reads_contact_forces());
  const std::string quantity = "sum_squares_of = \"cfrc_ext\"";
  const Environment environment(BundleOf(With(kMinimal, "element_of = \"qpos\"", quantity)));
  EXPECT_TRUE(environment.reads_contact_forces());
}

TEST_F(EnvironmentTest, ARobotNeedsAnActuator) {
  const std::string still =
      "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>";
  EXPECT_THAT(test::ErrorOf([&] { Environment environment(BundleOf(kMinimal, still)); }),
              HasSubstr("model 'probe.xml' has no actuator"));
}

}  // namespace
}  // namespace rhumb::sim
