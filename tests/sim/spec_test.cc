#include "rhumb/sim/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rhumb/core/error.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/environment.h"
#include "tests/sim/robot_sample.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

constexpr const char* kModel = R"(
<mujoco><worldbody><body name="block"><joint name="slide" type="slide" axis="1 0 0"/>
<geom size="0.1"/><site name="tip"/></body></worldbody>
<actuator><motor joint="slide" ctrlrange="-1 1"/></actuator>
<sensor><jointpos name="where" joint="slide"/></sensor></mujoco>
)";

EnvironmentSpec ReadSpec(const fs::path& file) {
  return ParseSpec(ReadSpecFiles(file), file.filename().string());
}

// A folder with a spec and a model, new for each test.
class SpecTest : public ::testing::Test {
 protected:
  SpecTest() { folder_.Write("probe.xml", kModel); }

  // The message of the Error from loading this spec; "" if it loads.
  std::string Complaint(const std::string& text) const {
    return test::ErrorOf(
        [&] { Environment environment(ReadBundle(folder_.Write("probe.toml", text))); });
  }

  test::ScratchFolder folder_;
};

TEST_F(SpecTest, MinimalSpecHasDefaults) {
  EXPECT_EQ(Complaint(kMinimal), "");
  const EnvironmentSpec spec = ReadSpec(folder_.path() / "probe.toml");
  EXPECT_EQ(spec.frame_skip, 1);
  EXPECT_EQ(spec.time_limit, 1000);
  EXPECT_EQ(spec.default_rewards, "only");
  EXPECT_EQ(spec.objectives("").front().expression, "x");
}

TEST_F(SpecTest, UnknownKeyNamesLineAndNearestKey) {
  EXPECT_THAT(Complaint(std::string("frame_skp = 2\n") + kMinimal),
              AllOf(HasSubstr("probe.toml:1"), HasSubstr("frame_skp"), HasSubstr("frame_skip")));
}

TEST_F(SpecTest, WrongTypesAndRanges) {
  EXPECT_THAT(Complaint(std::string("frame_skip = 0\n") + kMinimal),
              AllOf(HasSubstr("probe.toml:1"), HasSubstr("from 1 to 1000")));
  EXPECT_THAT(Complaint(std::string("frame_skip = \"two\"\n") + kMinimal),
              HasSubstr("must be an integer"));
  EXPECT_THAT(
      Complaint(std::string("health = [ { quantity = \"x\", range = [1, 0] } ]\n") + kMinimal),
      HasSubstr("low <= high"));
  EXPECT_THAT(Complaint("id = "), HasSubstr("not valid TOML"));
}

TEST_F(SpecTest, MissingModel) {
  EXPECT_THAT(Complaint(With(kMinimal, "probe.xml", "gone.xml")),
              AllOf(HasSubstr("probe.toml"), HasSubstr("gone.xml")));
}

TEST_F(SpecTest, ModelOutsideItsFolderIsRefused) {
  EXPECT_THAT(Complaint(With(kMinimal, "probe.xml", "../probe.xml")), HasSubstr("../probe.xml"));
  EXPECT_THAT(Complaint(With(kMinimal, "probe.xml", "/etc/passwd")), HasSubstr("/etc/passwd"));
  fs::create_symlink("/etc/passwd", folder_.path() / "link.xml");
  EXPECT_THAT(Complaint(With(kMinimal, "probe.xml", "link.xml")), HasSubstr("link.xml"));
}

TEST_F(SpecTest, ModelThatRefersOutsideItsFolderIsRefused) {
  folder_.Write("probe.xml", "<mujoco><include file=\"../secret.xml\"/></mujoco>");
  EXPECT_THAT(Complaint(kMinimal), HasSubstr("../secret.xml"));
  folder_.Write("probe.xml", "<mujoco><include file=\"part.xml\"/></mujoco>");
  folder_.Write("part.xml", "<mujoco><asset><mesh file='/etc/hosts'/></asset></mujoco>");
  EXPECT_THAT(Complaint(kMinimal), HasSubstr("/etc/hosts"));
}

TEST_F(SpecTest, ExtendingTakesWhatIsNotGiven) {
  folder_.Write("probe.toml", kMinimal);
  const fs::path file = folder_.Write("child.toml", R"(
id = "child"
extends = "probe.toml"
frame_skip = 3
)");
  const EnvironmentSpec spec = ReadSpec(file);
  EXPECT_EQ(spec.id, "child");
  EXPECT_EQ(spec.frame_skip, 3);
  EXPECT_EQ(spec.model, "probe.xml");
  EXPECT_THROW(ReadSpec(folder_.Write("grandchild.toml", "id = \"g\"\nextends = \"child.toml\"\n")),
               Error);
}

TEST_F(SpecTest, AttributesAndSettingsOfTheRobot) {
  const std::string text = std::string(kMinimal) + R"toml(
[[attributes]]
name = "reach"
expression = "max(x)"
unit = "m"
[settings.paper.population]
iterations = 200
list = [
  0.5, 0.25,
]
"ppo.discount" = 0.9
)toml";
  EXPECT_EQ(Complaint(text), "");
  const EnvironmentSpec spec = ReadSpec(folder_.path() / "probe.toml");
  ASSERT_EQ(spec.attributes.size(), 1u);
  EXPECT_EQ(spec.attributes[0].expression, "max(x)");
  EXPECT_THAT(spec.SettingsOf("paper", "population"),
              ElementsAre("iterations=200", "list=[0.5, 0.25]", "ppo.discount=0.9"));
  EXPECT_THAT(spec.SettingsOf("paper", "dataset"), IsEmpty());
  EXPECT_THAT(spec.SettingsOf("default", "population"), IsEmpty());
}

}  // namespace
}  // namespace rhumb::sim
