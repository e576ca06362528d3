#include "rhumb/pipeline/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::pipeline {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// A stage whose program is the shell and whose words are a script.
Stage Made(const std::string& name, const std::string& script, std::vector<std::string> inputs) {
  return {name + ".json", {"-c", script}, {}, std::move(inputs)};
}

std::vector<std::string> RunIn(const test::ScratchFolder& folder, const std::vector<Stage>& stages,
                               int jobs) {
  return RunStages(stages, folder.path(), "/bin/sh", jobs);
}

// Creates its own file and waits for the other's. Two of these end only if they run in parallel.
std::string WaitFor(const std::string& own, const std::string& other) {
  return "touch " + own + "; for i in $(seq 500); do [ -e " + other +
         " ] && echo 1 && exit 0; sleep 0.01; done; exit 1";
}

TEST(Schedule, RunsOneAfterTheOtherInOrderAndThenNothing) {
  const test::ScratchFolder folder;
  const std::vector<Stage> stages = {Made("a", "echo 1", {}), Made("b", "cat a.json", {"a.json"}),
                                     Made("c", "echo 3", {})};
  EXPECT_THAT(RunIn(folder, stages, 1), ElementsAre("a.json", "b.json", "c.json"));
  EXPECT_EQ(test::Contents(folder.path() / "b.json"), "1\n");
  // Left by runs that were killed, one of them while it wrote the stamp for the second time.
  for (const char* left : {"a.json.log", ".a.json.stamp.tmp-4711-41", ".b.json.tmp-4711-0"}) {
    folder.Write(left, "");
  }
  EXPECT_THAT(RunIn(folder, stages, 1), IsEmpty());
  EXPECT_THAT(folder.List(), UnorderedElementsAre("a.json", "a.json.stamp", "b.json",
                                                  "b.json.stamp", "c.json", "c.json.stamp"));
}

TEST(Schedule, WhatDependsOnWhatIsGoneIsMadeAgainAndNothingElse) {
  const test::ScratchFolder folder;
  // The second `a` differs, since it counts its runs.
  const std::vector<Stage> stages = {Made("a", "echo x >> count; wc -l < count", {}),
                                     Made("b", "cat a.json", {"a.json"}),
                                     Made("c", "cat b.json", {"b.json"}), Made("d", "echo 4", {})};
  RunIn(folder, stages, 2);
  fs::remove(folder.path() / "a.json");
  EXPECT_THAT(RunIn(folder, stages, 2), ElementsAre("a.json", "b.json", "c.json"));
  fs::remove(folder.path() / "c.json");
  EXPECT_THAT(RunIn(folder, stages, 2), ElementsAre("c.json"));
}

TEST(Schedule, StagesThatDoNotNeedEachOtherRunBesideEachOther) {
  const test::ScratchFolder folder;
  const std::vector<Stage> stages = {Made("a", WaitFor("one", "two"), {}),
                                     Made("b", "cat a.json", {"a.json"}),
                                     Made("c", WaitFor("two", "one"), {})};
  EXPECT_THAT(RunIn(folder, stages, 2), UnorderedElementsAre("a.json", "b.json", "c.json"));
}

TEST(Schedule, AFailureLetsTheOthersEndAndBeginsNone) {
  const test::ScratchFolder folder;
  const std::vector<Stage> stages = {
      Made("a", "touch begun; exit 3", {}),
      Made("b", "until [ -e begun ]; do sleep 0.01; done; sleep 0.2; echo 2", {}),
      Made("c", "echo 3", {}), Made("d", "cat a.json", {"a.json"})};
  try {
    RunIn(folder, stages, 2);
    FAIL() << "a fails";
  } catch (const core::CommandFailed& end) {
    EXPECT_EQ(end.code, 3);
    EXPECT_THAT(end.message, HasSubstr("a.json"));
  }
  EXPECT_TRUE(fs::exists(folder.path() / "b.json"));
  EXPECT_FALSE(fs::exists(folder.path() / "c.json"));
  EXPECT_FALSE(fs::exists(folder.path() / "d.json"));
}

// Runs in its own process, since an interrupt cannot be reset.
TEST(ScheduleDeathTest, AnInterruptReachesAllThatRun) {
  const test::ScratchFolder folder;
  const std::string saves = "trap 'echo $0 >> saved; exit 130' INT; touch ";
  const std::string waits = "; while true; do sleep 0.01; done";
  const std::vector<Stage> stages = {
      Made("a", saves + "one" + waits, {}),
      Made("b", saves + "two; until [ -e one ]; do sleep 0.01; done; kill -INT $PPID" + waits, {}),
      Made("c", "echo 3", {})};
  EXPECT_EXIT(
      {
        core::CatchInterrupts();
        try {
          RunIn(folder, stages, 2);
        } catch (const core::CommandFailed& end) {
          ::_exit(end.code);
        }
      },
      testing::ExitedWithCode(core::kInterrupted), "");
  EXPECT_EQ(test::Contents(folder.path() / "saved"), "/bin/sh\n/bin/sh\n");
  EXPECT_FALSE(fs::exists(folder.path() / "c.json"));
}

}  // namespace
}  // namespace rhumb::pipeline
