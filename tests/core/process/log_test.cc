#include "rhumb/core/process/log.h"

#include <gtest/gtest.h>

#include <string>

#include "rhumb/core/process/progress.h"

namespace rhumb::core {
namespace {

class LogTest : public testing::Test {
 protected:
  ~LogTest() override { SetLogLevel(LogLevel::kInfo); }

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
    WriteLog(LogLevel::kError, "no");
    LogDebug("hidden");
  });
  EXPECT_EQ(text, "rhumb: 7 environments\nrhumb: warning: 3 episodes diverged\nrhumb: error: no\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST_F(LogTest, TextIsNotReadAsAFormat) {
  EXPECT_EQ(StderrOf([] { LogInfo("{}", "{} %v {9}"); }), "rhumb: {} %v {9}\n");
}

TEST_F(LogTest, LevelDropsWhatIsBelow) {
  SetLogLevel(LogLevel::kWarning);
  EXPECT_EQ(StderrOf([] { LogInfo("a"); }), "");
  EXPECT_EQ(StderrOf([] { LogWarning("b"); }), "rhumb: warning: b\n");
  SetLogLevel(LogLevel::kDebug);
  EXPECT_EQ(StderrOf([] { LogDebug("c"); }), "rhumb: debug: c\n");
  EXPECT_EQ(CurrentLogLevel(), LogLevel::kDebug);
}

TEST_F(LogTest, ATextFromAFileStaysInItsLine) {
  EXPECT_EQ(StderrOf([] { LogInfo("{} is new", "a\nrhumb: error: fake\x1b[2J"); }),
            "rhumb: a rhumb: error: fake [2J is new\n");
}

TEST_F(LogTest, ALongTextFromAFileIsCut) {
  const std::string text = StderrOf([] { LogWarning("{} is bad", std::string(100'000, 'x')); });
  EXPECT_EQ(text.size(), 301u);
  EXPECT_TRUE(text.starts_with("rhumb: warning: xx") && text.ends_with("xx is bad\n")) << text;
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
