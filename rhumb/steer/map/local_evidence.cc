#include "rhumb/steer/map/local_evidence.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rhumb/core/error.h"

namespace rhumb::steer {
namespace {

constexpr int kSize = LocalEvidence::kNeighbours;
constexpr double kLength = 4;  // l, in spreads of the codes
constexpr double kSignal = 4;  // S, in variances of the label
// How many values would say as much about the local signal variance as S does beforehand.
constexpr double kSignalWeight = 4;
// The least noise, as a share of S. It keeps codes at the same place harmless.
constexpr double kLeastNoise = 1e-6;
// What is nearer than this counts as here for the noise, as a share of the square to the farthest.
constexpr double kNoiseBlur = 0.02;

using Row = std::array<double, kSize>;

double Dot(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t i = 0; i < kSize; ++i) sum += a[i] * b[i];
  return sum;
}

// columns: a symmetric positive matrix -> L, with 0 above the diagonal. Loops have a fixed length,
// so that the compiler makes vectors of them; with 16 rows that is faster than skipping zeros.
void Factorise(std::array<Row, kSize>& columns, Row& inverse_diagonal) {
  for (std::size_t j = 0; j < kSize; ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      const double factor = columns[k][j];
      for (std::size_t i = 0; i < kSize; ++i) columns[j][i] -= factor * columns[k][i];
    }
    inverse_diagonal[j] = 1 / std::sqrt(columns[j][j]);
    for (std::size_t i = 0; i < kSize; ++i) columns[j][i] *= inverse_diagonal[j];
    std::fill_n(columns[j].begin(), j, 0.0);
  }
}

// row <- L^-1 row.
void SolveForward(const std::array<Row, kSize>& columns, const Row& inverse_diagonal, Row& row) {
  for (std::size_t j = 0; j < kSize; ++j) {
    const double solved = row[j] * inverse_diagonal[j];
    for (std::size_t i = 0; i < kSize; ++i) row[i] -= solved * columns[j][i];
    row[j] = solved;
  }
}

// row <- L^-T row.
void SolveBackward(const std::array<Row, kSize>& columns, const Row& inverse_diagonal, Row& row) {
  for (std::size_t j = kSize; j-- > 0;) {
    double sum = row[j];
    for (std::size_t i = j + 1; i < kSize; ++i) sum -= columns[j][i] * row[i];
    row[j] = sum * inverse_diagonal[j];
  }
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

double SquareBetween(const double* a, const double* b, std::size_t width) {
  double square = 0;
  for (std::size_t d = 0; d < width; ++d) square += (a[d] - b[d]) * (a[d] - b[d]);
  return square;
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

LocalEvidence::Patch::Patch(const LocalEvidence& evidence, std::span<const int> objectives)
    : weights_(objectives.empty() ? evidence.objectives_ : objectives.size()),
      places_(static_cast<std::size_t>(kSize * evidence.metric_.size())),
      kernel_{},
      decay_{},
      nearness_{},
      point_(static_cast<std::size_t>(evidence.metric_.size())) {
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    weights_[i].objective = objectives.empty() ? i : static_cast<std::size_t>(objectives[i]);
  }
}

NeighbourTable::Nearest LocalEvidence::FindNearest(std::span<const double> point,
                                                   const Patch& patch) {
  const auto square_to = [&](std::size_t i) {
    return SquareBetween(patch.places_.data() + i * point.size(), point.data(), point.size());
  };
  std::size_t best = 0;
  double least = square_to(0);
  for (std::size_t i = 1; i < patch.count_; ++i) {
    const double square = square_to(i);
    if (!(square < least)) continue;
    least = square;
    best = i;
  }
  return {patch.near_[best], std::sqrt(least)};
}

// Each move comes strictly nearer, so it ends. A point without a number stays.
void LocalEvidence::Follow(std::span<const double> point, Patch& patch) const {
  double place[CodeMetric::kMaxCodeSize];
  while (true) {
    const int nearest = FindNearest(point, patch).index;
    if (nearest == patch.near_[0]) return;
    for (std::size_t d = 0; d < point.size(); ++d) {
      place[d] = table_.at(nearest, static_cast<int>(d));
    }
    Settle({place, point.size()}, patch);
  }
}

void LocalEvidence::Settle(std::span<const double> point, Patch& patch, int except) const {
  const auto width = static_cast<std::size_t>(metric_.size());
  float place[CodeMetric::kMaxCodeSize];
  std::copy(point.begin(), point.end(), place);
  NeighbourTable::Neighbour near[kSize];
  const std::size_t found = table_.FindNeighbours({place, width}, near, except);
  patch.count_ = found;
  std::array<Row, kSize> kernel{};
  for (std::size_t i = 0; i < kSize; ++i) kernel[i][i] = 1;
  for (std::size_t i = 0; i < found; ++i) {
    patch.near_[i] = near[i].index;
    double* own = patch.places_.data() + i * width;
    for (std::size_t d = 0; d < width; ++d) own[d] = table_.at(near[i].index, static_cast<int>(d));
    for (std::size_t j = 0; j < i; ++j) {
      const double square = SquareBetween(own, patch.places_.data() + j * width, width);
      const double scaled = std::sqrt(3 * square) / length_;
      kernel[j][i] = kernel[i][j] = (1 + scaled) * std::exp(-scaled);
    }
  }
  for (Patch::Weights& own : patch.weights_) {
    const std::size_t k = own.objective;
    own.factor = kernel;
    own.ones = own.pulls = {};
    own.noise = {};
    own.mean_noise = 0;
    for (std::size_t i = 0; i < found; ++i) {
      const std::size_t at = static_cast<std::size_t>(near[i].index) * objectives_ + k;
      own.factor[i][i] += std::max(noise_variances_[at] / signal_variances_[k], kLeastNoise);
      own.noise[i] = noise_variances_[at];
      own.mean_noise += noise_variances_[at] / static_cast<double>(found);
      own.ones[i] = 1;
      own.pulls[i] = values_[at];
    }
    Factorise(own.factor, own.inverse_diagonal);
    SolveForward(own.factor, own.inverse_diagonal, own.ones);
    SolveForward(own.factor, own.inverse_diagonal, own.pulls);
    own.total = Dot(own.ones, own.ones);
    own.mean = found > 0 ? Dot(own.ones, own.pulls) / own.total : 0;
    for (std::size_t i = 0; i < kSize; ++i) own.pulls[i] -= own.mean * own.ones[i];
    const double free_values = found > 0 ? static_cast<double>(found - 1) : 0;
    own.signal_variance = (kSignalWeight * signal_variances_[k] + Dot(own.pulls, own.pulls)) /
                          (kSignalWeight + free_values);
    SolveBackward(own.factor, own.inverse_diagonal, own.pulls);
  }
}

void LocalEvidence::Forecast(std::span<const double> point, Patch& patch, std::span<double> values,
                             std::span<double> stds, std::span<double> noise_stds) const {
  std::copy(point.begin(), point.end(), patch.point_.begin());
  patch.kernel_ = patch.nearness_ = {};
  double farthest = 0;
  for (std::size_t i = 0; i < patch.count_; ++i) {
    const double square =
        SquareBetween(patch.places_.data() + i * point.size(), point.data(), point.size());
    patch.nearness_[i] = square;
    farthest = std::max(farthest, square);
    const double scaled = std::sqrt(3 * square) / length_;
    patch.decay_[i] = std::exp(-scaled);
    patch.kernel_[i] = (1 + scaled) * patch.decay_[i];
  }
  if (patch.count_ == 0) return;
  const double blur = farthest > 0 ? kNoiseBlur * farthest : 1;
  double total = 0;
  for (std::size_t i = 0; i < patch.count_; ++i) {
    patch.nearness_[i] = 1 / (patch.nearness_[i] + blur);
    total += patch.nearness_[i];
  }
  for (const Patch::Weights& own : patch.weights_) {
    const std::size_t k = own.objective;
    values[k] = own.mean + Dot(patch.kernel_, own.pulls);
    Row solved = patch.kernel_;
    SolveForward(own.factor, own.inverse_diagonal, solved);
    const double rest = 1 - Dot(own.ones, solved);
    const double unexplained = std::max(0.0, 1 - Dot(solved, solved)) + rest * rest / own.total;
    const double noise = std::max(own.mean_noise, Dot(patch.nearness_, own.noise) / total);
    stds[k] = std::sqrt(own.signal_variance * unexplained + noise);
    if (!noise_stds.empty()) noise_stds[k] = std::sqrt(noise);
  }
}

// dM/dx = -3 / l^2 exp(-sqrt 3 d / l) (x - x_i).
void LocalEvidence::Pullback(const Patch& patch, std::span<const double> cotangents,
                             std::span<double> gradient) const {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (std::size_t i = 0; i < patch.count_; ++i) {
    double weight = 0;
    for (const Patch::Weights& own : patch.weights_) {
      weight += cotangents[own.objective] * own.pulls[i];
    }
    weight *= -3 / (length_ * length_) * patch.decay_[i];
    const double* place = patch.places_.data() + i * gradient.size();
    for (std::size_t d = 0; d < gradient.size(); ++d) {
      gradient[d] += weight * (patch.point_[d] - place[d]);
    }
  }
}

}  // namespace rhumb::steer
