#include "rhumb/pipeline/stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// A stage whose program is the shell and whose words are a script.
Stage Document(const std::string& script, std::vector<std::string> inputs = {}) {
  return {"out.json", {"-c", script}, {}, std::move(inputs)};
}

// Makes an artefact without files.
const std::string kMakeArtifact =
    "mkdir a && printf '{\"kind\": \"x\", \"files\": {}}' > a/manifest.json";
Stage Artifact(const std::string& script) { return {"a", {"-c", script}, {}, {}}; }

void RunAloneIn(const test::ScratchFolder& folder, const Stage& stage) {
  RunStage(stage, folder.path(), "/bin/sh");
}

std::optional<core::CommandFailed> FailureOf(const test::ScratchFolder& folder,
                                             const Stage& stage) {
  try {
    RunAloneIn(folder, stage);
  } catch (const core::CommandFailed& end) {
    return end;
  }
  return std::nullopt;
}

TEST(Stage, StdoutBecomesTheDocumentInTheFolder) {
  const test::ScratchFolder folder;
  const Stage stage = Document("cat input; echo beside > beside", {"input"});
  folder.Write("input", "[1, 2]");
  EXPECT_FALSE(IsUpToDate(stage, folder.path()));
  RunAloneIn(folder, stage);
  EXPECT_EQ(test::Contents(folder.path() / "out.json"), "[1, 2]");
  EXPECT_TRUE(IsUpToDate(stage, folder.path()));
  EXPECT_THAT(folder.List(), UnorderedElementsAre("input", "beside", "out.json", "out.json.stamp"));
  const std::optional<Stamp> stamp = ReadStamp(folder.path(), stage);
  ASSERT_TRUE(stamp);
  EXPECT_EQ(stamp->command, stage.command());
  EXPECT_GT(stamp->wall_seconds, 0);
}

TEST(Stage, IsStaleWhenWordsOrInputsChangeAndNotWhenTheMachineDoes) {
  const test::ScratchFolder folder;
  Stage stage = Document("cat input", {"input"});
  folder.Write("input", "1");
  RunAloneIn(folder, stage);
  stage.machine_words = {"--threads", "16"};
  EXPECT_TRUE(IsUpToDate(stage, folder.path()));
  stage.words.back() = "cat input input";
  EXPECT_FALSE(IsUpToDate(stage, folder.path()));
  stage.words.back() = "cat input";
  EXPECT_TRUE(IsUpToDate(stage, folder.path()));
  folder.Write("input", "2");
  EXPECT_FALSE(IsUpToDate(stage, folder.path()));
  RunAloneIn(folder, stage);
  EXPECT_TRUE(IsUpToDate(stage, folder.path()));
  EXPECT_EQ(test::Contents(folder.path() / "out.json"), "2");
  // Only the content counts, not the file's time.
  folder.Write("input", "2");
  EXPECT_TRUE(IsUpToDate(stage, folder.path()));
  fs::remove(folder.path() / "out.json");
  EXPECT_FALSE(IsUpToDate(stage, folder.path()));
}

TEST(Stage, AnInputThatIsNotThereIsAnError) {
  const test::ScratchFolder folder;
  EXPECT_THAT(test::ErrorOf([&] { RunAloneIn(folder, Document("echo 1", {"input"})); }),
              HasSubstr("/input"));
  EXPECT_THAT(folder.List(), UnorderedElementsAre());
}

TEST(Stage, AFailureHasTheCodeAndTheCommandAndLeavesNoOutput) {
  const test::ScratchFolder folder;
  const Stage stage = Document("echo half; exit 3");
  const auto end = FailureOf(folder, stage);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->code, 3);
  EXPECT_THAT(end->message, HasSubstr("out.json"));
  EXPECT_THAT(end->message, HasSubstr("`sh -c 'echo half; exit 3'`"));
  EXPECT_THAT(folder.List(), UnorderedElementsAre("out.json.stamp"));
  EXPECT_FALSE(IsUpToDate(stage, folder.path()));
}

TEST(Stage, WordsThatAreKeptAreShownWhereTheCommandFails) {
  const test::ScratchFolder folder;
  testing::internal::CaptureStderr();
  RunStage(Document("echo aside >&2; echo 1"), folder.path(), "/bin/sh", Voice::kKept);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  EXPECT_THROW(
      RunStage(Document("echo trouble >&2; exit 2"), folder.path(), "/bin/sh", Voice::kKept),
      core::CommandFailed);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "trouble\n");
  EXPECT_THAT(folder.List(), UnorderedElementsAre("out.json.stamp"));
}

TEST(Stage, ADamagedStampIsNone) {
  const test::ScratchFolder folder;
  const Stage stage = Document("echo 1");
  RunAloneIn(folder, stage);
  for (const char* text : {"", "[]", "{\"hash\": 1}"}) {
    folder.Write("out.json.stamp", text);
    EXPECT_FALSE(ReadStamp(folder.path(), stage));
    EXPECT_FALSE(IsUpToDate(stage, folder.path()));
  }
}

TEST(Stage, AnArtefactThatIsDamagedIsMadeAgain) {
  const test::ScratchFolder folder;
  const Stage stage = Artifact(kMakeArtifact);
  RunAloneIn(folder, stage);
  EXPECT_TRUE(IsUpToDate(stage, folder.path()));
  folder.Write("a/manifest.json", "{");
  EXPECT_FALSE(IsUpToDate(stage, folder.path()));
  RunAloneIn(folder, stage);
  EXPECT_TRUE(IsUpToDate(stage, folder.path()));
  EXPECT_THAT(folder.List(), UnorderedElementsAre("a", "a.stamp"));
}

TEST(Stage, TheHashOfAnArtefactIsThatOfItsManifest) {
  const test::ScratchFolder folder;
  RunAloneIn(folder, Artifact(kMakeArtifact));
  const Stage stage = Document("echo 1", {"a"});
  RunAloneIn(folder, stage);
  folder.Write("a/picture.png", "no part of it");
  EXPECT_TRUE(IsUpToDate(stage, folder.path()));
  folder.Write("a/manifest.json", "{\"kind\": \"y\", \"files\": {}}");
  EXPECT_FALSE(IsUpToDate(stage, folder.path()));
}

// The first run starts and fails. The second writes the work folder it finds into "found".
TEST(Stage, OnlyTheSameCommandGoesOnFromTheWorkFolder) {
  const std::string script =
      "ls -d a.work > found 2>/dev/null || { mkdir a.work; exit 1; }; rmdir a.work; " +
      kMakeArtifact;
  const test::ScratchFolder folder;
  Stage stage = Artifact(script);
  EXPECT_EQ(FailureOf(folder, stage)->code, 1);
  EXPECT_TRUE(fs::exists(folder.path() / "a.work"));
  stage.machine_words = {"--threads", "2"};
  EXPECT_EQ(FailureOf(folder, stage)->code, 1);
  EXPECT_EQ(test::Contents(folder.path() / "found"), "");
  const double seconds = ReadStamp(folder.path(), stage)->wall_seconds;
  RunAloneIn(folder, stage);
  EXPECT_EQ(test::Contents(folder.path() / "found"), "a.work\n");
  EXPECT_GT(ReadStamp(folder.path(), stage)->wall_seconds, seconds);
}

// Runs in its own process, since an interrupt cannot be reset.
TEST(StageDeathTest, AnInterruptReachesTheChildOnceAndIsTheEnd) {
  const test::ScratchFolder folder;
  const Stage stage = Document(
      "trap 'echo saved >> saved; sleep 0.1; exit 130' INT; kill -INT $PPID; "
      "while true; do sleep 0.01; done");
  EXPECT_EXIT(
      {
        core::CatchInterrupts();
        const auto end = FailureOf(folder, stage);
        ::_exit(end ? end->code : core::kSuccess);
      },
      testing::ExitedWithCode(core::kInterrupted), "");
  EXPECT_EQ(test::Contents(folder.path() / "saved"), "saved\n");
  EXPECT_THAT(folder.List(), UnorderedElementsAre("saved", "out.json.stamp"));
}

TEST(FormatCommand, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(FormatCommand({"rhumb", "--set", "ppo.hidden=32,32"}), "rhumb --set ppo.hidden=32,32");
  EXPECT_EQ(FormatCommand({"energy>=-3", "", "it's"}), "'energy>=-3' '' 'it'\\''s'");
}

}  // namespace
}  // namespace rhumb::pipeline
