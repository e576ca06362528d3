#include "rhumb/core/math/spread.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rhumb/core/math/random.h"

namespace rhumb::core {
namespace {

// 1, 2, 3, 6: mean 3, squares around it 4 + 1 + 0 + 9 = 14, variance 3.5.
TEST(Spread, ByHand) {
  const std::vector<double> values = {2, 1, 6, 3};
  RunningSpread running;
  for (const double value : values) running.Add(value);
  EXPECT_EQ(running.count(), 4);
  for (const Spread& spread : {SpreadOf(values), running.spread()}) {
    EXPECT_EQ(spread.min, 1);
    EXPECT_DOUBLE_EQ(spread.mean, 3);
    EXPECT_EQ(spread.max, 6);
    EXPECT_DOUBLE_EQ(spread.std, std::sqrt(3.5));
    EXPECT_TRUE(spread.varies());
  }
}

TEST(Spread, OfAColumn) {
  const std::vector<double> rows = {1, -1, 2, -2, 3, -3};
  EXPECT_EQ(SpreadOf(rows, 1, 2).mean, -2);
  EXPECT_EQ(SpreadOf(rows, 1, 2).min, -3);
  EXPECT_EQ(SpreadOf(rows, 0, 2).max, 3);
}

TEST(Spread, OfNothingIsZero) {
  for (const Spread& spread : {SpreadOf({}), RunningSpread().spread()}) {
    EXPECT_EQ(spread.min, 0);
    EXPECT_EQ(spread.mean, 0);
    EXPECT_EQ(spread.std, 0);
    EXPECT_FALSE(spread.varies());
  }
}

// float32 has 24 bits: neighbours of 4096 are 2.4e-4 apart, which is 6e-8 of it.
TEST(Spread, RoundingIsNotVariation) {
  EXPECT_FALSE(SpreadOf(std::vector<double>{4096, std::nextafter(4096.0f, 1e9f)}).varies());
  EXPECT_FALSE(SpreadOf(std::vector<double>{-3, -3, -3}).varies());
  EXPECT_TRUE(SpreadOf(std::vector<double>{4096, 4096.1}).varies());
  EXPECT_TRUE(SpreadOf(std::vector<double>{1e-12, 2e-12}).varies()) << "whatever the unit";
  EXPECT_TRUE(SpreadOf(std::vector<double>{-1, 1}).varies()) << "whatever the mean";
}

// A spread of 1 around 1e6: sums of squares would lose 12 of 16 digits.
TEST(Spread, OnePassAgreesWithTwo) {
  Stream noise(1, Purpose::kBenchmark);
  std::vector<double> values;
  RunningSpread running;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(1e6 + noise.Normal());
    running.Add(values.back());
  }
  EXPECT_NEAR(running.spread().mean, SpreadOf(values).mean, 1e-9);
  EXPECT_NEAR(running.spread().std, SpreadOf(values).std, 1e-9);
}

}  // namespace
}  // namespace rhumb::core
