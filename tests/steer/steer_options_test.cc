#include "rhumb/steer/steer_options.h"

#include <gtest/gtest.h>

#include "tests/support/error_expectation.h"

namespace rhumb::steer {
namespace {

TEST(SteerOptions, PresetsDifferAsDocumented) {
  EXPECT_EQ(PresetOptions("default").start, "near");
  EXPECT_EQ(PresetOptions("default").starts, SteerOptions{}.starts);
  const SteerOptions paper = PresetOptions("paper");
  EXPECT_EQ(paper.start, "random");
  EXPECT_EQ(paper.starts, 1);
  EXPECT_EQ(paper.iterations, 2000);
  EXPECT_EQ(paper.heads, "labels");
  EXPECT_EQ(paper.penalty, 0);
  EXPECT_FALSE(paper.candidates);
  EXPECT_TRUE(paper.project);
  EXPECT_FALSE(PresetOptions("naive").project);
  EXPECT_EQ(PresetOptions("naive").starts, 1);
}

TEST(SteerOptions, EveryPresetIsWithinTheRanges) {
  for (const char* preset : {"default", "paper", "naive"}) {
    SteerOptions options = PresetOptions(preset);
    EXPECT_EQ(test::ErrorOf([&] { core::CheckRanges(options, preset); }), "");
    options.max_distance = -1;
    EXPECT_NE(test::ErrorOf([&] { core::CheckRanges(options, preset); }), "");
  }
}

TEST(SteerOptions, AnUnknownPresetIsAnError) {
  EXPECT_EQ(test::ErrorOf([] { PresetOptions("fast"); }),
            "unknown preset 'fast'; known: default, paper, naive");
}

}  // namespace
}  // namespace rhumb::steer
