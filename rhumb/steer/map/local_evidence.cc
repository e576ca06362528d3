#include "rhumb/steer/map/local_evidence.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

namespace rhumb::steer {
namespace {

constexpr std::size_t kNeighbours = 16;  // m
constexpr float kLengthShare = 0.7f;     // l, as a share of the distance to the farthest neighbour
// The noise is itself an estimate. At least this share of the residuals counts as the heads'
// error, and the noise counts as at least this share of the error. The latter keeps codes at the
// same place harmless.
constexpr double kErrorShare = 0.1, kMinNoiseShare = 0.01;

// residual^2 = error^2 + noise^2, on average. A few codes that sometimes fall have most of the
// noise, so the error is measured on the less noisy half. If all are equally noisy, it is measured
// on all.
std::vector<double> MeasureErrorVariances(std::span<const double> residuals,
                                          std::span<const double> noise_variances,
                                          std::size_t objectives) {
  const std::size_t count = residuals.size() / objectives;
  std::vector<double> variances;
  std::vector<std::size_t> order(count);
  for (std::size_t k = 0; k < objectives; ++k) {
    for (std::size_t i = 0; i < count; ++i) order[i] = i * objectives + k;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return noise_variances[a] != noise_variances[b] ? noise_variances[a] < noise_variances[b]
                                                      : a < b;
    });
    const bool are_equal = noise_variances[order.front()] == noise_variances[order.back()];
    const std::size_t used = are_equal ? count : (count + 1) / 2;
    double squares = 0, noise = 0;
    for (const std::size_t i : std::span(order).first(used)) {
      squares += residuals[i] * residuals[i];
      noise += noise_variances[i];
    }
    variances.push_back(std::max(squares - noise, kErrorShare * squares) /
                        static_cast<double>(used));
  }
  return variances;
}

// Returns the indices of the `count` smallest values in order; the first of equal ones wins.
// Nearly all elements are only compared with the worst one kept.
std::vector<std::size_t> FindLeast(std::span<const float> squares, std::size_t count) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    if (kept.size() == count) {
      if (!(squares[i] < squares[kept.back()])) continue;
      kept.pop_back();
    }
    kept.insert(
        std::upper_bound(kept.begin(), kept.end(), i,
                         [&](std::size_t a, std::size_t b) { return squares[a] < squares[b]; }),
        i);
  }
  return kept;
}

}  // namespace

LocalEvidence::LocalEvidence(std::span<const float> codes, int code_size,
                             std::vector<double> residuals, std::vector<double> noise_variances)
    : codes_(codes, code_size),
      objectives_(codes.empty() ? 0 : residuals.size() / static_cast<std::size_t>(codes_.count())),
      residuals_(std::move(residuals)),
      noise_variances_(std::move(noise_variances)) {
  if (codes.empty()) return;
  error_variances_ = MeasureErrorVariances(residuals_, noise_variances_, objectives_);
}

void LocalEvidence::Correct(std::span<const float> code, std::span<double> values,
                            std::span<double> stds) const {
  const auto count = static_cast<std::size_t>(codes_.count());
  const std::size_t m = std::min(kNeighbours, count);
  if (m == 0) return;
  std::vector<float> squares(codes_.padded_count());
  codes_.MeasureSquares(code, squares);
  const std::vector<std::size_t> nearest = FindLeast(std::span(squares).first(count), m);
  const float farthest = squares[nearest.back()];
  const float by = farthest > 0 ? -0.5f / (kLengthShare * kLengthShare * farthest) : 0;
  const auto size = static_cast<Eigen::Index>(m);
  Eigen::MatrixXf near(
      size,
      codes_.code_size());  // relative to the code, to avoid cancellation in products
  for (int d = 0; d < codes_.code_size(); ++d) {
    for (std::size_t i = 0; i < m; ++i) {
      near(static_cast<Eigen::Index>(i), d) =
          codes_.at(static_cast<int>(nearest[i]), d) - code[static_cast<std::size_t>(d)];
    }
  }

  // |a - b|^2 = |a|^2 + |b|^2 - 2 ab
  const Eigen::VectorXf norms = near.rowwise().squaredNorm();
  Eigen::MatrixXf apart = -2 * near * near.transpose();
  apart.colwise() += norms;
  apart.rowwise() += norms.transpose();
  Eigen::MatrixXd kernel = (by * apart.array().max(0)).exp().matrix().cast<double>();
  const Eigen::VectorXd to_code = (by * norms.array()).exp().matrix().cast<double>();
  Eigen::VectorXd residuals(size), noise(size);
  for (std::size_t k = 0; k < objectives_; ++k) {
    const double error = error_variances_[k];
    if (error <= 0) continue;  // the heads are exact; keep their standard deviation
    for (std::size_t i = 0; i < m; ++i) {
      residuals[static_cast<Eigen::Index>(i)] = residuals_[nearest[i] * objectives_ + k];
      noise[static_cast<Eigen::Index>(i)] = noise_variances_[nearest[i] * objectives_ + k];
    }
    kernel.diagonal() = (1 + (noise.array() / error).max(kMinNoiseShare)).matrix();
    const Eigen::VectorXd weights = kernel.llt().solve(to_code);
    values[k] += weights.dot(residuals);
    if (stds.empty()) continue;
    stds[k] = std::sqrt(error * std::max(0.0, 1 - weights.dot(to_code)) +
                        to_code.dot(noise) / to_code.sum());
  }
}

}  // namespace rhumb::steer
