#include "rhumb/net/affine.h"

#include <gtest/gtest.h>

#include <vector>

#include "rhumb/net/kernels.h"

namespace rhumb::net {
namespace {

// kernels_test.cc tests the kernels; here that each function calls its own.
TEST(Affine, AndTheActivationsAreTheActiveKernels) {
  constexpr int kOutputs = 16;
  const float x[2] = {2, 3};
  const std::vector<float> weights(2 * kOutputs, 0.5f), bias(kOutputs, -3.5f);
  std::vector<float> y(kOutputs);
  Affine(x, 2, 1, 2, weights.data(), bias.data(), kOutputs, y.data());
  EXPECT_EQ(y, std::vector<float>(kOutputs, -1.0f));  // -3.5 + (2 + 3) / 2

  const auto expect_same = [&](auto function, auto kernel, auto... sizes) {
    std::vector<float> values = y, wanted = y;
    function(values.data(), sizes...);
    kernel(wanted.data(), sizes...);
    EXPECT_EQ(values, wanted);
    EXPECT_NE(values, y);
  };
  expect_same(Elu, ActiveKernels().elu, kOutputs);
  expect_same(Gelu, ActiveKernels().gelu, kOutputs);
  expect_same(SoftmaxColumns, ActiveKernels().softmax_columns, 1, kOutputs);
}

}  // namespace
}  // namespace rhumb::net
