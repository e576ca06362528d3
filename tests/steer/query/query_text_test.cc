#include "rhumb/steer/query/query_text.h"

#include <gtest/gtest.h>

#include <string>

#include "rhumb/steer/query/query_parser.h"

namespace rhumb::steer {
namespace {

TEST(QueryText, TermsAreWrittenInTheirSyntax) {
  EXPECT_EQ(TextOf(Target{"forward", 6000, 0}), "forward = 6000");
  EXPECT_EQ(TextOf(Target{"forward", 6000, 50}), "forward = 6000 +- 50");
  EXPECT_EQ(TextOf(Requirement{"energy", -3000, kUnbounded}), "energy >= -3000");
  EXPECT_EQ(TextOf(Requirement{"energy", -kUnbounded, -500}), "energy <= -500");
  EXPECT_EQ(TextOf(Requirement{"energy", -3000, -500}), "energy in [-3000, -500]");
  EXPECT_EQ(TextOf(Change{"energy", 0.8, 0}), "energy -20%");
}

// 1 + 33.333 / 100 needs a long percentage, and 1 / 3 has none.
TEST(QueryText, ChangesReadBackToTheSame) {
  for (const Change& change : {Change{"x", 1, -0.5}, Change{"x", 0.8, 5}, Change{"x", 1, 0},
                               Change{"x", 1 + 33.333 / 100, 0}, Change{"x", 1.0 / 3, 0}}) {
    EXPECT_EQ(ParseChange(TextOf(change)), change) << TextOf(change);
  }
  EXPECT_EQ(AmountOf(Change{"x", 1, -0.5}), "-0.5");
  EXPECT_EQ(AmountOf(Change{"x", 0.8, 5}), "*0.8 +5");
}

TEST(QueryText, QuotesStayShortAndOnOneLine) {
  EXPECT_EQ(Quote("a >= 3"), "'a >= 3'");
  EXPECT_EQ(Quote("a\n\x1b[2J\x7f"), "'a\\x0a\\x1b[2J\\x7f'");
  EXPECT_EQ(Quote(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
  EXPECT_EQ(Quote(std::string(61, 'x')), "'" + std::string(57, 'x') + "...'");
}

}  // namespace
}  // namespace rhumb::steer
