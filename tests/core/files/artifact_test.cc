#include "rhumb/core/files/artifact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "rhumb/core/files/file.h"
#include "rhumb/core/files/hash.h"
#include "rhumb/core/version.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/small_disk.h"

namespace rhumb::core {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;

class ArtifactTest : public testing::Test {
 protected:
  // Writes a dataset of two files, with `text` in one of them.
  void WriteDataset(const std::string& text, Existing existing = Existing::kRefuse) const {
    ArtifactWriter writer(path_, "dataset", existing);
    WriteFileAtomically(writer.file("data.txt"), text);
    WriteFileAtomically(writer.file("parts/0.bin"), "abc");
    writer.Commit({{"seed", 3}});
  }
  std::string OpenError() const {
    return test::ErrorOf([&] { Artifact::Open(path_, "dataset"); });
  }
  std::string TextOf() const {
    const Artifact artifact = Artifact::Open(path_, "dataset");
    artifact.Verify();
    return test::Contents(artifact.file("data.txt"));
  }

  test::ScratchFolder folder_;
  fs::path path_ = folder_.path() / "set";
};

TEST_F(ArtifactTest, HasWhatWasWrittenAndAManifest) {
  WriteDataset("hello");
  const Artifact artifact = Artifact::Open(path_, "dataset");
  EXPECT_EQ(artifact.kind(), "dataset");
  EXPECT_EQ(test::Contents(artifact.file("parts/0.bin")), "abc");
  const nlohmann::json& manifest = artifact.manifest();
  EXPECT_EQ(manifest["rhumb"], kVersion);
  EXPECT_EQ(manifest["seed"], 3);
  EXPECT_EQ(manifest["files"]["parts/0.bin"],
            nlohmann::json({{"bytes", 3}, {"sha256", Sha256("abc")}}));
  EXPECT_EQ(manifest["files"].size(), 2u);
  EXPECT_GE(manifest["wall_seconds"], 0.0);
  EXPECT_THAT(manifest["created"].get<std::string>(),
              testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_EQ(artifact.hash(), Sha256(test::Contents(path_ / "manifest.json")));
  artifact.Verify();
  EXPECT_THAT(folder_.List(), UnorderedElementsAre("set"));
}

TEST_F(ArtifactTest, WithoutCommitNothingAppears) {
  {
    const ArtifactWriter writer(path_, "dataset");
    WriteFileAtomically(writer.file("data.txt"), "hello");
    EXPECT_FALSE(fs::exists(path_));
  }
  EXPECT_THAT(folder_.List(), UnorderedElementsAre());
}

TEST_F(ArtifactTest, MakesMissingParents) {
  ArtifactWriter writer(folder_.path() / "runs/a/set", "dataset");
  writer.Commit(nlohmann::json::object());
  Artifact::Open(folder_.path() / "runs/a/set", "").Verify();
}

TEST_F(ArtifactTest, RefusesOrReplacesAnOlderOne) {
  WriteDataset("old");
  EXPECT_THAT(test::ErrorOf([&] { WriteDataset("new"); }),
              EndsWith("set: it already exists; remove it or choose another path"));
  EXPECT_EQ(TextOf(), "old");
  WriteDataset("newer", Existing::kReplace);
  EXPECT_EQ(TextOf(), "newer");
  EXPECT_THAT(folder_.List(), UnorderedElementsAre("set"));
}

TEST_F(ArtifactTest, OneThatAppearedMeanwhileIsNotOverwritten) {
  ArtifactWriter late(path_, "dataset");
  WriteDataset("first");
  EXPECT_THAT(test::ErrorOf([&] { late.Commit({{"seed", 1}}); }), HasSubstr("it already exists"));
  EXPECT_EQ(TextOf(), "first");
}

TEST_F(ArtifactTest, NeverReplacesWhatIsNoArtifact) {
  fs::create_directory(path_);
  folder_.Write("set/thesis.tex", "years of work");
  EXPECT_THAT(test::ErrorOf([&] { WriteDataset("new", Existing::kReplace); }),
              HasSubstr("it exists and is not an artefact"));
  EXPECT_EQ(test::Contents(path_ / "thesis.tex"), "years of work");
  EXPECT_THAT(folder_.List(), UnorderedElementsAre("set"));
}

TEST_F(ArtifactTest, NeverReplacesALinkOrAnotherUsersFolder) {
  WriteDataset("old");
  fs::rename(path_, folder_.path() / "elsewhere");
  fs::create_symlink("elsewhere", path_);
  EXPECT_THAT(test::ErrorOf([&] { WriteDataset("new", Existing::kReplace); }),
              HasSubstr("a symbolic link is there"));
  EXPECT_TRUE(fs::is_symlink(path_));
  fs::remove(path_);
  fs::rename(folder_.path() / "elsewhere", path_);
  if (::chown(path_.c_str(), 4321, 4321) != 0) GTEST_SKIP() << "only root can give a folder away";
  EXPECT_THAT(test::ErrorOf([&] { WriteDataset("new", Existing::kReplace); }),
              HasSubstr("it belongs to another user"));
}

TEST_F(ArtifactTest, RefusesNamesThatLeaveTheFolder) {
  const ArtifactWriter writer(path_, "dataset");
  for (const char* name : {"../x", "/tmp/x", "a/../../x", "", "manifest.json"}) {
    EXPECT_NE(test::ErrorOf([&] { writer.file(name); }), "") << name;
  }
}

TEST_F(ArtifactTest, WhatIsNoArtifactIsAnError) {
  EXPECT_THAT(OpenError(), testing::AllOf(StartsWith("there is no folder "), EndsWith("set")));
  fs::create_directory(path_);
  EXPECT_THAT(OpenError(),
              EndsWith("set is not a dataset folder of rhumb: manifest.json is missing"));
}

TEST_F(ArtifactTest, AnotherKindIsAnError) {
  WriteDataset("hello");
  EXPECT_THAT(test::ErrorOf([&] { Artifact::Open(path_, "model"); }),
              EndsWith("set is a dataset, not a model"));
  EXPECT_EQ(Artifact::Open(path_, "").kind(), "dataset");
}

TEST_F(ArtifactTest, DamageIsAnErrorThatNamesTheFile) {
  WriteDataset("hello");
  folder_.Write("set/data.txt", "jello");
  const Artifact artifact = Artifact::Open(path_, "dataset");
  EXPECT_THAT(test::ErrorOf([&] { artifact.Verify(); }),
              EndsWith("set is damaged: the contents of data.txt have changed"));
  folder_.Write("set/data.txt", "hell");
  EXPECT_THAT(OpenError(), EndsWith("set is damaged: data.txt has 4 bytes, not 5"));
  fs::remove(path_ / "data.txt");
  EXPECT_THAT(OpenError(), EndsWith("set is damaged: data.txt is missing"));
  ASSERT_EQ(::mkfifo((path_ / "data.txt").c_str(), 0600), 0);
  EXPECT_THAT(OpenError(), EndsWith("set is damaged: data.txt is not a regular file"));
}

TEST_F(ArtifactTest, DamagedManifestsAreErrors) {
  WriteDataset("hello");
  const std::string manifest = test::Contents(path_ / "manifest.json");
  folder_.Write("set/manifest.json", manifest.substr(0, manifest.size() / 2));
  EXPECT_THAT(OpenError(), HasSubstr("manifest.json: not valid JSON at byte "));
  folder_.Write("set/manifest.json", "");
  EXPECT_THAT(OpenError(), HasSubstr("manifest.json: not valid JSON at byte "));
  for (const char* text :
       {"3", "{}", R"({"kind": 1, "files": {}})", R"({"kind": "dataset", "files": []})",
        R"({"kind": "dataset", "files": {"a": {"bytes": -1, "sha256": ""}}})",
        R"({"kind": "dataset", "files": {"a": {"bytes": 1}}})"}) {
    folder_.Write("set/manifest.json", text);
    EXPECT_THAT(OpenError(), HasSubstr("manifest.json is damaged")) << text;
  }
  folder_.Write("set/manifest.json",
                R"({"kind": "dataset", "files": {"../x": {"bytes": 1, "sha256": ""}}})");
  EXPECT_THAT(OpenError(), HasSubstr("'../x' has '..' in it"));
}

TEST_F(ArtifactTest, FilesThatAreNotListedAreErrors) {
  WriteDataset("hello");
  const Artifact artifact = Artifact::Open(path_, "dataset");
  EXPECT_THAT(test::ErrorOf([&] { artifact.file("data.tx"); }),
              EndsWith("set has no file 'data.tx'; did you mean 'data.txt'?"));
}

TEST_F(ArtifactTest, OnAFullDiskTheOldOneStays) {
  const test::SmallDisk disk(folder_.path());
  WriteDataset("old");
  EXPECT_THAT(test::ErrorOf([&] { WriteDataset(std::string(1 << 20, 'x'), Existing::kReplace); }),
              testing::ContainsRegex("^cannot write .*data.txt: (No space left|File too large)"));
  EXPECT_EQ(TextOf(), "old");
  // The files are intact, but the manifest is not.
  {
    ArtifactWriter writer(path_, "dataset", Existing::kReplace);
    EXPECT_THAT(test::ErrorOf([&] {
                  writer.Commit({{"config", std::string(1 << 20, 'x')}});
                }),
                testing::ContainsRegex("manifest.json: (No space left|File too large)"));
  }
  EXPECT_EQ(TextOf(), "old");
  EXPECT_THAT(folder_.List(), UnorderedElementsAre("set"));
}

TEST_F(ArtifactTest, InAReadOnlyFolderTheOldOneStays) {
  WriteDataset("old");
  const test::ReadOnlyFolder read_only(folder_.path());
  EXPECT_THAT(test::ErrorOf([&] { WriteDataset("new", Existing::kReplace); }),
              EndsWith("set: Permission denied"));
  EXPECT_EQ(TextOf(), "old");
}

TEST_F(ArtifactTest, KilledAtAnyMomentAGoodOneStays) {
  WriteDataset("0");
  for (int round = 0; round < 20; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int i = 0;; ++i) WriteDataset(std::string(100 + i % 7, 'x'), Existing::kReplace);
    }
    ::usleep(static_cast<useconds_t>(1000 + 1700 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_NE(TextOf(), "");
  }
  WriteDataset("last", Existing::kReplace);
  EXPECT_THAT(folder_.List(), UnorderedElementsAre("set"));
}

TEST_F(ArtifactTest, WhicheverAllocationFailsAGoodOneStays) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "a sanitizer has the allocator";
  WriteDataset("old");
  const std::size_t failed = test::FailEveryAllocationOfChildren(
      [&] { WriteDataset("new", Existing::kReplace); },
      [&] { EXPECT_THAT(TextOf(), testing::AnyOf("old", "new")); });
  EXPECT_GT(failed, 100u);
  EXPECT_EQ(TextOf(), "new");
  EXPECT_THAT(folder_.List(), UnorderedElementsAre("set"));
}

TEST_F(ArtifactTest, HashFollowsTheContents) {
  WriteDataset("one");
  const std::string first = Artifact::Open(path_, "dataset").hash();
  WriteDataset("two", Existing::kReplace);
  EXPECT_NE(Artifact::Open(path_, "dataset").hash(), first);
}

}  // namespace
}  // namespace rhumb::core
