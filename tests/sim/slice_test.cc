#include "rhumb/sim/slice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/error_expectation.h"

namespace rhumb::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// qpos: free 0-6, ball 7-10, hinge 11, slide 12. qvel: 0-5, 6-8, 9, 10. Bodies: world, base, arm,
// marker. The filter has an activation, the motor none.
constexpr const char* kJointed = R"(
<mujoco><worldbody>
<body name="base"><freejoint name="root"/><geom size="1"/><site name="tip"/>
  <body name="arm"><joint name="ball" type="ball"/><geom size="1"/>
    <body name="hand"><joint name="hinge"/><joint name="slide" type="slide"/><geom size="1"/></body>
  </body>
</body>
<body name="marker" mocap="true"/>
</worldbody>
<actuator><motor name="motor" joint="hinge"/>
<general name="filter" joint="slide" dyntype="filter" dynprm="1"/></actuator>
<sensor><jointpos name="angle" joint="hinge"/><framepos name="place" objtype="site" objname="tip"/>
</sensor></mujoco>
)";

class SliceTest : public ::testing::Test {
 protected:
  SliceTest() : model_(CompileModel({{"robot.xml", kJointed}}, "robot.xml", "test")) {}

  // {begin, count}
  std::vector<int> Find(const std::string& field, const std::string& type = "",
                        const std::string& object = "", int skip = 0,
                        std::optional<int> count = std::nullopt) const {
    const Slice slice = FindSlice(model_.get(), {field, type, object, skip, count, "here"});
    return {slice.begin, slice.count};
  }

  ModelPointer model_;
};

TEST_F(SliceTest, Joints) {
  EXPECT_THAT(Find("qpos"), ElementsAre(0, 13));
  EXPECT_THAT(Find("qpos", "joint", "root"), ElementsAre(0, 7));
  EXPECT_THAT(Find("qpos", "joint", "ball"), ElementsAre(7, 4));
  EXPECT_THAT(Find("qpos", "joint", "slide"), ElementsAre(12, 1));
  EXPECT_THAT(Find("qvel", "joint", "ball"), ElementsAre(6, 3));
  EXPECT_THAT(Find("qfrc_actuator", "joint", "slide"), ElementsAre(10, 1));
}

TEST_F(SliceTest, Bodies) {
  EXPECT_THAT(Find("qpos", "body", "hand"), ElementsAre(11, 2));
  EXPECT_THAT(Find("qvel", "body", "hand"), ElementsAre(9, 2));
  EXPECT_THAT(Find("xpos", "body", "arm"), ElementsAre(6, 3));
  EXPECT_THAT(Find("cfrc_ext", "body", "base"), ElementsAre(6, 6));
  EXPECT_THAT(Find("mocap_quat", "body", "marker"), ElementsAre(0, 4));
}

TEST_F(SliceTest, SitesSensorsAndActuators) {
  EXPECT_THAT(Find("site_xpos", "site", "tip"), ElementsAre(0, 3));
  EXPECT_THAT(Find("sensordata", "sensor", "place"), ElementsAre(1, 3));
  EXPECT_THAT(Find("ctrl", "actuator", "filter"), ElementsAre(1, 1));
  EXPECT_THAT(Find("actuator_force", "actuator", "motor"), ElementsAre(0, 1));
  EXPECT_THAT(Find("act", "actuator", "filter"), ElementsAre(0, 1));
}

TEST_F(SliceTest, SkipAndCountAreWithinTheObject) {
  EXPECT_THAT(Find("xpos", "body", "arm", 1), ElementsAre(7, 2));
  EXPECT_THAT(Find("xpos", "body", "arm", 0, 2), ElementsAre(6, 2));
  EXPECT_THAT(Find("qvel", "", "", 2, 3), ElementsAre(2, 3));
}

TEST_F(SliceTest, Complaints) {
  const auto complaint = [&](auto... arguments) {
    return test::ErrorOf([&] { Find(arguments...); });
  };
  EXPECT_THAT(complaint("qpos", "joint", "hinje"),
              AllOf(HasSubstr("here"), HasSubstr("did you mean 'hinge'")));
  EXPECT_THAT(complaint("xpos", "joint", "hinge"),
              HasSubstr("there is no 'xpos' of joint 'hinge'"));
  EXPECT_THAT(complaint("act", "actuator", "motor"),
              HasSubstr("there is no 'act' of actuator 'motor'"));
  EXPECT_THAT(complaint("mocap_pos", "body", "arm"), HasSubstr("no 'mocap_pos' of body 'arm'"));
  EXPECT_THAT(complaint("xpos", "body", "arm", 1, 3),
              HasSubstr("'xpos' of body 'arm' has 3 elements; asked for elements 1 to 3"));
}

}  // namespace
}  // namespace rhumb::sim
