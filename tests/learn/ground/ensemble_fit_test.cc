#include "rhumb/learn/ground/ensemble_fit.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "rhumb/core/math/random.h"
#include "rhumb/net/value_function.h"
#include "tests/support/error_expectation.h"

namespace rhumb::learn::ground {
namespace {

using testing::HasSubstr;

// Codes from N(0, 1), and values drawn around a function of them.
struct Sample {
  static constexpr int kInputs = 4, kOutputs = 2;

  // `deviation` is the standard deviation of the values around the function.
  Sample(int count, double deviation, std::uint64_t seed) {
    core::Stream noise(seed, core::Purpose::kHeadFit);
    for (int i = 0; i < count; ++i) {
      float code[kInputs];
      for (float& number : code) number = static_cast<float>(noise.Normal());
      codes.insert(codes.end(), code, code + kInputs);
      for (const double value : {2.0 * code[0] - 1, std::sin(1.0 * code[1])}) {
        values.push_back(static_cast<float>(value + deviation * noise.Normal()));
      }
    }
    variances.assign(values.size(), static_cast<float>(deviation * deviation));
  }

  RealisedCodes data() const { return {kInputs, kOutputs, 4, codes, values, variances}; }

  std::vector<float> codes, values, variances;
};

EnsembleFit Fit(const Sample& sample, std::uint64_t seed = 1, const EnsembleConfig& config = {}) {
  return FitEnsemble(sample.data(), config, seed, device::Device::kCpu);
}

// 20 of 100 codes are held back, each once. Means of known variance 0.04 have an error of 0.2, and
// constant values keep the floor.
TEST(EnsembleFit, SplitAndNoiseByHand) {
  Sample sample(100, 0.2, 1);
  for (std::size_t i = 1; i < sample.variances.size(); i += 2) sample.variances[i] = 0;
  const EnsembleFit fit = Fit(sample, 1, {.steps = 1});
  EXPECT_EQ(std::set<int>(fit.calibration.begin(), fit.calibration.end()).size(), 20u);
  EXPECT_LT(*std::max_element(fit.calibration.begin(), fit.calibration.end()), 100);
  EXPECT_EQ(fit.heads.members.size(), 5u);
  EXPECT_EQ(fit.heads.episodes, 4);
  ASSERT_EQ(fit.heads.residuals.size(), 2u);
  EXPECT_EQ(fit.heads.residuals[0].size(), 20u);
  EXPECT_NEAR(fit.heads.noise[0], 0.2, 1e-6);  // float rounding
  EXPECT_FLOAT_EQ(fit.heads.noise[1], 1e-3f);
}

// With a standard deviation of 0.1 the best error is 0.01, which 200 codes estimate to a tenth. The
// networks may add half as much again.
TEST(EnsembleFit, LearnsAFunctionToWithinTheNoise) {
  const EnsembleFit fit = Fit(Sample(1000, 0.1, 2));
  for (int k = 0; k < 2; ++k) {
    const auto at = static_cast<std::size_t>(k);
    EXPECT_LT(fit.report.calibration_mse[at], 0.015) << k;
    EXPECT_GT(fit.report.calibration_mse[at], 0.007) << k << ": it has seen these codes";
    EXPECT_LT(fit.report.out_of_fold_mse[at], 0.03) << k;
    EXPECT_GT(fit.report.out_of_fold_mse[at], 0.007) << k;
    // 3.29 standard deviations of a normal distribution, known to a tenth, plus the networks'
    // error.
    EXPECT_GT(fit.report.width[at], 0.29) << k;
    EXPECT_LT(fit.report.width[at], 0.45) << k;
  }
}

// The mean of every tenth code is 5 off, and its episodes show it: their variance is 25, that of
// the others 0.01. Equal weights would shift the heads by 0.5. The usual noise counts these
// variances as 16 medians.
TEST(EnsembleFit, NoisyMeansCountLittle) {
  Sample sample(1000, 0.1, 11);
  for (std::size_t i = 0; i < sample.values.size(); i += 20) {
    sample.values[i] += 5;  // first objective only, since 20 is even
    sample.variances[i] = 25;
  }
  const EnsembleFit fit = Fit(sample);
  EXPECT_NEAR(fit.heads.noise[0], std::sqrt(0.9 * 0.01 + 0.1 * 0.16), 1e-6);
  const Sample fresh(2000, 0, 12);
  std::vector<float> mean(fresh.values.size()), spread(fresh.values.size());
  const net::ValueFunction function(fit.heads);
  std::vector<float> workspace(function.workspace_size(2000));
  function.Evaluate(fresh.codes.data(), 2000, mean.data(), spread.data(), workspace);
  double shift = 0;
  for (std::size_t i = 0; i < mean.size(); i += 2) shift += (mean[i] - fresh.values[i]) / 2000;
  EXPECT_NEAR(shift, 0, 0.03);
}

// Three of four means never vary, and the fourth has a variance of 0.04, which sets the usual
// noise.
TEST(EnsembleFit, MeansThatNeverVaryDoNotHideTheNoise) {
  Sample sample(100, 0.2, 13);
  for (std::size_t i = 0; i < sample.variances.size(); ++i) {
    if (i % 8 != 0) sample.variances[i] = 0;
  }
  const EnsembleFit fit = Fit(sample, 1, {.steps = 1});
  EXPECT_NEAR(fit.heads.noise[0], 0.1, 1e-6);  // sqrt(0.04 / 4)
  EXPECT_FLOAT_EQ(fit.heads.noise[1], 1e-3f);
}

// 200 residuals place each end of an interval to within 2 % of the mass. 2000 new codes measure the
// coverage to within 0.7 %.
TEST(EnsembleFit, IntervalsCoverFreshCodes) {
  const EnsembleFit fit = Fit(Sample(1000, 0.1, 3));
  const Sample fresh(2000, 0.1, 4);
  std::vector<float> mean(fresh.values.size()), spread(fresh.values.size());
  const net::ValueFunction function(fit.heads);
  std::vector<float> workspace(function.workspace_size(2000));
  function.Evaluate(fresh.codes.data(), 2000, mean.data(), spread.data(), workspace);
  for (std::size_t k = 0; k < 2; ++k) {
    const float low = fit.heads.ResidualQuantile(static_cast<int>(k), 0.05);
    const float high = fit.heads.ResidualQuantile(static_cast<int>(k), 0.95);
    int inside = 0;
    for (std::size_t i = k; i < mean.size(); i += 2) {
      const float scale = std::hypot(spread[i], fit.heads.noise[k]);
      const float residual = (fresh.values[i] - mean[i]) / scale;
      inside += residual >= low && residual <= high ? 1 : 0;
    }
    EXPECT_GT(inside, 0.84 * 2000) << k;
    EXPECT_LT(inside, 0.96 * 2000) << k;
    EXPECT_GT(fit.report.coverage[k], 0.84) << k;
    EXPECT_LT(fit.report.coverage[k], 0.96) << k;
  }
}

// Values independent of the codes can only be memorised. A member that had seen its own fold or a
// calibration code would be right there.
TEST(EnsembleFit, NeitherOwnFoldNorCalibrationIsSeen) {
  Sample sample(60, 0, 5);
  core::Stream noise(6, core::Purpose::kHeadFit);
  for (float& value : sample.values) value = static_cast<float>(noise.Normal());
  const EnsembleFit fit = Fit(sample, 1, {.steps = 600, .learning_rate = 1e-2, .weight_decay = 0});
  const std::set<int> calibration(fit.calibration.begin(), fit.calibration.end());
  std::vector<float> mean(sample.values.size()), spread(sample.values.size());
  const net::ValueFunction function(fit.heads);
  std::vector<float> workspace(function.workspace_size(60));
  function.Evaluate(sample.codes.data(), 60, mean.data(), spread.data(), workspace);
  double seen = 0;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double miss = mean[i] - sample.values[i];
    if (!calibration.contains(static_cast<int>(i / 2))) seen += miss * miss / (2 * 48);
  }
  EXPECT_LT(seen, 0.3) << "four of five networks know the value";
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_GT(fit.report.out_of_fold_mse[k], 0.6);
    EXPECT_GT(fit.report.calibration_mse[k], 0.6);
  }
}

TEST(EnsembleFit, RepeatsToTheBit) {
  const Sample sample(200, 0.1, 7);
  const EnsembleConfig config{.steps = 50};
  const EnsembleFit fit = Fit(sample, 1, config), again = Fit(sample, 1, config);
  EXPECT_EQ(fit.heads.residuals, again.heads.residuals);
  EXPECT_EQ(fit.heads.members[4].layer(1).weights, again.heads.members[4].layer(1).weights);
  EXPECT_NE(fit.heads.residuals, Fit(sample, 2, config).heads.residuals);
}

// One coordinate is equal in all codes, and the values never vary.
TEST(EnsembleFit, SurvivesWhatDoesNotVary) {
  Sample sample(100, 0.1, 8);
  for (std::size_t i = 0; i < sample.codes.size(); i += 4) sample.codes[i] = 3;
  for (std::size_t i = 0; i < sample.values.size(); i += 2) sample.values[i] = 5;
  const EnsembleFit fit = Fit(sample);
  EXPECT_EQ(fit.heads.code_mean[0], 3);
  EXPECT_EQ(fit.heads.code_inverse_scale[0], 1);
  EXPECT_LT(fit.report.calibration_mse[0], 0.01);
}

TEST(EnsembleFit, TooFewCodesAreAnError) {
  const std::string error = test::ErrorOf([] { Fit(Sample(39, 0.1, 9)); });
  EXPECT_THAT(error, HasSubstr("39 usable codes"));
  EXPECT_THAT(error, HasSubstr("at least 40"));
}

}  // namespace
}  // namespace rhumb::learn::ground
