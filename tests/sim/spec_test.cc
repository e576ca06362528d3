#include "rhumb/sim/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rhumb/core/error.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/environment.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

constexpr const char* kMinimal = R"(
id = "probe"
model = "probe.xml"
observation = [ { field = "qvel" } ]
quantities = [ { name = "x", element_of = "qpos" } ]
[[rewards.only]]
name = "far"
expression = "x"
)";

constexpr const char* kModel = R"(
<mujoco><worldbody><body name="block"><joint name="slide" type="slide" axis="1 0 0"/>
<geom size="0.1"/><site name="tip"/></body></worldbody>
<actuator><motor joint="slide"/></actuator>
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

std::string With(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

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

TEST_F(SpecTest, UnknownQuantityInObjective) {
  EXPECT_THAT(Complaint(With(kMinimal, "expression = \"x\"", "expression = \"sum_sq_actoin\"")),
              AllOf(HasSubstr("probe.toml:6"), HasSubstr("'far'"), HasSubstr("sum_sq_actoin"),
                    HasSubstr("sum_sq_action")));
}

TEST_F(SpecTest, UnknownNamesInTheModel) {
  const auto complaint = [&](const std::string& source) {
    return Complaint(With(kMinimal, "element_of = \"qpos\"", source));
  };
  EXPECT_THAT(complaint("body = \"blok\", axis = \"x\""), HasSubstr("did you mean 'block'"));
  EXPECT_THAT(complaint("site = \"tpi\", axis = \"x\""), HasSubstr("did you mean 'tip'"));
  EXPECT_THAT(complaint("sensor = \"wher\""), HasSubstr("did you mean 'where'"));
  EXPECT_THAT(complaint("element_of = \"qposs\""), HasSubstr("did you mean 'qpos'"));
  EXPECT_THAT(complaint("element_of = \"qpos\", index = 1"), HasSubstr("has 1 elements"));
  EXPECT_THAT(complaint("sensor = \"where\", index = 1"), HasSubstr("gives 1 numbers"));
  EXPECT_THAT(complaint("rate_of = \"y\""), HasSubstr("unknown quantity 'y'"));
  EXPECT_THAT(complaint("expression = \"alive\""), HasSubstr("alive"));
  EXPECT_EQ(complaint("site = \"tip\", axis = \"x\""), "");
  EXPECT_EQ(complaint("sensor = \"where\""), "");
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

TEST_F(SpecTest, ThePathOfASpecMayClimbButItsModelAndBaseMayNot) {
  folder_.Write("probe.toml", kMinimal);
  fs::create_directory(folder_.path() / "sub");
  EXPECT_EQ(FindBundle((folder_.path() / "sub/../probe.toml").string()).id, "probe");
  const fs::path child =
      folder_.Write("sub/child.toml", "id = \"c\"\nextends = \"../probe.toml\"\n");
  EXPECT_THAT(test::ErrorOf([&] { ReadSpec(child); }), HasSubstr("../probe.toml"));
}

TEST_F(SpecTest, UnknownIdSuggestsTheNearest) {
  EXPECT_THAT(test::ErrorOf([] { FindSpecFile("mo-hoper-v5"); }),
              HasSubstr("did you mean 'mo-hopper-v5'"));
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
"ppo.discount" = 0.9
)toml";
  EXPECT_EQ(Complaint(text), "");
  const EnvironmentSpec spec = ReadSpec(folder_.path() / "probe.toml");
  ASSERT_EQ(spec.attributes.size(), 1u);
  EXPECT_EQ(spec.attributes[0].expression, "max(x)");
  EXPECT_THAT(spec.SettingsOf("paper", "population"),
              ElementsAre("iterations=200", "ppo.discount=0.9"));
  EXPECT_THAT(spec.SettingsOf("paper", "dataset"), IsEmpty());
  EXPECT_THAT(spec.SettingsOf("default", "population"), IsEmpty());
}

TEST_F(SpecTest, ABundleNeedsNothingBesideIt) {
  folder_.Write("probe.toml", kMinimal);
  const core::EnvironmentBundle bundle = ReadBundle(folder_.path() / "probe.toml");
  EXPECT_EQ(bundle.id, "probe");
  EXPECT_EQ(bundle.rewards, "only");
  EXPECT_EQ(bundle.files.size(), 2u);
  fs::remove(folder_.path() / "probe.toml");
  fs::remove(folder_.path() / "probe.xml");
  EXPECT_EQ(Environment(bundle).action_size(), 1);
}

TEST(Catalogue, HasTheSevenAndTheTinyOne) {
  std::vector<std::string> ids;
  for (const core::EnvironmentBundle& bundle : ListBundled()) ids.push_back(bundle.id);
  EXPECT_THAT(ids,
              ElementsAre("mo-ant-2obj-v5", "mo-ant-v5", "mo-halfcheetah-v5", "mo-hopper-2obj-v5",
                          "mo-hopper-v5", "mo-humanoid-v5", "mo-walker2d-v5", "point-v0"));
}

TEST(Catalogue, EveryRobotHasBothPresets) {
  for (const core::EnvironmentBundle& bundle : ListBundled()) {
    const EnvironmentSpec spec = ParseSpec(bundle.files, bundle.spec);
    if (spec.id == "point-v0") continue;
    EXPECT_EQ(spec.default_rewards, "upstream");
    EXPECT_EQ(spec.objectives("paper").size(), spec.objectives("upstream").size()) << spec.id;
  }
}

}  // namespace
}  // namespace rhumb::sim
