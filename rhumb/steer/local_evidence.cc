#include "rhumb/steer/local_evidence.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace rhumb::steer {
namespace {

constexpr std::size_t kNeighbours = 32;  // m
constexpr double kLengthShare = 0.5;     // l, of the distance of the farthest of them
constexpr double kMaxNoiseShare = 100;

double SquaredDistance(const float* a, const float* b, std::size_t size) {
  float square = 0;
  for (std::size_t i = 0; i < size; ++i) square += (a[i] - b[i]) * (a[i] - b[i]);
  return square;
}

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
  std::vector<double> squares(count_);
  for (std::size_t i = 0; i < count_; ++i) {
    squares[i] = SquaredDistance(code.data(), codes_.data() + i * code_size_, code_size_);
  }
  std::vector<std::size_t> order(count_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto last = order.begin() + static_cast<std::ptrdiff_t>(m) - 1;
  std::nth_element(order.begin(), last, order.end(), [&](std::size_t a, std::size_t b) {
    return squares[a] != squares[b] ? squares[a] < squares[b] : a < b;
  });
  const double length = kLengthShare * std::sqrt(squares[*last]);
  const double by = length > 0 ? -0.5 / (length * length) : 0;  // 0: all at one place

  const auto size = static_cast<Eigen::Index>(m);
  Eigen::MatrixXd kernel(size, size);
  Eigen::VectorXd near(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t a = order[static_cast<std::size_t>(i)];
    near[i] = std::exp(by * squares[a]);
    kernel(i, i) = 1 + noise_shares_[a];
    for (Eigen::Index j = 0; j < i; ++j) {
      const std::size_t b = order[static_cast<std::size_t>(j)];
      kernel(i, j) = std::exp(by * SquaredDistance(codes_.data() + a * code_size_,
                                                   codes_.data() + b * code_size_, code_size_));
    }
  }
  const Eigen::VectorXd weights = kernel.selfadjointView<Eigen::Lower>().llt().solve(near);
  for (Eigen::Index i = 0; i < size; ++i) {
    const double* residual = residuals_.data() + order[static_cast<std::size_t>(i)] * objectives_;
    for (std::size_t k = 0; k < objectives_; ++k) values[k] += weights[i] * residual[k];
  }
}

}  // namespace rhumb::steer
