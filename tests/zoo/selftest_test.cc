#include "rhumb/zoo/selftest.h"

#include <gmock/gmock.h>

#include <string>

namespace rhumb::zoo {
namespace {

TEST(SelfTest, SaysTheSameEachTime) {
  const SelfTestReport first = RunSelfTest();
  EXPECT_THAT(first.signature, testing::MatchesRegex("[0-9a-f]+"));
  EXPECT_EQ(first.signature.size(), 16u);
  EXPECT_EQ(first.environments, 8);
  EXPECT_GE(first.models, 1);
  EXPECT_EQ(first.steps, 8 * 4 * 25 + first.models * 2 * 100);
  EXPECT_EQ(RunSelfTest().signature, first.signature);
}

}  // namespace
}  // namespace rhumb::zoo
