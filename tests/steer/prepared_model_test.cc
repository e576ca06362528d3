#include "rhumb/steer/prepared_model.h"

#include <gtest/gtest.h>

#include "tests/steer/plane_model.h"

namespace rhumb::steer {
namespace {

// Both values have slope 1 / scale along the plane, so the summed squares are 2 / scale^2. The
// slope of the lure leads off the plane and does not count.
TEST(PreparedModel, TheStepIsDividedByTheSquaredSlope) {
  SteerOptions options;
  options.primal_step = 0.1;
  const auto step = [&](const net::Model& model) {
    return PreparedModel(model, kSampledMode, options).primal_step;
  };
  EXPECT_DOUBLE_EQ(step(PlaneModel()), 0.1 / 2);
  EXPECT_NEAR(step(PlaneModel(0, 10)), 0.1 / 0.02, 1e-6);
  EXPECT_DOUBLE_EQ(step(PlaneModel(1.5f)), 0.1 / 2);
  options.scale_step = false;
  EXPECT_DOUBLE_EQ(step(PlaneModel()), 0.1);
}

TEST(PreparedModel, ForecastsWhatWasRolledOutOrElseTheTrainingCodes) {
  const SteerOptions options;
  net::Model model = GroundedPlaneModel();
  RollOut(0.5f, -0.25f, model);
  const PreparedModel prepared(model, kSampledMode, options);
  ASSERT_EQ(prepared.known.size(), 1u);
  EXPECT_NEAR(prepared.known[0].values[1], -0.25, 1e-6);
  const PreparedModel untried(model, net::RolloutMode::kMean, options);
  ASSERT_EQ(untried.known.size(), static_cast<std::size_t>(kGridSide * kGridSide));
  EXPECT_NEAR(untried.known[1].values[0], -1 + kGridStep, 1e-6);
  EXPECT_NEAR(untried.known[1].values[1], -1, 1e-6);
}

// Threads share the known codes in parts of 128.
TEST(PreparedModel, ForecastsEqualThoseOfOneThread) {
  net::Model model = GroundedPlaneModel();
  for (int i = 0; i < 300; ++i) {
    RollOut(static_cast<float>(i % 20) * 0.1f - 1, static_cast<float>(i) * 0.006f - 0.9f, model);
  }
  const SteerOptions options;
  const PreparedModel prepared(model, kSampledMode, options);
  const std::vector<Forecast> alone =
      prepared.forecaster.Predict(prepared.forecaster.known_codes());
  ASSERT_EQ(alone.size(), 300u);
  ASSERT_EQ(prepared.known.size(), alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(prepared.known[i].values, alone[i].values);
    EXPECT_EQ(prepared.known[i].stds, alone[i].stds);
  }
}

}  // namespace
}  // namespace rhumb::steer
