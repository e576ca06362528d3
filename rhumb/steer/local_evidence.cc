#include "rhumb/steer/local_evidence.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

namespace rhumb::steer {
namespace {

constexpr std::size_t kNeighbours = 16;  // m
constexpr float kLengthShare = 0.7f;     // l, of the distance of the farthest of them
// The noise is itself an estimate: at least this share of the residuals is the heads' error, and
// the noise counts as at least this share of the error, so that codes at one place do no harm.
constexpr double kErrorShare = 0.1, kMinNoiseShare = 0.01;

// residual^2 = error^2 + noise, on average. A few codes, which now fall and now run, have most of
// the noise, so the error is that of the less noisy half; of all where all are equally noisy.
std::vector<double> MeasureErrors(std::span<const double> residuals, std::span<const double> noise,
                                  std::size_t objectives) {
  const std::size_t count = residuals.size() / objectives;
  std::vector<double> errors;
  std::vector<std::size_t> order(count);
  for (std::size_t k = 0; k < objectives; ++k) {
    for (std::size_t i = 0; i < count; ++i) order[i] = i * objectives + k;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return noise[a] != noise[b] ? noise[a] < noise[b] : a < b;
    });
    const bool are_equal = noise[order.front()] == noise[order.back()];
    const std::size_t used = are_equal ? count : (count + 1) / 2;
    double squares = 0, noises = 0;
    for (const std::size_t i : std::span(order).first(used)) {
      squares += residuals[i] * residuals[i];
      noises += noise[i];
    }
    errors.push_back(std::max(squares - noises, kErrorShare * squares) / static_cast<double>(used));
  }
  return errors;
}

// The `count` least, the first of equal ones, in order. Nearly all elements are only compared with
// the worst one kept.
std::vector<int> Nearest(const Eigen::ArrayXf& squares, std::size_t count) {
  std::vector<int> kept;
  for (int i = 0; i < squares.size(); ++i) {
    if (kept.size() == count) {
      if (!(squares[i] < squares[kept.back()])) continue;
      kept.pop_back();
    }
    kept.insert(std::upper_bound(kept.begin(), kept.end(), i,
                                 [&](int a, int b) { return squares[a] < squares[b]; }),
                i);
  }
  return kept;
}

}  // namespace

LocalEvidence::LocalEvidence(std::span<const float> codes, int code_size,
                             std::vector<double> residuals, std::vector<double> noise)
    : code_size_(static_cast<std::size_t>(code_size)),
      count_(codes.size() / code_size_),
      objectives_(count_ > 0 ? residuals.size() / count_ : 0),
      codes_(codes.size()),
      residuals_(std::move(residuals)),
      noise_(std::move(noise)) {
  if (count_ == 0) return;
  errors_ = MeasureErrors(residuals_, noise_, objectives_);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes_[i % code_size_ * count_ + i / code_size_] = codes[i];
  }
}

void LocalEvidence::Correct(std::span<const float> code, std::span<double> values,
                            std::span<double> deviations) const {
  const std::size_t m = std::min(kNeighbours, count_);
  if (m == 0) return;
  const auto width = static_cast<Eigen::Index>(code_size_), size = static_cast<Eigen::Index>(m);
  const Eigen::Map<const Eigen::ArrayXXf> table(codes_.data(), static_cast<Eigen::Index>(count_),
                                                width);
  Eigen::ArrayXf squares = Eigen::ArrayXf::Zero(table.rows());
  for (Eigen::Index d = 0; d < width; ++d) {
    squares += (table.col(d) - code[static_cast<std::size_t>(d)]).square();
  }
  const std::vector<int> nearest = Nearest(squares, m);
  const float farthest = squares[nearest.back()];
  const float by = farthest > 0 ? -0.5f / (kLengthShare * kLengthShare * farthest) : 0;
  Eigen::MatrixXf near(size, width);  // around the code, so that products do not cancel
  for (Eigen::Index d = 0; d < width; ++d) {
    for (Eigen::Index i = 0; i < size; ++i) {
      near(i, d) =
          table(nearest[static_cast<std::size_t>(i)], d) - code[static_cast<std::size_t>(d)];
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
    const double error = errors_[k];
    if (error <= 0) continue;  // the heads are right, and their deviation stays
    for (Eigen::Index i = 0; i < size; ++i) {
      const auto from = static_cast<std::size_t>(nearest[static_cast<std::size_t>(i)]);
      residuals[i] = residuals_[from * objectives_ + k];
      noise[i] = noise_[from * objectives_ + k];
    }
    kernel.diagonal() = (1 + (noise.array() / error).max(kMinNoiseShare)).matrix();
    const Eigen::VectorXd weights = kernel.llt().solve(to_code);
    values[k] += weights.dot(residuals);
    if (deviations.empty()) continue;
    deviations[k] = std::sqrt(error * std::max(0.0, 1 - weights.dot(to_code)) +
                              to_code.dot(noise) / to_code.sum());
  }
}

}  // namespace rhumb::steer
