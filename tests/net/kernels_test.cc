#include "rhumb/net/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "rhumb/core/math/random.h"
#include "tests/support/error_expectation.h"

namespace rhumb::net {
namespace {

constexpr int kLanes = 16;

std::vector<float> Normals(std::size_t count, std::uint32_t unit) {
  core::Stream noise(3, core::Purpose::kBenchmark, unit);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(noise.Normal());
  return values;
}

// The tests of a kernel are run for each instruction set that this machine has.
class KernelTest : public testing::TestWithParam<const Kernels*> {
 protected:
  void Affine(const float* x, int stride, int rows, int inputs, const float* weights,
              const float* bias, int outputs, float* y) const {
    GetParam()->affine({x, stride, rows, inputs, weights, bias, outputs, y});
  }
  void Elu(float* values, int count) const { GetParam()->elu(values, count); }
  void Gelu(float* values, int count) const { GetParam()->gelu(values, count); }
  void SoftmaxColumns(float* values, int rows, int columns) const {
    GetParam()->softmax_columns(values, rows, columns);
  }
};

// Equal to the bit.
bool Same(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

std::size_t Size(int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); }

// 1 + 2*3 + 3*5 = 22 in the first column, 0 + 2*0 + 3*1 = 3 in the second, biases in the rest.
TEST_P(KernelTest, AffineByHand) {
  const float x[2] = {2, 3};
  std::vector<float> weights(2 * kLanes, 0.0f), bias(kLanes, 0.25f), y(kLanes, -1.0f);
  weights[0] = 3;
  weights[kLanes] = 5;
  weights[kLanes + 1] = 1;
  bias[0] = 1;
  bias[1] = 0;
  Affine(x, 2, 1, 2, weights.data(), bias.data(), kLanes, y.data());
  EXPECT_EQ(y[0], 22);
  EXPECT_EQ(y[1], 3);
  for (std::size_t o = 2; o < kLanes; ++o) EXPECT_EQ(y[o], 0.25f);
}

// Against a plain loop in double. Every number of rows up to two blocks and every tail of columns
// is met; rows lie `stride` apart. The tolerance is the bound of the theory: n sums of float, each
// rounded once, are off by at most n 2^-24 of the sum of the terms' sizes.
TEST_P(KernelTest, AffineEqualsAPlainLoopForOddSizes) {
  for (const int rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17}) {
    for (const int inputs : {1, 2, 3, 17, 64, 255}) {
      for (const int outputs : {16, 32, 48, 64, 80, 144}) {
        const int stride = inputs + 3;
        const std::vector<float> x = Normals(Size(rows, stride), 1);
        const std::vector<float> weights = Normals(Size(inputs, outputs), 2);
        const std::vector<float> bias = Normals(Size(1, outputs), 3);
        std::vector<float> y(Size(rows, outputs) + 1, 7.0f);
        Affine(x.data(), stride, rows, inputs, weights.data(), bias.data(), outputs, y.data());
        double worst = 0;  // of the error over its bound
        for (int r = 0; r < rows; ++r) {
          for (int o = 0; o < outputs; ++o) {
            double sum = bias[Size(1, o)], size = std::abs(sum);
            for (int i = 0; i < inputs; ++i) {
              const double term = static_cast<double>(x[Size(r, stride) + Size(1, i)]) *
                                  weights[Size(i, outputs) + Size(1, o)];
              sum += term;
              size += std::abs(term);
            }
            const double error = std::abs(y[Size(r, outputs) + Size(1, o)] - sum);
            worst = std::max(worst, error / (inputs * std::ldexp(size, -24)));
          }
        }
        EXPECT_LE(worst, 1) << rows << ' ' << inputs << ' ' << outputs;
        EXPECT_EQ(y.back(), 7.0f) << "written past the end";
      }
    }
  }
}

// A row's result has the same bits alone, among few, and among many: what an agent does must not
// depend on how its environments are grouped.
TEST_P(KernelTest, AffineRowsDoNotDependOnTheirGrouping) {
  constexpr int kRows = 23, kInputs = 37;
  for (const int outputs : {16, 48, 80, 256}) {
    const std::vector<float> x = Normals(Size(kRows, kInputs), 1);
    const std::vector<float> weights = Normals(Size(kInputs, outputs), 2);
    const std::vector<float> bias = Normals(Size(1, outputs), 3);
    std::vector<float> together(Size(kRows, outputs)), grouped(together.size());
    Affine(x.data(), kInputs, kRows, kInputs, weights.data(), bias.data(), outputs,
           together.data());
    for (const int group : {1, 2, 3, 4, 5, 7, 8, 12}) {
      for (int row = 0; row < kRows; row += group) {
        Affine(x.data() + Size(row, kInputs), kInputs, std::min(group, kRows - row), kInputs,
               weights.data(), bias.data(), outputs, grouped.data() + Size(row, outputs));
      }
      EXPECT_TRUE(Same(together, grouped)) << outputs << " outputs in groups of " << group;
    }
  }
}

// And the order is the documented one: fused multiply-adds over the inputs, starting at the bias.
TEST_P(KernelTest, AffineSumsInTheOrderOfTheInputsWithFusedMultiplyAdds) {
  constexpr int kInputs = 61;
  const std::vector<float> x = Normals(kInputs, 1);
  const std::vector<float> weights = Normals(Size(kInputs, kLanes), 2);
  const std::vector<float> bias = Normals(kLanes, 3);
  std::vector<float> y(kLanes);
  Affine(x.data(), kInputs, 1, kInputs, weights.data(), bias.data(), kLanes, y.data());
  for (std::size_t o = 0; o < kLanes; ++o) {
    float sum = bias[o];
    for (std::size_t i = 0; i < kInputs; ++i) sum = std::fma(x[i], weights[i * kLanes + o], sum);
    EXPECT_EQ(y[o], sum) << o;
  }
}

TEST_P(KernelTest, EluByHand) {
  float values[4] = {0, 2.5f, -std::log(2.0f), -1000};
  Elu(values, 4);
  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[1], 2.5f);
  EXPECT_NEAR(values[2], -0.5, 1e-7);
  EXPECT_EQ(values[3], -1);
}

// Within three roundings of a number just below 1 (3 * 2^-24 = 1.8e-7) of e^x - 1, everywhere: of
// the exponent, of 2^f and of the difference.
TEST_P(KernelTest, EluIsAccurateToTheRoundingOfFloat) {
  double worst = 0;
  for (int i = 0; i <= 400000; ++i) {
    const float x = -100.0f * static_cast<float>(i) / 400000 * static_cast<float>(i) / 400000;
    float value = x;
    Elu(&value, 1);
    worst = std::max(worst, std::abs(value - std::expm1(static_cast<double>(x))));
    EXPECT_GE(value, -1.0f);
    EXPECT_LE(value, 0.0f);
  }
  EXPECT_LT(worst, 1.8e-7);
}

TEST_P(KernelTest, EluDoesNotDependOnThePlaceInTheArray) {
  const std::vector<float> x = Normals(77, 4);
  std::vector<float> together = x;
  Elu(together.data(), 77);
  for (std::size_t i = 0; i < x.size(); ++i) {
    float alone = x[i];
    Elu(&alone, 1);
    EXPECT_EQ(alone, together[i]) << i;
  }
}

// x Phi(x): Phi(0) = 1/2, Phi(1) = 0.84134475, Phi(-1) = 0.15865525; far out 0 and x.
TEST_P(KernelTest, GeluByHand) {
  float values[5] = {0, 1, -1, 30, -30};
  Gelu(values, 5);
  EXPECT_EQ(values[0], 0);
  EXPECT_NEAR(values[1], 0.84134475, 2e-7);
  EXPECT_NEAR(values[2], -0.15865525, 2e-7);
  EXPECT_EQ(values[3], 30);
  EXPECT_NEAR(values[4], 0, 1e-30);
}

// The formula is good to 0.75e-7 of x, and three roundings of x Phi(x), 2^-24 of it each, follow.
TEST_P(KernelTest, GeluIsAccurateToTheRoundingOfFloat) {
  double worst = 0;
  for (int i = -200000; i <= 200000; ++i) {
    const float x = static_cast<float>(i) * 5e-5f;
    float value = x;
    Gelu(&value, 1);
    const double exact = x * 0.5 * (1 + std::erf(static_cast<double>(x) / std::sqrt(2.0)));
    worst = std::max(worst, std::abs(value - exact) / (1 + std::abs(static_cast<double>(x))));
  }
  EXPECT_LT(worst, 2e-7);
}

TEST_P(KernelTest, GeluDoesNotDependOnThePlaceInTheArray) {
  const std::vector<float> x = Normals(77, 4);
  std::vector<float> together = x;
  Gelu(together.data(), 77);
  for (std::size_t i = 0; i < x.size(); ++i) {
    float alone = x[i];
    Gelu(&alone, 1);
    EXPECT_EQ(alone, together[i]) << i;
  }
}

// Down a column: (log 1, log 3) -> (1/4, 3/4), also with a thousand added; equal ones share.
TEST_P(KernelTest, SoftmaxColumnsByHand) {
  std::vector<float> values(2 * kLanes, 0.0f);
  values[kLanes] = std::log(3.0f);
  values[1] = 1000;
  values[kLanes + 1] = 1000 + std::log(3.0f);
  values[2] = -1000;
  SoftmaxColumns(values.data(), 2, kLanes);
  EXPECT_NEAR(values[0], 0.25, 1e-7);
  EXPECT_NEAR(values[kLanes], 0.75, 1e-7);
  EXPECT_NEAR(values[1], 0.25, 1e-5);  // 1000 + log 3 is rounded to 6e-5
  EXPECT_NEAR(values[2], 0, 1e-30);
  EXPECT_EQ(values[kLanes + 2], 1);
  for (std::size_t l = 3; l < kLanes; ++l) EXPECT_EQ(values[l], 0.5f);
}

// Against a plain loop in double: the power, the sum of 33 and the quotient are rounded.
TEST_P(KernelTest, SoftmaxColumnsEqualsAPlainLoop) {
  constexpr std::size_t kRows = 33, kColumns = 2 * kLanes;
  const std::vector<float> x = Normals(kRows * kColumns, 5);
  std::vector<float> y = x;
  SoftmaxColumns(y.data(), kRows, kColumns);
  for (std::size_t c = 0; c < kColumns; ++c) {
    double sum = 0;
    for (std::size_t r = 0; r < kRows; ++r)
      sum += std::exp(static_cast<double>(x[r * kColumns + c]));
    for (std::size_t r = 0; r < kRows; ++r) {
      EXPECT_NEAR(y[r * kColumns + c], std::exp(static_cast<double>(x[r * kColumns + c])) / sum,
                  2e-7);
    }
  }
}

// The instruction sets give the bits of the plain loops. Half of the inputs are 0, as after a ReLU,
// and rows fill every tile and its rest; no bias is 0, so no sum is a zero of either sign.
TEST_P(KernelTest, AffineHasTheBitsOfThePlainLoops) {
  const Kernels& portable = FindKernels("portable");
  for (const int rows : {1, 2, 3, 4, 7, 8, 13, 16}) {
    for (const int inputs : {1, 17, 64, 600}) {
      for (const int outputs : {16, 48, 64, 112, 256}) {
        std::vector<float> x = Normals(Size(rows, inputs), 6);
        for (float& value : x) value = std::max(value, 0.0f);
        const std::vector<float> weights = Normals(Size(inputs, outputs), 7);
        const std::vector<float> bias = Normals(Size(1, outputs), 8);
        std::vector<float> y(Size(rows, outputs)), plain(y.size());
        Affine(x.data(), inputs, rows, inputs, weights.data(), bias.data(), outputs, y.data());
        portable.affine(
            {x.data(), inputs, rows, inputs, weights.data(), bias.data(), outputs, plain.data()});
        EXPECT_TRUE(Same(y, plain)) << rows << ' ' << inputs << ' ' << outputs;
      }
    }
  }
}

// Values of every exponent and both signs, the rests of vectors, and zeros.
TEST_P(KernelTest, ActivationsHaveTheBitsOfThePlainLoops) {
  const Kernels& portable = FindKernels("portable");
  std::vector<float> x = Normals(4000, 9);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::ldexp(x[i], static_cast<int>(i % 41) - 30);
  x.insert(x.end(), {0.0f, -0.0f, -87.0f, -200.0f, 1e30f, -1e30f, 0.5f});
  std::vector<float> y = x, plain = x;
  const int count = static_cast<int>(x.size());
  Elu(y.data(), count);
  portable.elu(plain.data(), count);
  EXPECT_TRUE(Same(y, plain));
  y = plain = x;
  Gelu(y.data(), count);
  portable.gelu(plain.data(), count);
  EXPECT_TRUE(Same(y, plain));
  y = plain = Normals(Size(37, 3 * kLanes), 10);
  SoftmaxColumns(y.data(), 37, 3 * kLanes);
  portable.softmax_columns(plain.data(), 37, 3 * kLanes);
  EXPECT_TRUE(Same(y, plain));
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, KernelTest, testing::ValuesIn(AvailableKernels()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(Kernels, AreFastestFirstAndPortableLast) {
  EXPECT_STREQ(AvailableKernels().back()->name, "portable");
#if defined(__x86_64__) || defined(__aarch64__)
  EXPECT_GE(AvailableKernels().size(), 2u);
#endif
  EXPECT_EQ(&FindKernels(""), AvailableKernels().front());
}

TEST(Kernels, AreFoundByName) {
  for (const Kernels* kernels : AvailableKernels()) EXPECT_EQ(&FindKernels(kernels->name), kernels);
  const std::string error = test::ErrorOf([] { FindKernels("sse9"); });
  EXPECT_TRUE(error.starts_with("RHUMB_ISA is 'sse9'; this machine can use ")) << error;
  EXPECT_TRUE(error.ends_with("portable")) << error;
}

}  // namespace
}  // namespace rhumb::net
