#include "rhumb/learn/device/initial_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace rhumb::learn::device {
namespace {

core::Stream Noise(std::uint32_t unit = 0) { return {5, core::Purpose::kInitialWeights, unit}; }

// One column is the draw (a, b), scaled so that its length is the gain.
TEST(InitialWeights, OneColumnByHand) {
  core::Stream noise = Noise(), same = Noise();
  const torch::Tensor column = Orthogonal(2, 1, 3, noise);
  const double a = same.Normal(), b = same.Normal();
  EXPECT_FLOAT_EQ(column[0][0].item<float>(), static_cast<float>(3 * a / std::hypot(a, b)));
  EXPECT_FLOAT_EQ(column[1][0].item<float>(), static_cast<float>(3 * b / std::hypot(a, b)));
}

// The products of rows or columns, whichever are fewer, are gain^2 times the identity. The
// tolerance is the float rounding of up to 64 products.
TEST(InitialWeights, OrthonormalBothWays) {
  constexpr std::int64_t kSizes[][2] = {{64, 16}, {16, 64}, {20, 20}, {1, 7}, {7, 1}};
  for (const auto& [rows, columns] : kSizes) {
    core::Stream noise = Noise();
    const torch::Tensor weights = Orthogonal(rows, columns, 2, noise);
    ASSERT_EQ(weights.sizes(), (torch::IntArrayRef{rows, columns}));
    EXPECT_TRUE(weights.is_contiguous());
    const torch::Tensor exact = weights.to(torch::kFloat64);
    const torch::Tensor products =
        rows >= columns ? exact.t().matmul(exact) : exact.matmul(exact.t());
    const torch::Tensor expected = 4 * torch::eye(std::min(rows, columns), torch::kFloat64);
    EXPECT_LT((products - expected).abs().max().item<double>(), 4e-7) << rows << " x " << columns;
  }
}

TEST(InitialWeights, RepeatWithTheStreamAndOnlyWithIt) {
  const auto all = [](core::Stream noise) {
    return torch::cat({Orthogonal(3, 5, 1, noise).flatten(), Uniform({4, 2}, 0.5, noise).flatten(),
                       Normal({6}, 0.1, noise)});
  };
  EXPECT_TRUE(torch::equal(all(Noise()), all(Noise())));
  EXPECT_FALSE((all(Noise()) == all(Noise(1))).any().item<bool>());
}

// Within 5 standard errors of 40000 draws. A uniform draw has standard deviation limit / sqrt 3,
// and its square limit^2 2 / sqrt 45. The square of a normal draw has standard deviation sqrt 2
// times the variance.
TEST(InitialWeights, LimitsAndMoments) {
  core::Stream noise = Noise();
  const torch::Tensor uniform = Uniform({200, 200}, 0.5, noise).to(torch::kFloat64);
  EXPECT_GE(uniform.min().item<double>(), -0.5);
  EXPECT_LE(uniform.max().item<double>(), 0.5);
  EXPECT_GT(uniform.max().item<double>(), 0.499);
  EXPECT_LT(uniform.min().item<double>(), -0.499);
  EXPECT_NEAR(uniform.mean().item<double>(), 0, 5 * 0.5 / std::sqrt(3.0) / 200);
  EXPECT_NEAR(uniform.square().mean().item<double>(), 0.25 / 3,
              5 * 0.25 * 2 / std::sqrt(45.0) / 200);

  const torch::Tensor normal = Normal({200, 200}, 0.02, noise).to(torch::kFloat64) / 0.02;
  EXPECT_NEAR(normal.mean().item<double>(), 0, 5.0 / 200);
  EXPECT_NEAR(normal.square().mean().item<double>(), 1, 5 * std::sqrt(2.0) / 200);
}

}  // namespace
}  // namespace rhumb::learn::device
