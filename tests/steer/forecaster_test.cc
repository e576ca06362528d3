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
// Heads, noise and residuals are float.
constexpr double kFloat = 1e-6;

net::Grounding& GroundingOf(net::Model& model) {
  return *model.grounded[static_cast<std::size_t>(kSampledMode)];
}

// "right" = a with standard deviation 1, and "up" = 10 + 2 b with standard deviation 2. Noise of
// 0.3 and members 0.4 from their mean give scales of 0.5 standard deviations: 0.5 and 1. Residuals
// of "right" are -1, -0.9, ..., 1. Those of "up" are 0.1 more, and twice as far below the middle:
// -1.9, -1.7, ..., 0.1, 0.2, ..., 1.1. Each of the 21 ranks is 1/22 of the probability.
net::Model KnownModel() {
  net::Model model = GroundedPlaneModel(0.3f);
  net::ModelObjective& up = model.description.objectives[1];
  up.mean = 10;
  up.std = 2;
  up.min = 8;
  up.max = 12;
  net::HeadEnsemble& heads = GroundingOf(model).heads;
  for (std::size_t i = 0; i < 2; ++i) {
    const float bias = i == 0 ? 0.4f : -0.4f;
    heads.members[i].SetLayer(0, std::vector<float>{1, 0, 0, 1, 0, 0},
                              std::vector<float>{bias, bias});
  }
  for (std::size_t i = 0; i < 21; ++i) {
    float& residual = heads.residuals[1][i];
    residual = 0.1f + (residual < 0 ? 2 * residual : residual);
  }
  return model;
}

Bound BoundOn(const char* text, double sign, const net::Model& model) {
  Bound bound;
  bound.expression = QueryExpression::Parse(text, model.description, "test");
  bound.sign = sign;
  return bound;
}

TEST(Forecaster, UnitsScalesAndPredictionsByHand) {
  const net::Model model = KnownModel();
  const Forecaster forecaster(model, kSampledMode, "auto");
  EXPECT_TRUE(forecaster.calibrated());
  EXPECT_EQ(forecaster.episodes(), 4);
  EXPECT_EQ(forecaster.objectives(), 2);
  EXPECT_EQ(forecaster.code_size(), 3);
  EXPECT_EQ(forecaster.ToUnits(1, 1.5), 13);
  EXPECT_EQ(forecaster.LabelStd(0), 1);
  EXPECT_EQ(forecaster.LabelStd(1), 2);

  const std::vector<Forecast> forecasts =
      forecaster.Predict(std::vector<float>{0.25f, 0.5f, 0.9f, -1, 0, 0});
  ASSERT_EQ(forecasts.size(), 2u);
  EXPECT_NEAR(forecasts[0].values[0], 0.25, kFloat);
  EXPECT_NEAR(forecasts[0].values[1], 11, kFloat);
  EXPECT_NEAR(forecasts[1].values[0], -1, kFloat);
  // Ranks ceil(0.84 * 22) = 19 and floor(0.16 * 22) = 3: 0.8 and -0.8, 0.9 and -1.5.
  EXPECT_NEAR(forecasts[0].stds[0], 0.8 * 0.5, kFloat);
  EXPECT_NEAR(forecasts[0].stds[1], 1.2 * 1, kFloat);
}

TEST(Forecaster, ManyCodesAreTheSameAsEachAlone) {
  const net::Model model = KnownModel();
  const Forecaster forecaster(model, kSampledMode, "grounded");
  const std::vector<Forecast> all = forecaster.Predict(model.training.codes);
  ASSERT_EQ(all.size(), 441u);  // more than one prediction call handles
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Forecast alone =
        forecaster.Predict(std::span(model.training.codes).subspan(3 * i, 3)).front();
    EXPECT_EQ(all[i].values, alone.values);
    EXPECT_EQ(all[i].stds, alone.stds);
  }
  EXPECT_TRUE(forecaster.Predict({}).empty());
}

// Residuals are in units of the standard deviations: scales of 0.8 and 1.2 as above.
TEST(Forecaster, IntervalsAreRanksOfTheResiduals) {
  const net::Model model = KnownModel();
  const Forecaster forecaster(model, kSampledMode, "auto");
  // Ranks 11, ceil(0.9 * 22) = 20 and floor(0.1 * 22) = 2.
  EXPECT_NEAR(forecaster.Quantile(0, 0.5), 0, kFloat);
  EXPECT_NEAR(forecaster.Quantile(1, 0.5), 0.1 / 1.2, kFloat);
  EXPECT_NEAR(forecaster.Quantile(1, 0.9), 1.0 / 1.2, kFloat);
  EXPECT_NEAR(forecaster.Quantile(1, 0.1), -1.7 / 1.2, kFloat);
  const Forecast forecast{{0.25, 11}, {0.4, 1.2}, {0, 0}};
  const Interval right = forecaster.IntervalsOf(forecast, 0.8)[0];
  EXPECT_NEAR(right.low, 0.25 - 0.9 * 0.5, kFloat);
  EXPECT_NEAR(right.high, 0.25 + 0.9 * 0.5, kFloat);
  const Interval up = forecaster.IntervalsOf(forecast, 0.8)[1];
  EXPECT_NEAR(up.low, 11 - 1.7, kFloat);
  EXPECT_NEAR(up.high, 11 + 1.0, kFloat);
}

// 21 residuals cover levels up to 21/22, whose normal quantile is 1.690622. Those of 0.99 and 1 -
// 1e-6 are 2.326348 and 4.753424.
TEST(Forecaster, TheTailBeyondTheOutermostResidualIsNormal) {
  net::Model model = KnownModel();
  const Forecaster forecaster(model, kSampledMode, "auto");
  const double at_99 = 2.326348 / 1.690622, at_million = 4.753424 / 1.690622;
  EXPECT_NEAR(0.8 * forecaster.Quantile(0, 21.0 / 22), 1, kFloat);
  EXPECT_NEAR(0.8 * forecaster.Quantile(0, 0.99), at_99, 2 * kFloat);
  EXPECT_NEAR(0.8 * forecaster.Quantile(0, 0.01), -at_99, 2 * kFloat);
  EXPECT_NEAR(0.8 * forecaster.Quantile(0, 1 - 1e-6), at_million, 2 * kFloat);
  // Measured from the middle, 0.1: the outermost are 1 above and 2 below it.
  EXPECT_NEAR(1.2 * forecaster.Quantile(1, 0.99), 0.1 + at_99, 2 * kFloat);
  EXPECT_NEAR(1.2 * forecaster.Quantile(1, 0.01), 0.1 - 2 * at_99, 4 * kFloat);

  // A single residual has no tail, and no scale.
  GroundingOf(model).heads.residuals.assign(2, {0.3f});
  const Forecaster single(model, kSampledMode, "auto");
  EXPECT_NEAR(single.Quantile(0, 0.99), 0.3, kFloat);
  EXPECT_NEAR(single.Quantile(0, 0.01), 0.3, kFloat);
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
  net::Model model = KnownModel();
  const Forecaster forecaster(model, kSampledMode, "auto");
  const std::vector<double> values = {0.5, 10}, stds = {0.4, 1.2};
  const auto margin = [&](const Bound& bound, double level) {
    return forecaster.Margin(bound, values, stds, level);
  };
  // A lower bound depends on the low residuals, an upper bound on the high ones.
  EXPECT_NEAR(margin(BoundOn("up", -1, model), 0.9), 1.7, kFloat);
  EXPECT_NEAR(margin(BoundOn("up", 1, model), 0.9), 1.0, kFloat);
  EXPECT_NEAR(margin(BoundOn("-up", 1, model), 0.9), 1.7, kFloat);
  // Two objectives must hold with 0.9 each for 0.8: "right" must not be low, "up" not high.
  EXPECT_NEAR(margin(BoundOn("2*right - up", -1, model), 0.8), 2 * 0.9 * 0.5 + 1.0, kFloat);
  // The derivatives are 1/up by "right" and -right/up^2 by "up".
  EXPECT_NEAR(margin(BoundOn("right/up", -1, model), 0.8), 0.9 * 0.5 / 10 + 1.0 * 0.5 / 100,
              kFloat);

  EXPECT_EQ(margin(BoundOn("up", -1, model), 0), 0);
  Bound firm = BoundOn("up", -1, model);
  firm.firm = true;
  EXPECT_EQ(margin(firm, 0.9), 0);

  // Heads that always predict too little must not loosen a bound.
  for (float& residual : GroundingOf(model).heads.residuals[1]) residual += 5;
  const Forecaster modest(model, kSampledMode, "auto");
  EXPECT_EQ(modest.Margin(BoundOn("up", -1, model), values, stds, 0.9), 0);
}

// Three codes at one place, where the heads predict 0.5 too little "right" and 2 too little "up". 4
// episodes with standard deviation 0.2 have noise 0.2^2 / 4 = 0.01; with standard deviation 2 they
// have 1. The typical noise, the lower median, is 0.01; averaged with it they are 0.01, 0.01 and
// 0.505. "up" has a single usable episode, so its noise is taken as a tenth of its label's: 0.04.
class ForecasterOfRolledOutCodes : public testing::Test {
 protected:
  ForecasterOfRolledOutCodes() {
    net::CodeTable& table = GroundingOf(model_).rolled_out;
    table.codes = {0.25f, 0.5f, 0, 0.25f, 0.5f, 0, 0.25f, 0.5f, 0};
    table.values = {0.7f, 13, 0.8f, 13, 1.75f, 13};
    table.deviations = {0.2f, 0, 0.2f, 0, 2, 0};
  }

  net::Model model_ = KnownModel();
};

// Weights are those of the inverse noise, 100 : 100 : 1 / 0.505. The heads do not count.
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
// this mean and of another one, with the mean noise around. "up" is the same everywhere, so its
// residuals are 0 and its scale stays 1.
TEST_F(ForecasterOfRolledOutCodes, IsCalibratedByLeavingEachOut) {
  const Forecaster forecaster(model_, kSampledMode, "auto");
  const double values[] = {0.7, 0.8, 1.75}, noises[] = {0.01, 0.01, 0.505};
  std::vector<double> residuals;
  for (int i = 0; i < 3; ++i) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    const double weights = 1 / noises[a] + 1 / noises[b];
    const double mean = (values[a] / noises[a] + values[b] / noises[b]) / weights;
    residuals.push_back((values[i] - mean) / std::sqrt(1 / weights + (noises[a] + noises[b]) / 2));
  }
  std::sort(residuals.begin(), residuals.end());
  // In whatever scale.
  EXPECT_NEAR(forecaster.Quantile(0, 0.75) / forecaster.Quantile(0, 0.25),
              residuals[2] / residuals[0], 1e-4);
  EXPECT_NEAR(forecaster.Quantile(0, 0.5) / forecaster.Quantile(0, 0.25),
              residuals[1] / residuals[0], 1e-4);
  const Forecast forecast = forecaster.Predict(std::vector<float>{0.25f, 0.5f, 0}).front();
  EXPECT_NEAR(forecast.stds[1], std::sqrt(0.04 / 3 + 0.04), 1e-5);
}

TEST_F(ForecasterOfRolledOutCodes, OneEpisodeDoesNotTellItsOwnNoise) {
  GroundingOf(model_).heads.episodes = 1;
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
    EXPECT_FALSE(forecaster.calibrated());
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
  net::Model model = GroundedPlaneModel(0.5f);
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
