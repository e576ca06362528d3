#include "rhumb/learn/device/moments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rhumb/core/random.h"

namespace rhumb::learn::device {
namespace {

// 1, 2, 3, 6: mean 3, squares around it 4 + 1 + 0 + 9 = 14, variance 3.5.
TEST(Moments, ByHand) {
  Moments moments(1);
  EXPECT_EQ(moments.variance(0), 1) << "nothing was added yet";
  moments.Add(std::vector<float>{1, 2, 3, 6});
  EXPECT_EQ(moments.count, 4);
  EXPECT_DOUBLE_EQ(moments.mean[0], 3);
  EXPECT_DOUBLE_EQ(moments.variance(0), 3.5);
  EXPECT_DOUBLE_EQ(moments.deviation(0), std::sqrt(3.5));
}

// {1, 2} then {3, 6}: means 1.5 and 4.5, m2 0.5 and 4.5, plus 3^2 * 2 * 2 / 4 = 9: 14 again.
TEST(Moments, BatchesMergeByHand) {
  Moments moments(1);
  moments.Add(std::vector<float>{1, 2});
  moments.Add(std::vector<float>{3, 6});
  EXPECT_DOUBLE_EQ(moments.mean[0], 3);
  EXPECT_DOUBLE_EQ(moments.m2[0], 14);
}

TEST(Moments, ColumnsAreSeparate) {
  Moments moments(2);
  moments.Add(std::vector<float>{1, 10, 3, 10});
  EXPECT_DOUBLE_EQ(moments.mean[0], 2);
  EXPECT_DOUBLE_EQ(moments.mean[1], 10);
  EXPECT_DOUBLE_EQ(moments.variance(0), 1);
  EXPECT_EQ(moments.variance(1), 0);
}

// Numbers far from zero, where sums of squares in float would lose everything: batches of any size
// agree with one pass to rounding in double.
TEST(Moments, MergingEqualsOnePass) {
  core::Stream noise(1, core::Purpose::kBenchmark);
  std::vector<float> rows(3000);
  for (float& value : rows) value = static_cast<float>(1e4 + noise.Normal());
  Moments whole(3), merged(3);
  whole.Add(rows);
  const std::size_t ends[] = {3, 30, 999, 1002, 3000};
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    merged.Add(std::span<const float>(rows).subspan(begin, end - begin));
    begin = end;
  }
  merged.Add({});
  EXPECT_EQ(merged.count, whole.count);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(merged.mean[j], whole.mean[j], 1e-15 * 1e4 * 10);
    EXPECT_NEAR(merged.m2[j], whole.m2[j], 1e-9 * whole.m2[j]);
    EXPECT_NEAR(whole.variance(j), 1, 0.15);
  }
}

}  // namespace
}  // namespace rhumb::learn::device
