#include "rhumb/eval/error_rate.h"

#include <gmock/gmock.h>

#include <vector>

namespace rhumb::eval {
namespace {

using testing::IsNan;

double Rate(const std::vector<int>& sizes, const std::vector<double>& errors) {
  return MeasureRate(sizes, errors);
}

TEST(ErrorRate, ByHand) {
  // Logarithms of powers have rounding errors.
  EXPECT_NEAR(Rate({2, 4, 8}, {3, 1.5, 0.75}), -1, 1e-15);
  EXPECT_NEAR(Rate({4, 16}, {8, 4}), -0.5, 1e-15);
  // log2: sizes 0, 1, 2 and errors 0, 1, 0.
  EXPECT_NEAR(Rate({1, 2, 4}, {1, 2, 1}), 0, 1e-15);
}

TEST(ErrorRate, WhereThereIsNone) {
  EXPECT_THAT(Rate({4}, {1}), IsNan());
  EXPECT_THAT(Rate({10, 10, 10}, {1, 2, 3}), IsNan());
  EXPECT_THAT(Rate({4, 8}, {1, 0}), IsNan());
  EXPECT_THAT(Rate({4, 8}, {1, INFINITY}), IsNan());
}

}  // namespace
}  // namespace rhumb::eval
