#include "rhumb/net/code_blend.h"

#include <gmock/gmock.h>

namespace rhumb::net {
namespace {

using ::testing::ElementsAre;

const std::vector<float> kStart = {0, 8}, kEnd = {4, 0};

TEST(CodeBlend, GoesStraight) {
  CodeBlend blend(2);
  blend.Start(kStart);
  EXPECT_FALSE(blend.Advance());
  blend.BlendTo(kEnd, 4);
  EXPECT_THAT(blend.code(), ElementsAre(0, 8)) << "the next step is the first to change";
  EXPECT_THAT(blend.target(), ElementsAre(4, 0));
  for (const float share : {0.25F, 0.5F, 0.75F}) {
    EXPECT_TRUE(blend.Advance());
    EXPECT_TRUE(blend.is_blending());
    EXPECT_THAT(blend.code(), ElementsAre(4 * share, 8 - 8 * share));
  }
  EXPECT_TRUE(blend.Advance());
  EXPECT_THAT(blend.code(), ElementsAre(4, 0));
  EXPECT_FALSE(blend.is_blending());
  EXPECT_FALSE(blend.Advance());
}

TEST(CodeBlend, OfNoStepsJumps) {
  for (const int steps : {0, 1}) {
    CodeBlend blend(2);
    blend.Start(kStart);
    blend.BlendTo(kEnd, steps);
    EXPECT_TRUE(blend.Advance());
    EXPECT_THAT(blend.code(), ElementsAre(4, 0));
    EXPECT_FALSE(blend.Advance());
  }
}

// Half way to (4, 0) it turns back.
TEST(CodeBlend, CanBeReplacedOnItsWay) {
  CodeBlend blend(2);
  blend.Start(kStart);
  blend.BlendTo(kEnd, 2);
  blend.Advance();
  blend.BlendTo(kStart, 2);
  blend.Advance();
  EXPECT_THAT(blend.code(), ElementsAre(1, 6));
  blend.Start(kEnd);
  EXPECT_THAT(blend.code(), ElementsAre(4, 0));
  EXPECT_FALSE(blend.Advance()) << "a start ends the blend";
}

}  // namespace
}  // namespace rhumb::net
