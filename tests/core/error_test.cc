#include "rhumb/core/error.h"

#include <gtest/gtest.h>

#include "tests/support/error_expectation.h"

namespace rhumb::core {
namespace {

TEST(Error, FailFormatsItsSentence) {
  EXPECT_EQ(test::ErrorOf([] { Fail("a.toml:{}: envs = {}", 3, 0); }), "a.toml:3: envs = 0");
}

TEST(Error, CheckThatHoldsDoesNotFormat) {
  int formatted = 0;
  RHUMB_CHECK(1 + 1 == 2, "{}", ++formatted);
  EXPECT_EQ(formatted, 0);
}

TEST(ErrorDeathTest, CheckThatFailsAbortsWithConditionPlaceAndMessage) {
  EXPECT_DEATH(RHUMB_CHECK(1 + 1 == 3, "the sum is {}", 2),
               "the sum is 2 \\(1 \\+ 1 == 3 is false at .*error_test.cc:[0-9]+\\)");
}

}  // namespace
}  // namespace rhumb::core
