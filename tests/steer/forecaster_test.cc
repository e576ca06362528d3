#include "rhumb/steer/forecaster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/steer/plane_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::steer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr net::RolloutMode kMean = net::RolloutMode::kMean;
// Codes and values are float.
constexpr double kFloat = 1e-6;

net::Grounding& GroundingOf(net::Model& model) {
  return *model.grounded[static_cast<std::size_t>(kSampledMode)];
}

// "right" with standard deviation 1, and "up" with 2. Fifteen codes at one place (0.25, 0.5, 0)
// realised k / 10 more "right" than 0.25, k = -7 to 7, and u_k / 10 more "up" than 11, u_k = k for
// k >= 0 and else 2 k, whose mean is -28/15.
//
// Forecast without itself, a code misses by 15/14 of its distance from the mean, always with the
// same deviation: the noise is so large that what the values differ by says nothing. So residuals
// are proportional to k and to u_k + 28/15. Each of the 15 ranks is 1/16 of the probability. The
// central 68 % are ranks floor(0.16 * 16) = 2 to ceil(0.84 * 16) = 14, k = -6 to 6: half of them is
// 6 for "right" and (6 + 12) / 2 = 9 for "up".
constexpr double kUpMean = -28.0 / 15;

net::Model KnownModel() {
  net::Model model = GroundedPlaneModel();
  net::ModelObjective& up = model.description.objectives[1];
  up.mean = 10;
  up.std = 2;
  up.min = 8;
  up.max = 12;
  net::CodeTable& table = GroundingOf(model).rolled_out;
  for (int k = -7; k <= 7; ++k) {
    table.codes.insert(table.codes.end(), {0.25f, 0.5f, 0});
    const auto step = static_cast<float>(k) / 10;
    table.values.insert(table.values.end(), {0.25f + step, 11 + (k < 0 ? 2 * step : step)});
    table.deviations.insert(table.deviations.end(), {2e4f, 4e4f});
  }
  return model;
}

Bound BoundOn(const char* text, double sign, const net::Model& model) {
  Bound bound;
  bound.expression = QueryExpression::Parse(text, model.description, "test");
  bound.sign = sign;
  return bound;
}

// The variance of the mean of N values is 1/N of the noise, times 4 / (4 + N - 1), as they differ
// by nothing beside it. The noise itself cancels between 15 codes here and 14 when one is left out.
TEST(Forecaster, UnitsScalesAndPredictionsByHand) {
  const net::Model model = KnownModel();
  const Forecaster forecaster(model, kSampledMode, "auto");
  EXPECT_TRUE(forecaster.has_rollouts());
  EXPECT_EQ(forecaster.episodes(), 4);
  EXPECT_EQ(forecaster.objectives(), 2);
  EXPECT_EQ(forecaster.code_size(), 3);
  EXPECT_EQ(forecaster.ToUnits(1, 1.5), 13);
  EXPECT_EQ(forecaster.LabelStd(0), 1);
  EXPECT_EQ(forecaster.LabelStd(1), 2);

  const Forecast forecast = forecaster.Predict(std::vector<float>{0.25f, 0.5f, 0}).front();
  EXPECT_NEAR(forecast.values[0], 0.25, kFloat);
  EXPECT_NEAR(forecast.values[1], 11 + kUpMean / 10, kFloat);
  const double of_15 = 1 + 4.0 / 18 / 15, of_14 = 1 + 4.0 / 17 / 14;
  EXPECT_NEAR(forecast.stds[0], 0.6 * 15 / 14 * std::sqrt(of_15 / of_14), kFloat);
  EXPECT_NEAR(forecast.stds[1], 0.9 * 15 / 14 * std::sqrt(of_15 / of_14), kFloat);
  // The mean of k^2 over -7 to 7 is 56/3.
  EXPECT_NEAR(forecaster.MeanSquaredError(0), 15.0 / 14 * 15 / 14 * 0.56 / 3, kFloat);
}

// "right" was -0.45 to 0.95: 0.07 beyond counts. "up" was 9.6 to 11.7: 0.105 beyond counts.
TEST(Forecaster, IsCredibleATwentiethBeyondTheRollouts) {
  const net::Model model = KnownModel();
  const Forecaster forecaster(model, kSampledMode, "auto");
  const std::vector<int> right = {0}, both = {0, 1};
  const auto is_credible = [&](double own_right, double own_up,
                               const std::vector<int>& objectives) {
    Forecast forecast;
    forecast.values = {own_right, own_up};
    return forecaster.IsCredible(forecast, objectives);
  };
  EXPECT_TRUE(is_credible(1.01, 11.8, both));
  EXPECT_FALSE(is_credible(1.03, 11.8, both));
  EXPECT_FALSE(is_credible(-0.53, 11, both));
  EXPECT_FALSE(is_credible(0.25, 11.81, both));
  EXPECT_FALSE(is_credible(0.25, 9.49, both));
  EXPECT_TRUE(is_credible(0.25, 9.49, right)) << "only what is asked for counts";
}

TEST(Forecaster, ManyCodesAreTheSameAsEachAlone) {
  const net::Model model = NoisyPlaneModel(0.1f);
  const Forecaster forecaster(model, kSampledMode, "grounded");
  const std::vector<Forecast> all = forecaster.Predict(model.training.codes);
  ASSERT_EQ(all.size(), 441u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Forecast alone =
        forecaster.Predict(std::span(model.training.codes).subspan(3 * i, 3)).front();
    EXPECT_EQ(all[i].values, alone.values);
    EXPECT_EQ(all[i].stds, alone.stds);
  }
  EXPECT_TRUE(forecaster.Predict({}).empty());
}

TEST(Forecaster, IntervalsAreRanksOfTheResiduals) {
  const net::Model model = KnownModel();
  const Forecaster forecaster(model, kSampledMode, "auto");
  // Ranks 8, ceil(0.8 * 16) = 13 and floor(0.2 * 16) = 3: k = 0, 5 and -5.
  EXPECT_NEAR(forecaster.Quantile(0, 0.5), 0, kFloat);
  EXPECT_NEAR(forecaster.Quantile(1, 0.5), -kUpMean / 9, kFloat);
  EXPECT_NEAR(forecaster.Quantile(1, 0.8), (5 - kUpMean) / 9, kFloat);
  EXPECT_NEAR(forecaster.Quantile(1, 0.2), (-10 - kUpMean) / 9, kFloat);
  const Forecast forecast{{0.25, 11}, {0.6, 0.9}, {0, 0}, {}};
  const Interval right = forecaster.IntervalsOf(forecast, 0.6)[0];
  EXPECT_NEAR(right.low, 0.25 - 0.5, kFloat);
  EXPECT_NEAR(right.high, 0.25 + 0.5, kFloat);
  const Interval up = forecaster.IntervalsOf(forecast, 0.6)[1];
  EXPECT_NEAR(up.low, 11 - (10 + kUpMean) / 10, kFloat);
  EXPECT_NEAR(up.high, 11 + (5 - kUpMean) / 10, kFloat);
}

// 15 residuals cover levels up to 15/16, whose normal quantile is 1.534121. Those of 0.99 and 1 -
// 1e-6 are 2.326348 and 4.753424.
TEST(Forecaster, TheTailBeyondTheOutermostResidualIsNormal) {
  net::Model model = KnownModel();
  const Forecaster forecaster(model, kSampledMode, "auto");
  const double at_99 = 2.326348 / 1.534121, at_million = 4.753424 / 1.534121;
  EXPECT_NEAR(6 * forecaster.Quantile(0, 15.0 / 16), 7, 10 * kFloat);
  EXPECT_NEAR(6 * forecaster.Quantile(0, 0.99), 7 * at_99, 20 * kFloat);
  EXPECT_NEAR(6 * forecaster.Quantile(0, 0.01), -7 * at_99, 20 * kFloat);
  EXPECT_NEAR(6 * forecaster.Quantile(0, 1 - 1e-6), 7 * at_million, 40 * kFloat);
  // Measured from the middle: the outermost are 7 above and 14 below it.
  EXPECT_NEAR(9 * forecaster.Quantile(1, 0.99), -kUpMean + 7 * at_99, 20 * kFloat);
  EXPECT_NEAR(9 * forecaster.Quantile(1, 0.01), -kUpMean - 14 * at_99, 40 * kFloat);

  // 0.95 lies beyond 15/16, in the normal tail. Objective 0 is symmetric.
  EXPECT_NEAR(6 * forecaster.TailScale(0), 7 / 1.534121, 10 * kFloat);

  // A single rolled-out code has no residuals. Then all is normal.
  net::Model single = GroundedPlaneModel();
  RollOut(0, 0, single);
  EXPECT_NEAR(Forecaster(single, kSampledMode, "auto").Quantile(0, 0.99), 2.326348, kFloat);
}

TEST(Forecaster, StandardDeviationsOfCombinationsAndRatios) {
  const net::Model model = KnownModel();
  const Forecaster forecaster(model, kSampledMode, "auto");
  const std::vector<double> values = {0.5, 10}, stds = {0.4, 1.2};
  const auto deviation = [&](const char* text) {
    return forecaster.StdOf(QueryExpression::Parse(text, model.description, "test"), values, stds);
  };
  EXPECT_NEAR(deviation("up"), 1.2, 1e-12);
  EXPECT_NEAR(deviation("2*right - up"), std::hypot(2 * 0.4, 1.2), 1e-12);
  // The derivatives are 1/up by "right" and -right/up^2 by "up".
  EXPECT_NEAR(deviation("right/up"), std::hypot(0.4 / 10, 1.2 * 0.5 / 100), 1e-12);
}

TEST(Forecaster, TheMarginFearsTheTailThatBreaksTheBound) {
  const net::Model model = KnownModel();
  const Forecaster forecaster(model, kSampledMode, "auto");
  const std::vector<double> values = {0.5, 10}, stds = {0.6, 0.9};
  const auto margin = [&](const Bound& bound, double level) {
    return forecaster.Margin(bound, values, stds, level);
  };
  // A lower bound depends on the low residuals, an upper bound on the high ones.
  const double low = (10 + kUpMean) / 10, high = (5 - kUpMean) / 10;
  EXPECT_NEAR(margin(BoundOn("up", -1, model), 0.8), low, kFloat);
  EXPECT_NEAR(margin(BoundOn("up", 1, model), 0.8), high, kFloat);
  EXPECT_NEAR(margin(BoundOn("-up", 1, model), 0.8), low, kFloat);
  // Two objectives must hold with 0.8 each for 0.6: "right" must not be low, "up" not high.
  EXPECT_NEAR(margin(BoundOn("2*right - up", -1, model), 0.6), 2 * 0.5 + high, kFloat);
  // The derivatives are 1/up by "right" and -right/up^2 by "up".
  EXPECT_NEAR(margin(BoundOn("right/up", -1, model), 0.6), 0.5 / 10 + high * 0.5 / 100, kFloat);

  EXPECT_EQ(margin(BoundOn("up", -1, model), 0), 0);
  Bound firm = BoundOn("up", -1, model);
  firm.firm = true;
  EXPECT_EQ(margin(firm, 0.9), 0);
  // A level below the middle must not loosen a bound.
  EXPECT_EQ(margin(BoundOn("up", 1, model), 0.05), 0);
}

// Three codes at one place. 4
// episodes with standard deviation 0.2 have noise 0.2^2 / 4 = 0.01; with standard deviation 2 they
// have 1. The typical noise, the lower median, is 0.01; averaged with it they are 0.01, 0.01 and
// 0.505. "up" has a single usable episode, so its noise is taken as a tenth of its label's: 0.04.
class ForecasterOfRolledOutCodes : public testing::Test {
 protected:
  ForecasterOfRolledOutCodes() {
    net::CodeTable& table = GroundingOf(model_).rolled_out;
    model_.description.objectives[1].std = 2;
    table.codes = {0.25f, 0.5f, 0, 0.25f, 0.5f, 0, 0.25f, 0.5f, 0};
    table.values = {0.7f, 13, 0.8f, 13, 1.75f, 13};
    table.deviations = {0.2f, 0, 0.2f, 0, 2, 0};
  }

  net::Model model_ = GroundedPlaneModel();
};

// Weights are those of the inverse noise, 100 : 100 : 1 / 0.505.
TEST_F(ForecasterOfRolledOutCodes, IsWhatWasRealised) {
  const Forecaster forecaster(model_, kSampledMode, "auto");
  EXPECT_TRUE(forecaster.has_rollouts());
  EXPECT_EQ(forecaster.known_codes().size(), 9u);
  const std::vector<Forecast> forecasts = forecaster.Predict(forecaster.known_codes());
  ASSERT_EQ(forecasts.size(), 3u);
  const double third = 1 / 0.505, mean = (100 * 0.7 + 100 * 0.8 + third * 1.75) / (200 + third);
  for (const Forecast& forecast : forecasts) {
    EXPECT_NEAR(forecast.values[0], mean, kFloat);
    EXPECT_NEAR(forecast.values[1], 13, kFloat);
    EXPECT_NEAR(forecast.noise[0], std::sqrt(4 * (0.01 + 0.01 + 0.505) / 3), kFloat);
    EXPECT_NEAR(forecast.noise[1], 2 * 0.2, kFloat);
  }
}

// At one place the forecast of a code is the weighted mean of the others, and its variance that of
// this mean and of another one, with the mean noise around. The mean's variance is larger if the
// two others differ by more than their noise, (4 + d^2 / (n_a + n_b)) / 5. "up" is the same
// everywhere, so its residuals are 0, its scale stays 1, and its mean's variance has 4 / (4 + 2).
TEST_F(ForecasterOfRolledOutCodes, IsCalibratedByLeavingEachOut) {
  const Forecaster forecaster(model_, kSampledMode, "auto");
  const double values[] = {0.7, 0.8, 1.75}, noises[] = {0.01, 0.01, 0.505};
  std::vector<double> residuals;
  for (int i = 0; i < 3; ++i) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    const double weights = 1 / noises[a] + 1 / noises[b];
    const double mean = (values[a] / noises[a] + values[b] / noises[b]) / weights;
    const double noise = noises[a] + noises[b];
    const double signal = (4 + std::pow(values[a] - values[b], 2) / noise) / 5;
    residuals.push_back((values[i] - mean) / std::sqrt(signal / weights + noise / 2));
  }
  std::sort(residuals.begin(), residuals.end());
  // In whatever scale.
  EXPECT_NEAR(forecaster.Quantile(0, 0.75) / forecaster.Quantile(0, 0.25),
              residuals[2] / residuals[0], 1e-4);
  EXPECT_NEAR(forecaster.Quantile(0, 0.5) / forecaster.Quantile(0, 0.25),
              residuals[1] / residuals[0], 1e-4);
  const Forecast forecast = forecaster.Predict(std::vector<float>{0.25f, 0.5f, 0}).front();
  EXPECT_NEAR(forecast.stds[1], std::sqrt(0.04 / 3 * 4 / 6 + 0.04), 1e-5);
}

TEST_F(ForecasterOfRolledOutCodes, OneEpisodeDoesNotTellItsOwnNoise) {
  GroundingOf(model_).episodes = 1;
  GroundingOf(model_).rolled_out.deviations.assign(6, 0);
  const Forecaster forecaster(model_, kSampledMode, "auto");
  const Forecast forecast = forecaster.Predict(forecaster.known_codes()).front();
  EXPECT_NEAR(forecast.values[0], (0.7 + 0.8 + 1.75) / 3, kFloat);
  EXPECT_NEAR(forecast.noise[0], 0.1, kFloat);
}

TEST(Forecaster, HeadsOfTheLabelsDoNotKnowTheirError) {
  net::Model model = KnownModel();
  model.heads.weights[0] = 0.5f;
  const Forecaster by_labels(model, kSampledMode, "labels"), not_grounded(model, kMean, "auto");
  for (const Forecaster* one : {&by_labels, &not_grounded}) {
    const Forecaster& forecaster = *one;
    EXPECT_EQ(forecaster.episodes(), 0);
    EXPECT_EQ(forecaster.Quantile(0, 0.9), 0);
    const Forecast forecast = forecaster.Predict(std::vector<float>{0.5f, 0.5f, 0}).front();
    EXPECT_THAT(forecast.values, ElementsAre(0.25, 11));
    EXPECT_THAT(forecast.noise, ElementsAre(0, 0));
    EXPECT_THAT(forecast.stds, ElementsAre(0, 0));
    EXPECT_TRUE(forecaster.IntervalsOf(forecast, 0.9).empty());
    EXPECT_EQ(forecaster.Margin(BoundOn("up", -1, model), forecast.values, forecast.stds, 0.9), 0);
    EXPECT_FALSE(forecaster.has_rollouts());
    EXPECT_EQ(forecaster.known_codes().size(), model.training.codes.size());
  }
  EXPECT_THAT(test::ErrorOf([&] { Forecaster(model, kMean, "grounded"); }),
              HasSubstr("not grounded for mean actions"));
}

TEST(Forecaster, TooManyObjectivesAreAnError) {
  net::Model model;
  model.heads = {65, 1, std::vector<float>(65, 1), std::vector<float>(65, 0)};
  for (int k = 0; k < 65; ++k) AddObjective("objective_" + std::to_string(k), model);
  EXPECT_THAT(test::ErrorOf([&] { Forecaster(model, kSampledMode, "auto"); }),
              "the model has 65 objectives; steering takes at most 64");
}

// Steering uses one buffer for many forecasts, and for problems with other objectives.
TEST(Forecaster, APathLeavesNoDeviationsBehind) {
  net::Model model = GroundedPlaneModel();
  RollOutGrid(model);
  const Forecaster forecaster(model, kSampledMode, "grounded");
  const std::vector<int> first = {0};
  Forecaster::Path path(forecaster, first);
  std::vector<double> values = {7, 7}, stds = {7, 7}, noise = {7, 7};
  for (int i = 0; i < 2; ++i) {
    path.Forecast(std::vector<double>{0.2, -0.3, 0}, Forecaster::Path::Look::kAround, values, stds,
                  noise);
    EXPECT_NEAR(values[0], 0.2, 0.01);
    EXPECT_EQ(values[1], 7);
    EXPECT_EQ(stds[1], 0);
    EXPECT_EQ(noise[1], 0);
  }
}

}  // namespace
}  // namespace rhumb::steer
