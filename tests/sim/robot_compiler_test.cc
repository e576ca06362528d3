#include "rhumb/sim/robot_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/sim/robot_sample.h"
#include "tests/support/error_expectation.h"

namespace rhumb::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Files = std::map<std::string, std::string>;

ModelPointer Compile(const Files& files) {
  const auto find = [&](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? nullptr : &found->second;
  };
  return CompileRobot(find, "main.xml", "test.toml");
}

std::string ErrorOf(const Files& files) {
  return test::ErrorOf([&] { Compile(files); });
}

TEST(RobotCompiler, AsksForEachFileByItsPathInTheFolder) {
  const Files files = {{"parts/main.xml",
                        "<mujoco><include file='../shared.xml'/>"
                        "<asset><mesh name='m' file='m.obj'/></asset></mujoco>"},
                       {"shared.xml", "<mujoco><option timestep='0.004'/></mujoco>"},
                       {"parts/m.obj", kMesh}};
  std::vector<std::string> found;
  const auto find = [&](const std::string& path) {
    const auto file = files.find(path);
    if (file == files.end()) return static_cast<const std::string*>(nullptr);
    found.push_back(path);
    return &file->second;
  };
  EXPECT_EQ(CompileRobot(find, "parts/main.xml", "test.toml")->nmesh, 1);
  EXPECT_THAT(found, ElementsAre("parts/main.xml", "shared.xml", "parts/m.obj"));
}

TEST(RobotCompiler, AnErrorOfTheReaderStopsTheCompilation) {
  const auto find = [](const std::string&) -> const std::string* {
    throw Error("the disk is on fire");
  };
  EXPECT_EQ(test::ErrorOf([&] { CompileRobot(find, "main.xml", "test.toml"); }),
            "test.toml: the disk is on fire");
}

// MuJoCo caches assets by name for the whole process.
TEST(RobotCompiler, TwoRobotsMayUseTheSameNameForDifferentMeshes) {
  std::string large = kMesh;
  large.replace(large.find("v 1 0 0"), 7, "v 5 0 0");
  const auto volume = [](const std::string& mesh) {
    const Files files = {{"main.xml", WithMesh("<mesh name='m' file='m.obj'/>")}, {"m.obj", mesh}};
    return Compile(files)->body_mass[1];
  };
  EXPECT_NEAR(volume(large), 5 * volume(kMesh), 1e-6 * volume(large));
}

// MuJoCo must not reload an asset when it renders.
TEST(RobotCompiler, AssetsAreEmbeddedEvenIfTheModelSaysOtherwise) {
  const std::string texture = "<texture name='t' type='2d' file='grey.png'";
  for (const std::string& text :
       {"<mujoco><compiler passthrough='textures'/><asset>" + texture + "/></asset></mujoco>",
        "<mujoco><asset>" + texture + " embed='false'/></asset></mujoco>"}) {
    EXPECT_EQ(Compile({{"main.xml", text}, {"grey.png", Picture()}})->ntexdata, 2 * 2 * 3) << text;
  }
}

TEST(RobotCompiler, RepetitionIsBounded) {
  EXPECT_THAT(ErrorOf({{"main.xml",
                        "<mujoco><worldbody><replicate count='5000'><replicate count='5000'>"
                        "<geom size='1'/></replicate></replicate></worldbody></mujoco>"}}),
              HasSubstr("too large"));

  Files files = {{"part8.xml", kPart}};
  // Each of eight documents attaches the next one ten times.
  for (int i = 0; i < 8; ++i) {
    std::string attachments;
    for (int k = 0; k < 10; ++k) {
      attachments += "<attach model='next' body='part' prefix='p" + std::to_string(k) + "'/>";
    }
    files["part" + std::to_string(i) + ".xml"] = "<mujoco><asset><model name='next' file='part" +
                                                 std::to_string(i + 1) +
                                                 ".xml'/></asset><worldbody><body name='part'>" +
                                                 attachments + "</body></worldbody></mujoco>";
  }
  files["main.xml"] = "<mujoco><asset><model name='next' file='part0.xml'/></asset></mujoco>";
  EXPECT_THAT(ErrorOf(files), HasSubstr("too large"));
}

// MuJoCo reads our rewritten document, so its error messages must still match the original's lines.
TEST(RobotCompiler, MujocoComplaintsKeepTheirLine) {
  const std::string complaint =
      ErrorOf({{"main.xml",
                "<!-- one\n two -->\n<mujoco>\n  <!-- four -->\n  <option\n     timestep='0.01'/>\n"
                "  <option gravitee='1'/>\n</mujoco>"}});
  EXPECT_THAT(complaint, AllOf(HasSubstr("gravitee"), HasSubstr("line 7"), Not(HasSubstr("\n"))));
}

// The size of a picture stands in its header; unpacking it could take gigabytes.
TEST(RobotCompiler, PicturesAreBounded) {
  std::string bomb = Picture();
  bomb[17] = bomb[21] = 1;  // 65538 x 65538
  EXPECT_THAT(ErrorOf({{"main.xml",
                        "<mujoco><asset><texture name='t' type='2d' file='bomb.png'/>"
                        "</asset></mujoco>"},
                       {"bomb.png", bomb}}),
              AllOf(HasSubstr("'bomb.png' has 65538 x 65538 pixels"), HasSubstr("the limit is")));
}

}  // namespace
}  // namespace rhumb::sim
