// Linear regression with an intercept, solved in double.
#pragma once

#include <span>
#include <vector>

namespace rhumb::core {

// x [rows, inputs], y [rows, outputs] -> B [inputs + 1, outputs], the last row the intercept, that
// minimises |[x 1] B - y|^2 (of several, one of small norm).
std::vector<double> SolveLeastSquares(std::span<const float> x, int inputs,
                                      std::span<const float> y, int outputs);

// The mean over rows of the squared error of each output: [outputs].
std::vector<double> MeanSquaredErrors(std::span<const double> solution, std::span<const float> x,
                                      int inputs, std::span<const float> y, int outputs);

}  // namespace rhumb::core
