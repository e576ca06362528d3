#include "rhumb/sim/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "rhumb/sim/model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

constexpr const char* kTimed = R"(
id = "probe"
model = "probe.xml"
observation = [ { field = "qvel" } ]
[[rewards.only]]
name = "far"
expression = "time"
)";

constexpr const char* kSlider = R"(
<mujoco><worldbody><body><joint name="slide" type="slide"/><geom size="0.1"/></body></worldbody>
<actuator><motor joint="slide"/></actuator></mujoco>
)";

TEST(Catalogue, UnknownIdSuggestsTheNearest) {
  EXPECT_THAT(test::ErrorOf([] { FindSpecFile("mo-hoper-v5"); }),
              HasSubstr("did you mean 'mo-hopper-v5'"));
}

TEST(Catalogue, ABundleNeedsNothingBesideIt) {
  const test::ScratchFolder folder;
  folder.Write("probe.xml", kSlider);
  folder.Write("probe.toml", kTimed);
  const core::EnvironmentBundle bundle = ReadBundle(folder.path() / "probe.toml");
  EXPECT_EQ(bundle.id, "probe");
  EXPECT_EQ(bundle.rewards, "only");
  EXPECT_EQ(bundle.files.size(), 2u);
  fs::remove(folder.path() / "probe.toml");
  fs::remove(folder.path() / "probe.xml");
  EXPECT_EQ(CompileModel(bundle.files, "probe.xml", "test")->nu, 1);
}

TEST(Catalogue, AnOwnSpecMayNotTakeABundledId) {
  const test::ScratchFolder folder;
  folder.Write("probe.xml", kSlider);
  std::string spec = kTimed;
  spec.replace(spec.find("probe"), 5, "mo-hopper-v5");
  folder.Write("probe.toml", spec);
  EXPECT_THAT(
      test::ErrorOf([&] { FindBundle((folder.path() / "probe.toml").string()); }),
      HasSubstr("probe.toml: the id 'mo-hopper-v5' belongs to an environment that comes with"));
  // A copy of the bundled files is the same robot.
  const core::EnvironmentBundle hopper = FindBundle("mo-hopper-v5");
  for (const auto& [name, bytes] : hopper.files) folder.Write(name, bytes);
  EXPECT_EQ(FindBundle((folder.path() / hopper.spec).string()).hash(), hopper.hash());
}

TEST(Catalogue, AnMjcfNeedsASpec) {
  EXPECT_THAT(
      test::ErrorOf([] { FindSpecFile("robot.xml"); }),
      HasSubstr("robot.xml is an MJCF file; an environment also needs a spec, FILE.toml: `rhumb "
                "envs draft` writes a first one"));
}

TEST(Catalogue, ThePathOfASpecMayClimbButItsModelAndBaseMayNot) {
  const test::ScratchFolder folder;
  folder.Write("probe.xml", kSlider);
  folder.Write("probe.toml", kTimed);
  fs::create_directory(folder.path() / "sub");
  EXPECT_EQ(FindBundle((folder.path() / "sub/../probe.toml").string()).id, "probe");
  const fs::path child =
      folder.Write("sub/child.toml", "id = \"c\"\nextends = \"../probe.toml\"\n");
  EXPECT_THAT(test::ErrorOf([&] { ReadBundle(child); }), HasSubstr("../probe.toml"));
}

TEST(Catalogue, HasTheSevenAndTheTinyOne) {
  std::vector<std::string> ids;
  for (const core::EnvironmentBundle& bundle : ListBundled()) ids.push_back(bundle.id);
  EXPECT_THAT(ids,
              ElementsAre("mo-ant-2obj-v5", "mo-ant-v5", "mo-halfcheetah-v5", "mo-hopper-2obj-v5",
                          "mo-hopper-v5", "mo-humanoid-v5", "mo-walker2d-v5", "point-v0"));
}

TEST(Catalogue, ExamplesAreFoundByIdButNotListed) {
  EXPECT_EQ(FindSpecFile("reacher-v5"), ExamplesFolder() / "reacher-v5.toml");
  EXPECT_EQ(FindBundle("reacher-v5").id, "reacher-v5");
  EXPECT_THAT(test::ErrorOf([] { FindSpecFile("reecher-v5"); }),
              HasSubstr("did you mean 'reacher-v5'"));
}

TEST(Catalogue, EveryRobotHasBothPresets) {
  for (const core::EnvironmentBundle& bundle : ListBundled()) {
    const EnvironmentSpec spec = ParseSpec(bundle.files, bundle.spec);
    if (spec.id == "point-v0") continue;
    EXPECT_EQ(spec.default_rewards, "upstream");
    EXPECT_EQ(spec.objectives("paper").size(), spec.objectives("upstream").size()) << spec.id;
  }
}

TEST(Catalogue, ABundleNamesItsPreset) {
  EXPECT_EQ(FindBundle("mo-hopper-v5").rewards, "upstream");
  EXPECT_EQ(FindBundle("mo-hopper-v5", "paper").rewards, "paper");
  EXPECT_THAT(test::ErrorOf([] { FindBundle("mo-hopper-v5", "papr"); }),
              HasSubstr("did you mean 'paper'"));
}

TEST(Catalogue, TheEndingOfANameDecidesWhetherItIsAPath) {
  EXPECT_EQ(FindSpecFile("nowhere/mine.toml"), fs::path("nowhere/mine.toml"));
  EXPECT_EQ(FindSpecFile("point-v0"), BundledFolder() / "point-v0.toml");
}

}  // namespace
}  // namespace rhumb::sim
