#include "rhumb/core/files/environment_bundle.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::core {
namespace {

namespace fs = std::filesystem;
using test::ErrorOf;
using testing::HasSubstr;

EnvironmentBundle Sample() {
  return {
      .id = "robot-v0",
      .rewards = "fast",
      .spec = "robot.toml",
      .files = {{"robot.toml", "id = \"robot-v0\"\n"}, {"meshes/leg.obj", std::string("\0v", 2)}}};
}

TEST(EnvironmentBundle, TheHashIsOfNamesAndBytes) {
  const EnvironmentBundle sample = Sample();
  EXPECT_EQ(EnvironmentBundle().hash(), "");
  EXPECT_EQ(Sample().hash(), sample.hash());
  EnvironmentBundle changed = Sample();
  changed.files["robot.toml"] += "#";
  EXPECT_NE(changed.hash(), sample.hash());
  changed = Sample();
  auto moved = changed.files.extract("meshes/leg.obj");
  moved.key() = "meshes/arm.obj";
  changed.files.insert(std::move(moved));
  EXPECT_NE(changed.hash(), sample.hash());
  // Moving a byte from one file's end to the next file's name gives another bundle.
  const EnvironmentBundle a{.id = "", .rewards = "", .spec = "", .files = {{"a", "x"}, {"b", ""}}};
  const EnvironmentBundle b{.id = "", .rewards = "", .spec = "", .files = {{"a", ""}, {"xb", ""}}};
  EXPECT_NE(a.hash(), b.hash());
}

TEST(EnvironmentBundle, TravelsInsideAnArtefact) {
  const test::ScratchFolder scratch;
  ArtifactWriter writer(scratch.path() / "a", "model");
  WriteBundle(Sample(), writer);
  writer.Commit(nlohmann::json::object());
  fs::rename(scratch.path() / "a", scratch.path() / "moved");
  const EnvironmentBundle read =
      ReadBundle(ToJson(Sample()), Artifact::Open(scratch.path() / "moved", "model"));
  EXPECT_EQ(read.id, "robot-v0");
  EXPECT_EQ(read.rewards, "fast");
  EXPECT_EQ(read.spec, "robot.toml");
  EXPECT_EQ(read.files, Sample().files);

  nlohmann::json other = ToJson(Sample());
  other["hash"] = std::string(64, '0');
  EXPECT_THAT(
      ErrorOf([&] { ReadBundle(other, Artifact::Open(scratch.path() / "moved", "model")); }),
      HasSubstr("the files in environment/ are not those of its environment 'robot-v0'"));
}

TEST(EnvironmentBundle, TravelsInAPlainFolder) {
  const test::ScratchFolder scratch;
  WriteBundle(Sample(), scratch.path());
  EXPECT_EQ(ReadBundle(ToJson(Sample()), scratch.path()).files, Sample().files);
  EXPECT_FALSE(ReadBundle(ToJson(Sample()), scratch.path() / "elsewhere").has_files());
  fs::create_symlink("/etc/hostname", scratch.path() / "environment/link");
  EXPECT_THAT(ErrorOf([&] { ReadBundle(ToJson(Sample()), scratch.path()); }),
              HasSubstr("symbolic link"));
}

TEST(EnvironmentBundle, OneIdentityCheck) {
  const auto complaint = [](const EnvironmentBundle& other) {
    return ErrorOf([&] { RequireSameEnvironment(Sample(), "the dataset", other, "the model"); });
  };
  EXPECT_EQ(complaint(Sample()), "");
  EnvironmentBundle other = Sample();
  other.id = "ant";
  EXPECT_EQ(
      complaint(other),
      "the dataset belongs to 'robot-v0' with the rewards 'fast', the model to 'ant' with the "
      "rewards 'fast'");
  other = Sample();
  other.rewards = "";
  EXPECT_THAT(complaint(other), HasSubstr("the model to 'robot-v0'"));
  other = Sample();
  other.files["robot.toml"] = "changed";
  EXPECT_THAT(complaint(other), HasSubstr("different versions of 'robot-v0'"));
  other.files.clear();  // recorded elsewhere: only names can be compared
  EXPECT_EQ(complaint(other), "");
}

}  // namespace
}  // namespace rhumb::core
