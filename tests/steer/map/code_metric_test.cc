#include "rhumb/steer/map/code_metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rhumb/core/math/random.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"

namespace rhumb::steer {
namespace {

using testing::HasSubstr;

net::Layer LayerOf(int inputs, int outputs, const std::vector<float>& weights) {
  return net::Layer(inputs, outputs, weights,
                    std::vector<float>(static_cast<std::size_t>(outputs)));
}

// The layer sees 3 times the first element and twice the third. It ignores the second, and moves by
// 0.02 with the fourth, less than 1 % of 3.
TEST(CodeMetric, ByHand) {
  const CodeMetric metric(LayerOf(4, 2, {3, 0, 0, 0, 0, 2, 0, 0.02f}));
  EXPECT_EQ(metric.code_size(), 4);
  EXPECT_EQ(metric.size(), 2);
  EXPECT_NEAR(metric.Length(std::vector{1.0, 0.0, 0.0, 0.0}), 3, 1e-6);
  EXPECT_NEAR(metric.Length(std::vector{1.0, 50.0, 2.0, 0.0}), 5, 1e-6);
}

// |W^T (a - b)| for a random layer without dead dimensions.
TEST(CodeMetric, IsTheDistanceInTheDecodersLayer) {
  constexpr int kSize = 3, kOutputs = 20;
  core::Stream stream(1, core::Purpose::kBenchmark);
  std::vector<float> weights;
  for (int i = 0; i < kSize * kOutputs; ++i) weights.push_back(static_cast<float>(stream.Normal()));
  const CodeMetric metric(LayerOf(kSize, kOutputs, weights));
  ASSERT_EQ(metric.size(), kSize);
  const std::vector<float> codes = {0.5f, -1, 2, 1.5f, 0.25f, -0.5f};
  double square = 0;
  for (std::size_t j = 0; j < kOutputs; ++j) {
    double output = 0;
    for (std::size_t i = 0; i < kSize; ++i) {
      output += double{weights[i * kOutputs + j]} * (codes[i] - codes[kSize + i]);
    }
    square += output * output;
  }
  const std::vector<float> places = metric.Apply(codes);
  ASSERT_EQ(places.size(), 2u * kSize);
  double apart = 0;
  for (std::size_t i = 0; i < kSize; ++i) apart += std::pow(places[i] - places[kSize + i], 2);
  EXPECT_NEAR(std::sqrt(apart), std::sqrt(square), 1e-5);

  // One code, in both kinds of numbers.
  std::vector<double> point(codes.begin(), codes.begin() + kSize), place(kSize);
  std::vector<float> same(kSize);
  const test::AllocationCount allocations;
  metric.Apply(point, place);
  metric.Apply(std::span(codes).first(kSize), same);
  EXPECT_EQ(allocations.since_construction(), 0u);
  for (std::size_t i = 0; i < kSize; ++i) {
    EXPECT_NEAR(place[i], places[i], 1e-5);
    EXPECT_EQ(same[i], places[i]);
  }
}

TEST(CodeMetric, WithoutWeightsEveryDimensionCounts) {
  const CodeMetric metric(net::Layer(2, 5));
  EXPECT_EQ(metric.size(), 2);
  EXPECT_THAT(metric.Apply(std::vector<float>{3, -4}), testing::ElementsAre(3, -4));
}

TEST(CodeMetric, CodesTooLongAreAnError) {
  EXPECT_THAT(test::ErrorOf([&] { const CodeMetric metric(net::Layer(1025, 1)); }),
              HasSubstr("1025 numbers; steering takes at most 1024"));
}

// A step changes a linear function of the coordinates by the gradient times the step.
TEST(CodeMetric, AGradientIsPulledBack) {
  net::Layer layer(2, 3);
  const std::vector<float> weights = {1, 2, 0, 0, 1, -1};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      layer.weights[static_cast<std::size_t>(i * layer.padded_outputs() + j)] =
          weights[static_cast<std::size_t>(3 * i + j)];
    }
  }
  const CodeMetric metric(layer);
  ASSERT_EQ(metric.size(), 2);
  const std::vector<double> slope = {0.5, -2}, step = {0.3, 0.7};
  std::vector<double> moved(2), gradient(2);
  metric.Apply(step, moved);
  metric.Pullback(slope, gradient);
  EXPECT_NEAR(gradient[0] * step[0] + gradient[1] * step[1],
              slope[0] * moved[0] + slope[1] * moved[1], 1e-12);
}

}  // namespace
}  // namespace rhumb::steer
