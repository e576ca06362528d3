#include "rhumb/net/steadiness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace rhumb::net {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Ranges of 100 and 1000; the third objective did not shape the map.
ModelDescription Description() {
  ModelDescription model;
  model.shaping_labels = 2;
  model.objectives.resize(3);
  model.objectives[0].max = 100;
  model.objectives[1].min = -1000;
  return model;
}

TEST(Steadiness, ByHand) {
  const ModelDescription model = Description();
  EXPECT_DOUBLE_EQ(LargestSpread(std::vector<double>{1, 5, 99}, model), 0.01);
  EXPECT_DOUBLE_EQ(LargestSpread(std::vector<float>{1, 20, 99}, model), 0.02);
  EXPECT_TRUE(IsSteady(std::vector<double>{1.49, 14.9, 99}, model));
  EXPECT_FALSE(IsSteady(std::vector<double>{1.5, 0, 0}, model)) << "less than 1.5 %";
  EXPECT_FALSE(IsSteady(std::vector<double>{0, 15.1, 0}, model));
}

TEST(Steadiness, WithoutNumbers) {
  ModelDescription model = Description();
  EXPECT_EQ(LargestSpread(std::vector<double>{1, std::nan(""), 0}, model), kInfinity);
  model.objectives[1].min = 0;
  EXPECT_EQ(LargestSpread(std::vector<double>{1, 2, 0}, model), kInfinity) << "labels do not vary";
  EXPECT_TRUE(IsSteady(std::vector<double>{0, 0, 0}, model));
}

}  // namespace
}  // namespace rhumb::net
