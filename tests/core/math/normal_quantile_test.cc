#include "rhumb/core/math/normal_quantile.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rhumb::core {
namespace {

// From tables, accurate to their last digit.
TEST(NormalQuantile, KnownValues) {
  EXPECT_NEAR(NormalQuantile(0.5), 0, 1e-12);
  EXPECT_NEAR(NormalQuantile(0.975), 1.959963984540, 1e-11);
  EXPECT_NEAR(NormalQuantile(0.025), -1.959963984540, 1e-11);
  EXPECT_NEAR(NormalQuantile(0.999), 3.090232306168, 1e-11);
}

TEST(NormalQuantile, InvertsTheDistribution) {
  for (double level = 1e-6; level < 1; level += 0.01) {
    EXPECT_NEAR(0.5 * std::erfc(-NormalQuantile(level) / std::sqrt(2.0)), level, 1e-12);
  }
}

}  // namespace
}  // namespace rhumb::core
