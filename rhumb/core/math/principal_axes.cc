#include "rhumb/core/math/principal_axes.h"

#include <Eigen/Eigenvalues>

#include "rhumb/core/error.h"

namespace rhumb::core {

PrincipalAxes FindPrincipalAxes(std::span<const double> points, int size) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto width = static_cast<std::size_t>(size);
  RHUMB_CHECK(size > 0 && !points.empty() && points.size() % width == 0,
              "{} numbers in points of {}", points.size(), size);
  Eigen::MatrixXd centred =
      Eigen::Map<const Rows>(points.data(), static_cast<Eigen::Index>(points.size() / width), size);
  PrincipalAxes found{.mean = std::vector<double>(width),
                      .scatter = {},
                      .axes = std::vector<double>(width * width)};
  Eigen::Map<Eigen::RowVectorXd> mean(found.mean.data(), size);
  mean = centred.colwise().mean();
  centred.rowwise() -= mean;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(centred.transpose() * centred);
  // Eigenvalues ascend, and rounding can make zeros negative.
  for (Eigen::Index i = size - 1; i >= 0; --i) {
    found.scatter.push_back(std::max(0.0, solver.eigenvalues()[i]));
  }
  Eigen::Map<Rows>(found.axes.data(), size, size) =
      solver.eigenvectors().rowwise().reverse().transpose();
  return found;
}

PrincipalAxes FindPrincipalAxes(std::span<const float> points, int size) {
  return FindPrincipalAxes(std::vector<double>(points.begin(), points.end()), size);
}

}  // namespace rhumb::core
