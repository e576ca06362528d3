#include "rhumb/steer/map/local_evidence.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rhumb/core/error.h"

namespace rhumb::steer {
namespace {

constexpr int kNeighbours = 16;
constexpr double kLength = 4;  // l, in spreads of the codes
constexpr double kSignal = 4;  // S, in variances of the label
// The least noise, as a share of S. It keeps codes at the same place harmless.
constexpr double kLeastNoise = 1e-6;

// On the stack.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kNeighbours,
                             kNeighbours>;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kNeighbours, 1>;

double Matern(double square, double length) {
  const double scaled = std::sqrt(3 * square) / length;
  return (1 + scaled) * std::exp(-scaled);
}

// Returns the square root of the total variance of points [N, L], or 1 if all are equal.
double SpreadOf(std::span<const float> points, int size) {
  const auto width = static_cast<std::size_t>(size);
  const auto count = static_cast<double>(points.size() / width);
  double total = 0;
  for (std::size_t d = 0; d < width; ++d) {
    double sum = 0, squares = 0;
    for (std::size_t i = d; i < points.size(); i += width) sum += points[i];
    for (std::size_t i = d; i < points.size(); i += width) {
      squares += (points[i] - sum / count) * (points[i] - sum / count);
    }
    total += squares / count;
  }
  return total > 0 ? std::sqrt(total) : 1;
}

}  // namespace

LocalEvidence::LocalEvidence(std::span<const float> codes, const CodeMetric& metric,
                             std::vector<double> values, std::vector<double> noise_variances,
                             std::span<const double> label_stds)
    : metric_(metric),
      table_(metric.Apply(codes), metric.size()),
      objectives_(label_stds.size()),
      values_(std::move(values)),
      noise_variances_(std::move(noise_variances)),
      length_(kLength * SpreadOf(metric.Apply(codes), metric.size())) {
  RHUMB_CHECK(!codes.empty() && values_.size() == noise_variances_.size() &&
                  values_.size() == static_cast<std::size_t>(table_.count()) * objectives_,
              "{} values and {} variances of {} codes", values_.size(), noise_variances_.size(),
              table_.count());
  for (const double label_std : label_stds) {
    signal_variances_.push_back(kSignal * label_std * label_std);
  }
}

void LocalEvidence::Forecast(std::span<const float> code, std::span<double> values,
                             std::span<double> stds, std::span<double> noise_stds,
                             int except) const {
  float place[CodeMetric::kMaxCodeSize];
  const std::span point(place, static_cast<std::size_t>(metric_.size()));
  metric_.Apply(code, point);
  NeighbourTable::Neighbour nearest[kNeighbours];
  const std::size_t found = table_.FindNeighbours(point, nearest, except);
  if (found == 0) return;

  const auto size = static_cast<Eigen::Index>(found);
  Matrix kernel(size, size);
  Vector to_code(size), own(size), noise(size);
  const Vector ones = Vector::Ones(size);
  // The table's layout is for distances from one point to all, so the neighbours are copied first.
  float near[kNeighbours * CodeMetric::kMaxCodeSize];
  const auto width = static_cast<Eigen::Index>(metric_.size());
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index d = 0; d < width; ++d) {
      near[i * width + d] = table_.at(nearest[i].index, static_cast<int>(d));
    }
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    to_code[i] = Matern(nearest[i].square, length_);
    for (Eigen::Index j = 0; j < i; ++j) {
      double square = 0;
      for (Eigen::Index d = 0; d < width; ++d) {
        const double apart = near[i * width + d] - near[j * width + d];
        square += apart * apart;
      }
      kernel(i, j) = Matern(square, length_);
    }
  }
  for (std::size_t k = 0; k < objectives_; ++k) {
    for (Eigen::Index i = 0; i < size; ++i) {
      const auto at = static_cast<std::size_t>(nearest[i].index) * objectives_ + k;
      own[i] = values_[at];
      noise[i] = noise_variances_[at];
    }
    const double signal = signal_variances_[k];
    kernel.diagonal() = (1 + (noise.array() / signal).max(kLeastNoise)).matrix();
    const Eigen::LLT<Matrix> factor(kernel);  // reads the lower triangle
    const Vector weights = factor.solve(to_code), of_ones = factor.solve(ones);
    const double total = of_ones.sum(), rest = 1 - of_ones.dot(to_code);
    const double mean = of_ones.dot(own) / total;
    const double own_noise = noise.mean();
    values[k] = weights.dot(own) + rest * mean;
    stds[k] = std::sqrt(signal * (std::max(0.0, 1 - weights.dot(to_code)) + rest * rest / total) +
                        own_noise);
    if (!noise_stds.empty()) noise_stds[k] = std::sqrt(own_noise);
  }
}

}  // namespace rhumb::steer
