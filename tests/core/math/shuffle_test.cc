#include "rhumb/core/math/shuffle.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace rhumb::core {
namespace {

// Two items swap exactly if the first draw below 2 is 0.
TEST(Shuffle, TwoItemsByHand) {
  for (std::uint32_t unit = 0; unit < 20; ++unit) {
    Stream noise(1, Purpose::kAction, unit), same = noise;
    std::vector<int> items = {7, 8};
    Shuffle(std::span(items), noise);
    EXPECT_EQ(items.front(), same.Below(2) == 0 ? 8 : 7);
  }
}

// 6000 orders of three: each of the six about 1000 times, within 5 sigma of sqrt(6000 * 5/36) = 29.
TEST(Shuffle, EveryOrderIsAsLikely) {
  Stream noise(1, Purpose::kAction);
  std::map<std::vector<int>, int> seen;
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> items = {0, 1, 2};
    Shuffle(std::span(items), noise);
    ++seen[items];
  }
  ASSERT_EQ(seen.size(), 6u);
  for (const auto& [order, count] : seen) EXPECT_NEAR(count, 1000, 145);
}

}  // namespace
}  // namespace rhumb::core
