#include "rhumb/sim/robot_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/sim/robot_sample.h"
#include "tests/support/error_expectation.h"
#include "tests/support/leak_pardon.h"

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

// Each element is within its limit, but all of them together are not.
TEST(RobotCompiler, SizesAreBoundedTogether) {
  const auto repeat = [](int count, const std::string& before, const std::string& after) {
    std::string text;
    for (int i = 0; i < count; ++i) text += before + std::to_string(i) + after;
    return text;
  };
  const std::string geoms = "<replicate count='90000'><geom size='.1'/></replicate>";
  const std::string robots[] = {
      "<asset>" + repeat(100, "<hfield name='h", "' nrow='8192' ncol='8192' size='1 1 1 1'/>") +
          "</asset>",
      "<asset>" + repeat(200, "<texture name='t", "' type='cube' builtin='flat' width='4096'/>") +
          "</asset>",
      "<asset>" + repeat(1000, "<mesh name='m", "' builtin='plate' params='1000 1000'/>") +
          "</asset>",
      "<custom>" + repeat(500, "<numeric name='n", "' size='1000000'/>") + "</custom>",
      "<sensor>" + repeat(2000, "<user name='u", "' dim='100000' datatype='real'/>") + "</sensor>",
      "<size nuser_geom='1000'/><worldbody>" + geoms + geoms + "</worldbody>",
      "<worldbody><geom size='1' user='" + repeat(2000, "", " ") + "'/>" + geoms + "</worldbody>",
      "<size nkey='10000'/><worldbody>" + geoms + "</worldbody>",
  };
  for (const std::string& robot : robots) {
    EXPECT_THAT(ErrorOf({{"main.xml", "<mujoco>" + robot + "</mujoco>"}}),
                AllOf(HasSubstr("makes the model too large: its sizes ask for"),
                      HasSubstr("the limit is 134217728")))
        << robot.substr(0, 100);
  }
}

// The state of a robot grows with the square of its degrees of freedom.
TEST(RobotCompiler, MemoryIsBoundedBeforeItIsAllocated) {
  // MuJoCo keeps what it already had when it gets no more.
  const test::LeakPardon mujoco;
  EXPECT_THAT(ErrorOf({{"main.xml",
                        "<mujoco><worldbody><replicate count='3000'><body><freejoint/>"
                        "<geom size='.1'/></body></replicate></worldbody></mujoco>"}}),
              AllOf(HasSubstr("model 'main.xml' is too large: it needs "),
                    HasSubstr("the limit is 2147483648")));
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

TEST(RobotCompiler, UsesOfAFileAreBounded) {
  std::string bomb = Picture();
  bomb[18] = bomb[22] = 0x1f;  // 7938 x 7938
  std::string textures;
  for (int i = 0; i < 100; ++i) {
    textures += "<texture name='t" + std::to_string(i) + "' type='2d' file='bomb.png'/>";
  }
  EXPECT_THAT(ErrorOf({{"main.xml", "<mujoco><asset>" + textures + "</asset></mujoco>"},
                       {"bomb.png", bomb}}),
              HasSubstr("'bomb.png' makes the model too large: its files, each use counted"));
}

}  // namespace
}  // namespace rhumb::sim
