// Linear regression with an intercept, solved in double.
#pragma once

#include <span>
#include <vector>

namespace rhumb::core {

// x [rows, inputs], y [rows, outputs] -> B [inputs + 1, outputs], with the intercept in the last
// row. B minimises |[x 1] B - y|^2; if several do, it is one of small norm.
std::vector<double> SolveLeastSquares(std::span<const float> x, int inputs,
                                      std::span<const float> y, int outputs);

// Returns each output's mean squared error over rows: [outputs].
std::vector<double> MeanSquaredErrors(std::span<const double> solution, std::span<const float> x,
                                      int inputs, std::span<const float> y, int outputs);

}  // namespace rhumb::core
