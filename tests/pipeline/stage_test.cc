#include "rhumb/pipeline/stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
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

// While it lives, no file can be opened.
class TooManyOpenFiles {
 public:
  TooManyOpenFiles() {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    const rlimit none = {0, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  }
  ~TooManyOpenFiles() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before_), 0); }

 private:
  rlimit before_{};
};

// Else a moment with too many open files would delete hours of training.
TEST(Stage, AnOutputThatCannotBeOpenedIsNotTakenForADamagedOne) {
  const test::ScratchFolder folder;
  const Stage stage = Artifact(kMakeArtifact);
  RunAloneIn(folder, stage);
  EXPECT_THAT(test::ErrorOf([&] {
                const TooManyOpenFiles limit;
                IsUpToDate(stage, folder.path());
              }),
              HasSubstr("a.stamp: Too many open files"));
  EXPECT_TRUE(IsUpToDate(stage, folder.path()));
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

// Joining parts is another way to the same output: the stamp does not tell, but has all times.
TEST(Stage, APartedStageIsJoined) {
  const test::ScratchFolder folder;
  const Stage part{"part",
                   {"-c",
                    "mkdir part && printf '{\"kind\": \"x\", \"files\": {}}' > "
                    "part/manifest.json; sleep 0.1"}};
  RunAloneIn(folder, part);
  Stage whole = Artifact("exit 1");
  whole.parts = {"part"};
  whole.join_words = {"-c", "cp -r part a"};
  RunAloneIn(folder, whole);
  EXPECT_TRUE(IsUpToDate(whole, folder.path()));
  EXPECT_TRUE(IsUpToDate(Artifact("exit 1"), folder.path()));
  EXPECT_EQ(ReadStamp(folder.path(), whole)->command, whole.words);
  EXPECT_GT(ReadStamp(folder.path(), whole)->wall_seconds, 0.1);
  whole.join_words = {"-c", "exit 4"};
  EXPECT_THAT(FailureOf(folder, whole)->message, HasSubstr("`sh -c 'exit 4'`"));
}

TEST(TakeOutput, TakesWhatWasMadeFromTheSameInputs) {
  const test::ScratchFolder here, there;
  const Stage document = Document("cat input", {"input"}), artifact = Artifact(kMakeArtifact);
  for (const test::ScratchFolder* folder : {&here, &there}) folder->Write("input", "1");
  EXPECT_FALSE(TakeOutput(document, there.path(), here.path()));
  RunAloneIn(there, document);
  RunAloneIn(there, artifact);
  EXPECT_TRUE(TakeOutput(document, there.path(), here.path()));
  EXPECT_TRUE(TakeOutput(artifact, there.path(), here.path()));
  EXPECT_TRUE(IsUpToDate(document, here.path()));
  EXPECT_TRUE(IsUpToDate(artifact, here.path()));
  EXPECT_THAT(here.List(),
              UnorderedElementsAre("input", "out.json", "out.json.stamp", "a", "a.stamp"));
  // Other inputs, or a command that failed: nothing is taken.
  here.Write("input", "2");
  EXPECT_FALSE(TakeOutput(document, there.path(), here.path()));
  EXPECT_EQ(test::Contents(here.path() / "out.json"), "1");
  fs::remove(there.path() / "a" / "manifest.json");
  EXPECT_FALSE(TakeOutput(artifact, there.path(), here.path()));
}

TEST(TakeOutput, ADamagedArtefactIsNotTaken) {
  const test::ScratchFolder here, there;
  const std::string zero =
      "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9";  // of "0"
  const Stage stage = Artifact(
      "mkdir a && printf 0 > a/f && printf '{\"kind\": \"x\", \"files\": {\"f\": {\"bytes\": 1, "
      "\"sha256\": \"" +
      zero + "\"}}}' > a/manifest.json");
  RunAloneIn(there, stage);
  there.Write("a/f", "1");
  EXPECT_THAT(test::ErrorOf([&] { TakeOutput(stage, there.path(), here.path()); }),
              HasSubstr("contents of f have changed"));
  EXPECT_THAT(here.List(), UnorderedElementsAre());
}

TEST(FormatCommand, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(FormatCommand({"rhumb", "--set", "ppo.hidden=32,32"}), "rhumb --set ppo.hidden=32,32");
  EXPECT_EQ(FormatCommand({"energy>=-3", "", "it's"}), "'energy>=-3' '' 'it'\\''s'");
}

}  // namespace
}  // namespace rhumb::pipeline
