#include "rhumb/sim/robot_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/model.h"
#include "tests/sim/robot_sample.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

namespace fs = std::filesystem;

// A robot's folder, and beside it a folder that the robot must not reach. Files outside are valid,
// so reading them would not fail by itself.
class RobotFilesTest : public ::testing::Test {
 protected:
  RobotFilesTest() {
    for (const char* folder : {"robot/parts", "robot/meshes", "robot/a'", "out"}) {
      fs::create_directories(scratch_.path() / folder);
    }
    scratch_.Write("out/m.obj", kMesh);
    scratch_.Write("out/part.xml", kPart);
    scratch_.Write("out/picture.png", Picture());
    scratch_.Write("out/part_in.xml",
                   "<mujoco><asset><mesh name='m' file='m.obj'/></asset></mujoco>");
  }

  fs::path robot() const { return scratch_.path() / "robot"; }
  std::string outside() const { return (scratch_.path() / "out").string(); }
  void Write(const std::string& name, const std::string& text) const {
    scratch_.Write("robot/" + name, text);
  }
  void Link(const fs::path& target, const std::string& name) const {
    fs::create_symlink(target, robot() / name);
  }

  RobotFiles Collect() const { return CollectFiles(robot(), "main.xml", "test.toml"); }

  // The Error for a robot whose main.xml is `text`; "" if it loads.
  std::string Complaint(const std::string& text) const {
    Write("main.xml", text);
    return test::ErrorOf([&] { CompileModel(Collect(), "main.xml", "test.toml"); });
  }

  test::ScratchFolder scratch_;
};

// One sentence that blames the folder's border and names `file`.
auto IsRefusalOf(const std::string& file) {
  return AllOf(HasSubstr("test.toml: "), HasSubstr("outside the robot's folder"), HasSubstr(file),
               Not(HasSubstr("\n")));
}

TEST_F(RobotFilesTest, MeshOutsideIsRefusedHoweverItIsWritten) {
  const std::string ways[] = {
      "../out/m.obj",
      "parts/../../out/m.obj",
      "./.././out/m.obj",
      "..\\out\\m.obj",
      "&#46;&#46;/out/m.obj",
      "&#x2e;&#x2e;&#x2f;out&#47;m.obj",
      "&#46;.&#92;out/m.obj",
      "a'/../../out/m.obj",
      outside() + "/m.obj",
      "&#47;" + outside().substr(1) + "/m.obj",
      "/.." + outside() + "/m.obj",
      "//" + outside() + "/m.obj",
      "\\\\out\\m.obj",
      "file://" + outside() + "/m.obj",
      "C:/out/m.obj",
      "rhumb:../out/m.obj",
      "rhumb:/../out/m.obj",
  };
  for (const std::string& way : ways) {
    EXPECT_THAT(Complaint(WithMesh("<mesh name='m' file=\"" + way + "\"/>")), IsRefusalOf("m.obj"))
        << way;
  }
}

TEST_F(RobotFilesTest, FolderAttributesOutsideAreRefused) {
  const std::string mesh = WithMesh("<mesh name='m' file='m.obj'/>");
  const std::string rest = mesh.substr(std::strlen("<mujoco>"));
  for (const std::string& way : {std::string("../out"), std::string("&#46;&#46;/out"),
                                 std::string("a'/../../out"), outside()}) {
    EXPECT_THAT(Complaint("<mujoco><compiler meshdir=\"" + way + "\"/>" + rest), IsRefusalOf("out"))
        << way;
    EXPECT_THAT(Complaint("<mujoco><compiler assetdir=\"" + way + "\"/>" + rest),
                IsRefusalOf("out"))
        << way;
    EXPECT_THAT(Complaint("<mujoco><compiler texturedir=\"" + way +
                          "\"/><asset><texture name='t' "
                          "type='2d' file='picture.png'/></asset></mujoco>"),
                IsRefusalOf("out"))
        << way;
  }
}

TEST_F(RobotFilesTest, EveryElementThatNamesAFileIsFenced) {
  const auto complaint = [&](const std::string& section) {
    return Complaint("<mujoco>" + section + "</mujoco>");
  };
  for (const std::string& out : {std::string("&#46;&#46;/out"), outside()}) {
    EXPECT_THAT(
        complaint("<asset><texture name='t' type='2d' file='" + out + "/picture.png'/></asset>"),
        IsRefusalOf("picture.png"));
    EXPECT_THAT(complaint("<asset><texture name='t' type='cube' fileright='" + out +
                          "/picture.png'/></asset>"),
                IsRefusalOf("picture.png"));
    EXPECT_THAT(complaint("<asset><hfield name='h' size='1 1 1 1' file='" + out +
                          "/picture.png'/></asset>"),
                IsRefusalOf("picture.png"));
    EXPECT_THAT(complaint("<asset><skin name='s' file='" + out + "/s.skn'/></asset>"),
                IsRefusalOf("s.skn"));
    EXPECT_THAT(complaint("<worldbody><body name='b'><flexcomp name='f' type='mesh' file='" + out +
                          "/m.obj'/></body></worldbody>"),
                IsRefusalOf("m.obj"));
    EXPECT_THAT(complaint("<include file='" + out + "/part.xml'/>"), IsRefusalOf("part.xml"));
    EXPECT_THAT(complaint("<asset><model name='p' file='" + out + "/part.xml'/></asset>"),
                IsRefusalOf("part.xml"));
  }
}

TEST_F(RobotFilesTest, IncludedAndNestedDocumentsAreFencedToo) {
  const std::string mesh_outside = WithMesh("<mesh name='m' file='" + outside() + "/m.obj'/>");
  const std::string include = "<mujoco><include file='parts/part.xml'/></mujoco>";
  const std::string model =
      "<mujoco><asset><model name='p' file='parts/part.xml'/></asset><worldbody>"
      "<attach model='p' body='b' prefix='p'/></worldbody></mujoco>";
  const std::string climbing =
      "<mujoco><asset><mesh name='m' file='../../out/m.obj'/></asset><worldbody><body name='b'>"
      "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
  for (const std::string& main : {include, model}) {
    Write("parts/part.xml", mesh_outside);
    EXPECT_THAT(Complaint(main), AllOf(IsRefusalOf("m.obj"), HasSubstr("parts/part.xml")));
    Write("parts/part.xml", climbing);
    EXPECT_THAT(Complaint(main), IsRefusalOf("../out/m.obj"));
    Write("parts/part.xml", "<mujoco><include file='../../out/part.xml'/></mujoco>");
    EXPECT_THAT(Complaint(main), IsRefusalOf("part.xml"));
  }

  // A file that MuJoCo first opens as a mesh and then parses as MJCF.
  Write("parts/part.xml", "<mujoco><include file='both.obj'/></mujoco>");
  Write("parts/both.obj", mesh_outside);
  EXPECT_THAT(Complaint("<mujoco><asset><mesh name='x' file='parts/both.obj'/>"
                        "<model name='p' file='parts/part.xml'/></asset></mujoco>"),
              IsRefusalOf("m.obj"));
}

TEST_F(RobotFilesTest, SymbolicLinksOutAreRefused) {
  Link("../out/m.obj", "link.obj");
  Link("../out/part.xml", "link.xml");
  Link(outside(), "folder");
  for (const char* file : {"link.obj", "folder/m.obj"}) {
    EXPECT_THAT(Complaint(WithMesh(std::string("<mesh name='m' file='") + file + "'/>")),
                IsRefusalOf(file));
  }
  for (const char* file : {"link.xml", "folder/part.xml"}) {
    EXPECT_THAT(Complaint(std::string("<mujoco><include file='") + file + "'/></mujoco>"),
                IsRefusalOf(file));
    EXPECT_THAT(Complaint(std::string("<mujoco><asset><model name='p' file='") + file +
                          "'/></asset></mujoco>"),
                IsRefusalOf(file));
  }
  EXPECT_THAT(test::ErrorOf([&] { CollectFiles(robot(), "link.xml", "test.toml"); }),
              IsRefusalOf("link.xml"));
}

TEST_F(RobotFilesTest, ModelOutsideIsRefused) {
  for (const std::string& name :
       {std::string("../out/part.xml"), std::string("parts/../../out/part.xml"),
        outside() + "/part.xml", std::string("..")}) {
    EXPECT_THAT(test::ErrorOf([&] { CollectFiles(robot(), name, "test.toml"); }),
                IsRefusalOf(name));
  }
}

TEST_F(RobotFilesTest, ArchivesAreRefused) {
  EXPECT_THAT(Complaint("<mujoco><asset><model name='p' file='robot.mjz'/></asset></mujoco>"),
              HasSubstr("archive"));
  EXPECT_THAT(Complaint("<mujoco><include file='robot.zip/part.xml'/></mujoco>"),
              HasSubstr("archive"));
}

// The fence goes by attribute names. These are all attributes in MuJoCo's schema that name files.
TEST_F(RobotFilesTest, NoOtherAttributeOfTheSchemaNamesAFile) {
  std::vector<char> schema(1 << 20);
  const int size = mj_printSchema(nullptr, schema.data(), static_cast<int>(schema.size()), 0, 0);
  std::istringstream words(std::string(schema.data(), static_cast<std::size_t>(size)));
  std::set<std::string> names;
  for (std::string word; words >> word;) {
    for (const char* part : {"file", "dir", "path", "url", "resource", "uri"}) {
      if (word.find(part) != word.npos) names.insert(word);
    }
  }
  EXPECT_THAT(names, ElementsAre("assetdir", "dir", "directional", "file", "fileback", "filedown",
                                 "filefront", "fileleft", "fileright", "fileup", "meshdir",
                                 "strippath", "texturedir"));
}

// A robot that uses sub-folders in every permitted way.
class NestedRobotTest : public RobotFilesTest {
 protected:
  NestedRobotTest() {
    fs::create_directories(robot() / "textures");
    Write("main.xml", R"(<mujoco>
  <compiler meshdir="meshes/../meshes" texturedir="textures"/>
  <include file="parts/assets.xml"/>
  <asset>
    <mesh name="m" file="m.obj"/>
    <texture name="grey" type="2d" file="grey.png"/>
    <model name="arm" file="parts/arm.xml"/>
  </asset>
  <worldbody>
    <body name="trunk"><freejoint/><geom type="mesh" mesh="m"/><geom type="mesh" mesh="flat"/>
      <attach model="arm" body="part" prefix="arm_"/></body>
  </worldbody>
</mujoco>)");
    Write("parts/assets.xml", R"(<mujoco>
  <asset><mesh name="flat" file="../flat.obj"/></asset><include file="../shared.xml"/></mujoco>)");
    Write("parts/arm.xml", R"(<mujoco><asset><mesh name="hand" file="../meshes/m.obj"/></asset>
  <worldbody><body name="part"><geom type="mesh" mesh="hand"/></body></worldbody></mujoco>)");
    Write("shared.xml", "<mujoco><option timestep='0.004'/></mujoco>");
    Write("flat.obj", kMesh);
    Write("meshes/m.obj", kMesh);
    Write("textures/grey.png", Picture());
    Write("unused.obj", kMesh);
  }
};

TEST_F(NestedRobotTest, CollectsExactlyWhatMujocoOpens) {
  const RobotFiles files = Collect();
  EXPECT_THAT(files,
              ElementsAre(Pair("flat.obj", kMesh), Pair("main.xml", testing::_),
                          Pair("meshes/m.obj", kMesh), Pair("parts/arm.xml", testing::_),
                          Pair("parts/assets.xml", testing::_), Pair("shared.xml", testing::_),
                          Pair("textures/grey.png", Picture())));
}

TEST_F(NestedRobotTest, CompilesFromMemoryToWhatMujocoMakesOfTheFolder) {
  char message[1000] = "";
  const ModelPointer direct(
      mj_loadXML((robot() / "main.xml").c_str(), nullptr, message, sizeof message));
  ASSERT_TRUE(direct) << message;
  const RobotFiles files = Collect();
  fs::remove_all(robot());
  const ModelPointer model = CompileModel(files, "main.xml", "test.toml");
  EXPECT_EQ(model->nmesh, 3);
  EXPECT_EQ(model->ntexdata, direct->ntexdata);
  EXPECT_EQ(model->opt.timestep, 0.004);
  const auto vertices = [](const mjModel* m) {
    return std::vector<float>(m->mesh_vert, m->mesh_vert + 3 * m->nmeshvert);
  };
  EXPECT_EQ(vertices(model.get()), vertices(direct.get()));
  EXPECT_EQ(model->nbody, direct->nbody);
}

TEST_F(NestedRobotTest, AModelInASubfolderMayReferUpwardsInside) {
  Write("parts/main.xml", "<mujoco><include file='../main.xml'/></mujoco>");
  Write("main.xml", WithMesh("<mesh name='m' file='../meshes/m.obj'/>"));
  const RobotFiles files = CollectFiles(robot(), "parts/main.xml", "test.toml");
  EXPECT_THAT(files, ElementsAre(Pair("main.xml", testing::_), Pair("meshes/m.obj", kMesh),
                                 Pair("parts/main.xml", testing::_)));
  EXPECT_TRUE(CompileModel(files, "parts/main.xml", "test.toml"));
}

TEST_F(NestedRobotTest, LinksInsideTheFolderAreFollowed) {
  Link("meshes/m.obj", "link.obj");
  EXPECT_EQ(Complaint(WithMesh("<mesh name='m' file='link.obj'/>")), "");
}

TEST_F(NestedRobotTest, AMissingFileIsNamed) {
  fs::remove(robot() / "meshes/m.obj");
  EXPECT_THAT(
      test::ErrorOf([&] { Collect(); }),
      AllOf(HasSubstr("'meshes/m.obj'"), HasSubstr("does not exist"), Not(HasSubstr("\n"))));
  RobotFiles files = {{"main.xml", "<mujoco><include file='gone.xml'/></mujoco>"}};
  EXPECT_THAT(test::ErrorOf([&] { CompileModel(files, "main.xml", "test.toml"); }),
              AllOf(HasSubstr("'gone.xml'"), HasSubstr("does not exist")));
  EXPECT_THAT(test::ErrorOf([&] { CompileModel(files, "other.xml", "test.toml"); }),
              AllOf(HasSubstr("'other.xml'"), HasSubstr("does not exist")));
}

TEST_F(RobotFilesTest, FilesAreBounded) {
  Write("big.obj", "");
  fs::resize_file(robot() / "big.obj", kMaxRobotFileBytes + 1);
  EXPECT_THAT(Complaint(WithMesh("<mesh name='m' file='big.obj'/>")),
              AllOf(HasSubstr("big.obj"), HasSubstr(std::to_string(kMaxRobotFileBytes))));
}

TEST_F(RobotFilesTest, WhatIsNoMjcfIsRefusedInOneSentence) {
  EXPECT_THAT(Complaint("v 0 0 0"), HasSubstr("'main.xml'"));
  EXPECT_THAT(Complaint(""), HasSubstr("'main.xml'"));
  EXPECT_THAT(Complaint("<mujoco>\n<worldbody>\n</mujoco>"), HasSubstr("not valid XML"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<body>";
  EXPECT_THAT(Complaint(deep), HasSubstr("not valid XML"));
  EXPECT_EQ(Complaint("<!-- file=\"" + std::string(300'000, 'A') + "\" --><mujoco/>"), "");

  fs::remove(robot() / "main.xml");
  fs::create_directory(robot() / "main.xml");
  EXPECT_THAT(test::ErrorOf([&] { Collect(); }),
              AllOf(HasSubstr("main.xml"), HasSubstr("not a regular file")));
  fs::remove(robot() / "main.xml");
  ASSERT_EQ(::mkfifo((robot() / "main.xml").c_str(), 0600), 0);
  EXPECT_THAT(test::ErrorOf([&] { Collect(); }),
              AllOf(HasSubstr("main.xml"), HasSubstr("not a regular file")));
}

TEST(NormalRobotPath, StaysInsideOrIsEmpty) {
  EXPECT_EQ(NormalRobotPath("a/./b//c"), "a/b/c");
  EXPECT_EQ(NormalRobotPath("a\\..\\b"), "b");
  for (const char* path : {"", "..", "a/../..", "/a", "\\a", "../a"}) {
    EXPECT_EQ(NormalRobotPath(path), "") << path;
  }
}

}  // namespace
}  // namespace rhumb::sim
