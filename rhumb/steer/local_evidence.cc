#include "rhumb/steer/local_evidence.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <numeric>

namespace rhumb::steer {
namespace {

constexpr std::size_t kNeighbours = 32;  // m
constexpr float kLengthShare = 0.5f;     // l, of the distance of the farthest of them
constexpr double kMaxNoiseShare = 100;

using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The variance of the residuals is that of the noise and that of the heads' error. With several
// objectives the mean share of a code counts, so that one matrix serves them all.
std::vector<double> NoiseShares(std::span<const double> residuals, std::span<const double> noise,
                                std::size_t count) {
  const std::size_t objectives = count > 0 ? residuals.size() / count : 0;
  std::vector<double> shares(count, 0.0);
  for (std::size_t k = 0; k < objectives; ++k) {
    double squares = 0, noises = 0;
    for (std::size_t i = k; i < residuals.size(); i += objectives) {
      squares += residuals[i] * residuals[i];
      noises += noise[i];
    }
    // At least a tenth is the heads' error: the noise is itself an estimate.
    const double error = std::max(squares - noises, 0.1 * squares) / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double share = error > 0 ? noise[i * objectives + k] / error : kMaxNoiseShare;
      shares[i] += std::clamp(share, 1 / kMaxNoiseShare, kMaxNoiseShare);
    }
  }
  for (double& share : shares) share /= static_cast<double>(objectives);
  return shares;
}

}  // namespace

LocalEvidence::LocalEvidence(std::span<const float> codes, int code_size,
                             std::vector<double> residuals, std::span<const double> noise)
    : code_size_(static_cast<std::size_t>(code_size)),
      count_(codes.size() / code_size_),
      objectives_(count_ > 0 ? residuals.size() / count_ : 0),
      codes_(codes.begin(), codes.end()),
      residuals_(std::move(residuals)),
      noise_shares_(NoiseShares(residuals_, noise, count_)) {}

void LocalEvidence::Correct(std::span<const float> code, std::span<double> values) const {
  const std::size_t m = std::min(kNeighbours, count_);
  if (m == 0) return;
  const auto width = static_cast<Eigen::Index>(code_size_), size = static_cast<Eigen::Index>(m);
  const Eigen::Map<const RowMatrix> table(codes_.data(), static_cast<Eigen::Index>(count_), width);
  const Eigen::Map<const Eigen::RowVectorXf> point(code.data(), width);
  const Eigen::VectorXf squares = (table.rowwise() - point).rowwise().squaredNorm();
  std::vector<int> order(count_);
  std::iota(order.begin(), order.end(), 0);
  const auto last = order.begin() + static_cast<std::ptrdiff_t>(m) - 1;
  std::nth_element(order.begin(), last, order.end(), [&](int a, int b) {
    return squares[a] != squares[b] ? squares[a] < squares[b] : a < b;
  });
  // Rounding must not depend on how nth_element leaves them.
  std::sort(order.begin(), last + 1);
  float farthest = 0;
  RowMatrix near(size, width);  // around the code, so that products do not cancel
  for (Eigen::Index i = 0; i < size; ++i) {
    const int from = order[static_cast<std::size_t>(i)];
    near.row(i) = table.row(from) - point;
    farthest = std::max(farthest, squares[from]);
  }
  const float by = farthest > 0 ? -0.5f / (kLengthShare * kLengthShare * farthest) : 0;

  // |a - b|^2 = |a|^2 + |b|^2 - 2 ab
  const Eigen::VectorXf norms = near.rowwise().squaredNorm();
  Eigen::MatrixXf apart = -2 * near * near.transpose();
  apart.colwise() += norms;
  apart.rowwise() += norms.transpose();
  Eigen::MatrixXd kernel = (by * apart.array().max(0)).exp().matrix().cast<double>();
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto from = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
    kernel(i, i) = 1 + noise_shares_[from];
  }
  const Eigen::VectorXd to_code = (by * norms.array()).exp().matrix().cast<double>();
  const Eigen::VectorXd weights = kernel.llt().solve(to_code);
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto from = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
    const double* residual = residuals_.data() + from * objectives_;
    for (std::size_t k = 0; k < objectives_; ++k) values[k] += weights[i] * residual[k];
  }
}

}  // namespace rhumb::steer
