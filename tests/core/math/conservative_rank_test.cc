#include "rhumb/core/math/conservative_rank.h"

#include <gtest/gtest.h>

namespace rhumb::core {
namespace {

// Of 99 values, the 90th bounds 90 %, and the 10th bounds 10 %.
TEST(ConservativeRank, ByHand) {
  EXPECT_EQ(ConservativeRank(99, 0.9), 89u);
  EXPECT_EQ(ConservativeRank(99, 0.1), 9u);
  EXPECT_EQ(ConservativeRank(99, 0.5), 49u);
  EXPECT_EQ(ConservativeRank(99, 0.901), 90u) << "outwards";
  EXPECT_EQ(ConservativeRank(99, 0.099), 8u) << "outwards";
  EXPECT_EQ(ConservativeRank(99, 0.07), 6u) << "0.07 * 100 is a little more than 7";
}

TEST(ConservativeRank, OutermostWhereThereIsNone) {
  EXPECT_EQ(ConservativeRank(9, 0.95), 8u);
  EXPECT_EQ(ConservativeRank(9, 0.05), 0u);
  EXPECT_EQ(ConservativeRank(9, 0), 0u);
  EXPECT_EQ(ConservativeRank(9, 1), 8u);
  EXPECT_EQ(ConservativeRank(1, 0.5), 0u);
}

}  // namespace
}  // namespace rhumb::core
