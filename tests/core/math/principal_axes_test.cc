#include "rhumb/core/math/principal_axes.h"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace rhumb::core {
namespace {

using testing::ElementsAre;

// Four points around (1, 2): 5 along (3, 4) / 5 and 2 along (-4, 3) / 5, on either side.
TEST(PrincipalAxes, ByHand) {
  const std::vector<float> points = {4, 6, -2, -2, -0.6f, 3.2f, 2.6f, 0.8f};
  const PrincipalAxes found = FindPrincipalAxes(points, 2);
  EXPECT_NEAR(found.mean[0], 1, 1e-7);
  EXPECT_NEAR(found.mean[1], 2, 1e-7);
  EXPECT_NEAR(found.scatter[0], 50, 1e-5);
  EXPECT_NEAR(found.scatter[1], 8, 1e-5);
  // Signs are arbitrary.
  EXPECT_NEAR(std::abs(found.axes[0] * 0.6 + found.axes[1] * 0.8), 1, 1e-7);
  EXPECT_NEAR(std::abs(found.axes[2] * -0.8 + found.axes[3] * 0.6), 1, 1e-7);
}

TEST(PrincipalAxes, EqualPointsDoNotVary) {
  const std::vector<double> points = {0.1, 0.2, 0.3, 0.1, 0.2, 0.3};
  const PrincipalAxes found = FindPrincipalAxes(points, 3);
  EXPECT_THAT(found.mean, ElementsAre(0.1, 0.2, 0.3));
  EXPECT_THAT(found.scatter, ElementsAre(0, 0, 0));
}

}  // namespace
}  // namespace rhumb::core
