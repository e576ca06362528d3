#include "rhumb/core/math/least_squares.h"

#include <Eigen/QR>

#include "rhumb/core/error.h"

namespace rhumb::core {
namespace {

using Matrix = Eigen::MatrixXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// [rows, columns]. An incomplete last row is a bug in Rhumb.
Matrix AsMatrix(std::span<const float> values, int columns) {
  const auto width = static_cast<std::size_t>(columns);
  RHUMB_CHECK(columns > 0 && !values.empty() && values.size() % width == 0,
              "{} numbers in rows of {}", values.size(), columns);
  return Eigen::Map<const FloatMatrix>(values.data(),
                                       static_cast<Eigen::Index>(values.size() / width), columns)
      .cast<double>();
}

}  // namespace

std::vector<double> SolveLeastSquares(std::span<const float> x, int inputs,
                                      std::span<const float> y, int outputs) {
  Matrix inputs_of_rows = AsMatrix(x, inputs);
  Matrix outputs_of_rows = AsMatrix(y, outputs);
  RHUMB_CHECK(inputs_of_rows.rows() == outputs_of_rows.rows(), "{} rows of x, {} of y",
              inputs_of_rows.rows(), outputs_of_rows.rows());
  // Fit the slopes on centred data; the intercept follows from y = mean(y) + (x - mean(x)) B.
  const Eigen::RowVectorXd x_mean = inputs_of_rows.colwise().mean();
  const Eigen::RowVectorXd y_mean = outputs_of_rows.colwise().mean();
  inputs_of_rows.rowwise() -= x_mean;
  outputs_of_rows.rowwise() -= y_mean;
  // Ignore directions that rounding the inputs to float could explain.
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(1e-6);
  decomposition.compute(inputs_of_rows);
  std::vector<double> solution(static_cast<std::size_t>((inputs + 1) * outputs));
  Eigen::Map<Rows> b(solution.data(), inputs + 1, outputs);
  b.topRows(inputs) = decomposition.solve(outputs_of_rows);
  b.row(inputs) = y_mean - x_mean * b.topRows(inputs);
  return solution;
}

std::vector<double> MeanSquaredErrors(std::span<const double> solution, std::span<const float> x,
                                      int inputs, std::span<const float> y, int outputs) {
  const Eigen::Map<const Rows> b(solution.data(), inputs + 1, outputs);
  const Matrix residuals =
      ((AsMatrix(x, inputs) * b.topRows(inputs)).rowwise() + b.row(inputs)) - AsMatrix(y, outputs);
  const Eigen::RowVectorXd means = residuals.colwise().squaredNorm() / residuals.rows();
  return {means.begin(), means.end()};
}

}  // namespace rhumb::core
