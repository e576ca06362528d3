#include "rhumb/steer/attainable.h"

#include <gtest/gtest.h>

#include "tests/steer/plane_model.h"

namespace rhumb::steer {
namespace {

// The labels are a grid of -1 to 1 in steps of 0.1, 21 codes each.
TEST(AttainableRanges, LeaveOutTheExtremes) {
  net::Model model = PlaneModel();
  const std::vector<Interval> labels = AttainableRanges(model, kSampledMode);
  ASSERT_EQ(labels.size(), 2u);
  EXPECT_FLOAT_EQ(labels[0].low, -1);
  EXPECT_FLOAT_EQ(labels[0].high, 1);
  model.training.values[0] = -500;  // one of 441 is an outlier
  EXPECT_FLOAT_EQ(AttainableRanges(model, kSampledMode)[0].low, -1);
}

// Of 0, 1, ..., 100 the share 0.01 is at 1.
TEST(AttainableRanges, AreThoseOfTheRollouts) {
  net::Model model = GroundedPlaneModel();
  for (int i = 0; i <= 100; ++i) RollOut(static_cast<float>(i), 0.5f, model);
  const std::vector<Interval> ranges = AttainableRanges(model, kSampledMode);
  EXPECT_DOUBLE_EQ(ranges[0].low, 1);
  EXPECT_DOUBLE_EQ(ranges[0].high, 99);
  EXPECT_DOUBLE_EQ(ranges[1].low, 0.5);
  EXPECT_FLOAT_EQ(AttainableRanges(model, net::RolloutMode::kMean)[0].high, 1) << "not grounded";
}

}  // namespace
}  // namespace rhumb::steer
