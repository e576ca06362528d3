#include "rhumb/core/process/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace rhumb::core {
namespace {

class ProgressTest : public testing::Test {
 protected:
  ProgressTest() : out_(std::fopen((folder_.path() / "out").c_str(), "w")) {}
  ~ProgressTest() override { std::fclose(out_); }

  ProgressOptions Options(int columns) {
    ProgressOptions options;
    options.out = out_;
    options.columns = columns;
    options.now = [this] { return now_; };
    return options;
  }
  void Wait(double seconds) {
    now_ += std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(seconds));
  }
  std::string Output() const { return test::Contents(folder_.path() / "out"); }

  test::ScratchFolder folder_;
  std::FILE* out_;
  std::chrono::steady_clock::time_point now_{};
};

TEST(FormatDuration, IsShort) {
  EXPECT_EQ(FormatDuration(0.4), "0s");
  EXPECT_EQ(FormatDuration(59.4), "59s");
  EXPECT_EQ(FormatDuration(59.6), "1m00s");
  EXPECT_EQ(FormatDuration(65), "1m05s");
  EXPECT_EQ(FormatDuration(7384), "2h03m");
  EXPECT_EQ(FormatDuration(1e300), "over 100h");
}

TEST_F(ProgressTest, WithoutATerminalALineEveryFiveSeconds) {
  {
    Progress progress("collect", 100, Options(0));
    Wait(1);
    progress.Advance(10);  // too soon to be shown
    Wait(4);
    progress.SetSuffix("return 12");
    progress.Advance(10);
    Wait(4.9);
    progress.Advance(10);
    Wait(0.1);
    progress.Advance(70);
  }
  // 20 of 100 took 5 s, so the other 80 take 20 s.
  EXPECT_EQ(Output(),
            "collect:   0%  0/100\n"
            "collect:  20%  20/100  ETA 20s  return 12\n"
            "collect: 100%  100/100  ETA 0s  return 12\n"
            "collect: 100%  100/100  in 10s  return 12\n");
}

TEST_F(ProgressTest, OnATerminalOneLineTenTimesASecond) {
  {
    Progress progress("fit", 4, Options(60));
    Wait(0.05);
    progress.Advance();  // too soon to be shown
    Wait(0.05);
    progress.Advance();
    Wait(1.9);
    progress.Advance();
  }
  EXPECT_EQ(Output(),
            "\rfit [........................]  0%  0/4\x1b[K"
            "\rfit [############............] 50%  2/4  ETA 0s\x1b[K"
            "\rfit [##################......] 75%  3/4  ETA 1s\x1b[K"
            "\rfit [##################......] 75%  3/4  in 2s\x1b[K\n");
}

TEST_F(ProgressTest, NeverWiderThanTheTerminal) {
  {
    Progress progress("a label that is rather long \xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4,
                      Options(32));
  }
  // 31 columns: 28 for the words, and three letters of two bytes each.
  EXPECT_EQ(Output(),
            "\ra label that is rather long \xc3\xa9\xc3\xa9\xc3\xa9\x1b[K"
            "\ra label that is rather long \xc3\xa9\xc3\xa9\xc3\xa9\x1b[K\n");
}

TEST_F(ProgressTest, ResumedUnitsDoNotShortenTheEstimate) {
  ProgressOptions options = Options(0);
  options.resumed = 50;
  Progress progress("train", 100, options);
  Wait(10);
  progress.Advance(10);  // 10 took 10 s, so the other 40 take 40 s
  EXPECT_THAT(Output(), testing::HasSubstr("train:  60%  60/100  ETA 40s\n"));
}

TEST_F(ProgressTest, QuietWritesNothing) {
  ProgressOptions options = Options(0);
  options.quiet = true;
  {
    Progress progress("train", 2, options);
    Wait(10);
    progress.Advance(2);
    EXPECT_EQ(progress.done(), 2);
  }
  EXPECT_EQ(Output(), "");
}

TEST_F(ProgressTest, FinishesOnceAndIsSilentAfter) {
  Progress progress("train", 0, Options(0));
  progress.Finish();
  progress.Finish();
  Wait(10);
  progress.Advance();
  EXPECT_EQ(Output(), "train: 100%  0/0\ntrain: 100%  0/0  in 0s\n");
}

TEST_F(ProgressTest, AFileIsNoTerminal) {
  { Progress progress("train", 1, Options(-1)); }
  EXPECT_EQ(Output(), "train:   0%  0/1\ntrain:   0%  0/1  in 0s\n");
}

TEST_F(ProgressTest, CountsFromManyThreads) {
  ProgressOptions options = Options(0);
  options.now = std::chrono::steady_clock::now;
  options.seconds_between_lines = 1e-6;
  {
    Progress progress("train", 4000, options);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&progress] {
        for (int i = 0; i < 1000; ++i) {
          progress.Advance();
          if (i % 100 == 0) progress.SetSuffix(std::to_string(i));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(progress.done(), 4000);
  }
  EXPECT_THAT(Output(), testing::HasSubstr("train: 100%  4000/4000  in "));
}

}  // namespace
}  // namespace rhumb::core
