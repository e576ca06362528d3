#include "rhumb/learn/representation/value_regression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rhumb/core/math/random.h"

namespace rhumb::learn::representation {
namespace {

// U = (1 2), b = 0.5, value = 3 z - 1 = 3 h_1 + 6 h_2 + 0.5.
TEST(ValueRegression, JoinedWeightsByHand) {
  const net::Projections projections{
      .labels = 1, .code_size = 2, .size = 1, .weights = {1, 2}, .bias = {0.5f}};
  const std::vector<float> codes = {0, 0, 1, 0, 0, 1, 1, 1};  // z 0.5, 1.5, 2.5, 3.5
  const std::vector<float> values = {0.5f, 3.5f, 6.5f, 9.5f};
  const net::LinearHeads heads = FitHeads({}, projections, codes, values, 1, 0);
  EXPECT_EQ(heads.objectives, 1);
  EXPECT_EQ(heads.code_size, 2);
  // Solved in double and rounded to float.
  ASSERT_EQ(heads.weights.size(), 2u);
  EXPECT_NEAR(heads.weights[0], 3, 1e-6);
  EXPECT_NEAR(heads.weights[1], 6, 1e-6);
  ASSERT_EQ(heads.bias.size(), 1u);
  EXPECT_NEAR(heads.bias[0], 0.5, 1e-6);
}

// Two labels. Each has its own projection of codes [4] to two numbers and its own law there: value
// = w . (U h + b) + c. The draws of an episode differ in h_3, which no projection sees.
struct Law {
  explicit Law(int draw_count) : draws(draw_count) {
    core::Stream noise(1, core::Purpose::kHeadFit);
    for (int e = 0; e < 64; ++e) {
      std::vector<float> code(4);
      for (float& number : code) number = static_cast<float>(noise.Normal());
      for (int d = 0; d < draws; ++d) {
        code[3] = static_cast<float>(noise.Normal());
        codes.insert(codes.end(), code.begin(), code.end());
      }
      for (std::size_t k = 0; k < 2; ++k) values.push_back(ValueOf(code.data(), k));
    }
  }

  float ValueOf(const float* code, std::size_t k) const {
    std::vector<float> z(4);
    projections.Apply(code, z.data());
    return w[k][0] * z[2 * k] + w[k][1] * z[2 * k + 1] + c[k];
  }
  net::LinearHeads Fit(const HeadConfig& config, std::uint64_t seed = 0) const {
    return FitHeads(config, projections, codes, values, draws, seed);
  }
  // The largest difference between the heads' values and the law's.
  double MissOf(const net::LinearHeads& heads) const {
    double miss = 0;
    const std::size_t rows = codes.size() / 4;
    std::vector<float> predicted(2 * rows);
    heads.Predict(codes.data(), static_cast<int>(rows), predicted.data());
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      const double law = ValueOf(codes.data() + i / 2 * 4, i % 2);
      miss = std::max(miss, std::abs(predicted[i] - law));
    }
    return miss;
  }

  int draws;
  net::Projections projections{.labels = 2,
                               .code_size = 4,
                               .size = 2,
                               .weights = {1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, -1, 0, 0},
                               .bias = {0.1f, -0.2f, 0.3f, 0}};
  std::vector<std::vector<float>> w = {{0.5f, -0.25f}, {-0.3f, 0.7f}};
  std::vector<float> c = {0.2f, -0.4f};
  std::vector<float> codes, values;
};

// w . (U h + b) + c = (U^T w) . h + (w . b + c), up to the rounding of floats of size 1.
void ExpectJoined(const Law& law, const net::LinearHeads& heads, double tolerance) {
  for (std::size_t k = 0; k < 2; ++k) {
    double bias = law.c[k];
    for (std::size_t i = 0; i < 2; ++i) bias += law.w[k][i] * law.projections.bias[2 * k + i];
    EXPECT_NEAR(heads.bias[k], bias, tolerance) << k;
    for (std::size_t h = 0; h < 4; ++h) {
      double weight = 0;
      for (std::size_t i = 0; i < 2; ++i) {
        weight += law.w[k][i] * law.projections.weights[(2 * k + i) * 4 + h];
      }
      EXPECT_NEAR(heads.weights[4 * k + h], weight, tolerance) << k << ", " << h;
    }
  }
}

TEST(ValueRegression, LeastSquaresFindsALinearLaw) {
  for (const int draws : {1, 3}) {
    const Law law(draws);
    const net::LinearHeads heads = law.Fit({.fit = HeadFit::kLeastSquares});
    ExpectJoined(law, heads, 1e-6);
    EXPECT_LT(law.MissOf(heads), 2e-6);
  }
}

// Weight decay pulls weights of size 1 back by 0.01 * 0.01 in every step. The fit stops up to ten
// of these steps short of the law, which is thirty in the value at codes of up to 3.
TEST(ValueRegression, AdamWFindsItToItsDecay) {
  const HeadConfig config{
      .fit = HeadFit::kAdamW, .epochs = 300, .batch = 16, .learning_rate = 0.01};
  for (const int draws : {1, 3}) {
    const Law law(draws);
    const net::LinearHeads heads = law.Fit(config);
    ExpectJoined(law, heads, 1e-3);
    EXPECT_LT(law.MissOf(heads), 3e-3);
  }
}

// The first draw of every episode is 0 and gives no information about the weights; the second does.
TEST(ValueRegression, AdamWTakesAnotherDrawEachEpoch) {
  Law law(3);
  law.projections.bias.assign(4, 0);
  for (std::size_t e = 0; e < 64; ++e) {
    for (std::size_t h = 0; h < 4; ++h) law.codes[12 * e + h] = 0;
  }
  HeadConfig config{.fit = HeadFit::kAdamW, .epochs = 1, .batch = 64, .learning_rate = 0.01};
  EXPECT_EQ(law.Fit(config).weights, std::vector<float>(8, 0));
  config.epochs = 2;
  EXPECT_NE(law.Fit(config).weights[0], 0);
}

TEST(ValueRegression, AdamWRepeatsWithTheSeedAndOnlyWithIt) {
  const Law law(2);
  const HeadConfig config{.fit = HeadFit::kAdamW, .epochs = 3, .batch = 16, .learning_rate = 0.01};
  EXPECT_EQ(law.Fit(config, 1).weights, law.Fit(config, 1).weights);
  EXPECT_NE(law.Fit(config, 1).weights, law.Fit(config, 2).weights);
}

// The batch is larger than the number of episodes.
TEST(ValueRegression, AdamWTakesABatchOfAll) {
  const Law law(1);
  const HeadConfig config{
      .fit = HeadFit::kAdamW, .epochs = 1000, .batch = 256, .learning_rate = 0.01};
  EXPECT_LT(law.MissOf(law.Fit(config)), 3e-3);
}

}  // namespace
}  // namespace rhumb::learn::representation
