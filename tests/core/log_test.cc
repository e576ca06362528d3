#include "rhumb/core/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rhumb/core/progress.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::core {
namespace {

class LogTest : public testing::Test {
 protected:
  ~LogTest() override { SetUpLog(LogLevel::kInfo); }

  template <class Action>
  std::string StderrOf(Action action) {
    testing::internal::CaptureStderr();
    action();
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(LogTest, WritesPlainLinesToStderrAndNothingToStdout) {
  testing::internal::CaptureStdout();
  const std::string text = StderrOf([] {
    LogInfo("{} environments", 7);
    LogWarning("{} episodes diverged", 3);
    LogError("no");
    LogDebug("hidden");
  });
  EXPECT_EQ(text, "rhumb: 7 environments\nrhumb: warning: 3 episodes diverged\nrhumb: error: no\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST_F(LogTest, TextIsNotReadAsAFormat) {
  EXPECT_EQ(StderrOf([] { LogInfo("{}", "{} %v {9}"); }), "rhumb: {} %v {9}\n");
}

TEST_F(LogTest, LevelDropsWhatIsBelow) {
  SetUpLog(LogLevel::kWarning);
  EXPECT_EQ(StderrOf([] { LogInfo("a"); }), "");
  EXPECT_EQ(StderrOf([] { LogWarning("b"); }), "rhumb: warning: b\n");
  SetUpLog(LogLevel::kDebug);
  EXPECT_EQ(StderrOf([] { LogDebug("c"); }), "rhumb: debug: c\n");
  SetUpLog(LogLevel::kOff);
  EXPECT_EQ(StderrOf([] { LogError("d"); }), "");
}

TEST_F(LogTest, FileGetsTheLinesWithTheirTimes) {
  const test::ScratchFolder folder;
  SetUpLog(LogLevel::kInfo, folder.path() / "run.log");
  StderrOf([] { LogWarning("b"); });
  EXPECT_THAT(test::Contents(folder.path() / "run.log"),
              testing::MatchesRegex("....-..-..T..:..:......[+-]..:.. warning: b\n"));
}

TEST_F(LogTest, FileThatCannotBeOpenedIsAnError) {
  const test::ScratchFolder folder;
  const auto path = folder.Write("plain", "") / "run.log";
  EXPECT_THAT(test::ErrorOf([&] { SetUpLog(LogLevel::kInfo, path); }),
              testing::StartsWith("cannot write the log "));
}

TEST_F(LogTest, WipesAProgressBarFirst) {
  EXPECT_EQ(StderrOf([] {
              Progress progress("job", 2, {.columns = 80});
              LogInfo("a line");
            }),
            "\rjob [........................]  0%  0/2\x1b[K"
            "\r\x1b[Krhumb: a line\n"
            "\rjob [........................]  0%  0/2  in 0s\x1b[K\n");
  EXPECT_EQ(StderrOf([] { LogInfo("a line"); }), "rhumb: a line\n");
}

}  // namespace
}  // namespace rhumb::core
