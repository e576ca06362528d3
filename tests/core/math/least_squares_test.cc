#include "rhumb/core/math/least_squares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/net/sample_model.h"

namespace rhumb::core {
namespace {

// y = 2 x + 1 and y = 3 - x through three points.
TEST(LeastSquares, IsExactOnALine) {
  const std::vector<float> x = {0, 1, 3}, y = {1, 3, 3, 2, 7, 0};
  const std::vector<double> solution = SolveLeastSquares(x, 1, y, 2);
  const double expected[] = {2, -1, 1, 3};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(solution[i], expected[i], 1e-14);
  for (const double error : MeanSquaredErrors(solution, x, 1, y, 2)) EXPECT_NEAR(error, 0, 1e-28);
}

// The fit through (0, 0), (1, 3), (2, 0) is y = 1, with errors -1, 2, -1 and mean square 2.
TEST(LeastSquares, MeanSquaredErrorByHand) {
  const std::vector<float> x = {0, 1, 2}, y = {0, 3, 0};
  const std::vector<double> solution = SolveLeastSquares(x, 1, y, 1);
  EXPECT_NEAR(solution[0], 0, 1e-14);
  EXPECT_NEAR(solution[1], 1, 1e-14);
  EXPECT_NEAR(MeanSquaredErrors(solution, x, 1, y, 1)[0], 2, 1e-14);
}

// At the minimum, residuals are orthogonal to every input and to the constant. The tolerance
// covers sums of 200 products of order 1 in double.
TEST(LeastSquares, ResidualsAreOrthogonalToTheInputs) {
  constexpr int kRows = 200, kInputs = 5, kOutputs = 2;
  net::SampleWeights weights(2);
  const std::vector<float> x = weights.Draw(kRows * kInputs), y = weights.Draw(kRows * kOutputs);
  const std::vector<double> b = SolveLeastSquares(x, kInputs, y, kOutputs);
  for (std::size_t o = 0; o < kOutputs; ++o) {
    double products[kInputs + 1] = {};
    for (std::size_t row = 0; row < kRows; ++row) {
      double residual = b[kInputs * kOutputs + o] - y[row * kOutputs + o];
      for (std::size_t i = 0; i < kInputs; ++i) {
        residual += x[row * kInputs + i] * b[i * kOutputs + o];
      }
      for (std::size_t i = 0; i < kInputs; ++i) products[i] += residual * x[row * kInputs + i];
      products[kInputs] += residual;
    }
    for (const double product : products) EXPECT_NEAR(product, 0, 1e-11);
  }
}

// The third input is the sum of the first two, within float rounding; the fourth is constant. The
// fit of y = x0 is still exact, and no coefficient is large.
TEST(LeastSquares, DependentInputsGiveSmallCoefficients) {
  net::SampleWeights weights(4);
  std::vector<float> x, y;
  for (int row = 0; row < 50; ++row) {
    const std::vector<float> two = weights.Draw(2);
    x.insert(x.end(), {two[0], two[1], two[0] + two[1], 7});
    y.push_back(two[0]);
  }
  const std::vector<double> solution = SolveLeastSquares(x, 4, y, 1);
  // Of all solutions (1 - t, -t, t) the shortest has t = 1/3.
  EXPECT_NEAR(solution[0], 2.0 / 3, 1e-6);
  EXPECT_NEAR(solution[1], -1.0 / 3, 1e-6);
  EXPECT_NEAR(solution[2], 1.0 / 3, 1e-6);
  EXPECT_NEAR(solution[3], 0, 1e-6);
  EXPECT_LT(MeanSquaredErrors(solution, x, 4, y, 1)[0], 1e-12);
}

// Two rows for three inputs: a line through both rows; the other coefficients are 0.
TEST(LeastSquares, FewerRowsThanInputs) {
  const std::vector<float> x = {1, 0, 0, 3, 0, 0}, y = {5, 9};
  const std::vector<double> solution = SolveLeastSquares(x, 3, y, 1);
  const double expected[] = {2, 0, 0, 3};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(solution[i], expected[i], 1e-13);
}

}  // namespace
}  // namespace rhumb::core
