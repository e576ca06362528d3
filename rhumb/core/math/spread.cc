#include "rhumb/core/math/spread.h"

#include <algorithm>
#include <cmath>

namespace rhumb::core {

bool Spread::varies() const { return std > 1e-6 * std::max(std::abs(min), std::abs(max)); }

Spread SpreadOf(std::span<const double> values, std::size_t first, std::size_t stride) {
  if (first >= values.size()) return {};
  Spread spread{.min = values[first], .max = values[first]};
  double sum = 0, squares = 0, count = 0;
  for (std::size_t i = first; i < values.size(); i += stride, ++count) {
    sum += values[i];
    spread.min = std::min(spread.min, values[i]);
    spread.max = std::max(spread.max, values[i]);
  }
  spread.mean = sum / count;
  for (std::size_t i = first; i < values.size(); i += stride) {
    squares += (values[i] - spread.mean) * (values[i] - spread.mean);
  }
  spread.std = std::sqrt(squares / count);
  return spread;
}

void RunningSpread::Add(double value) {
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = count_ == 0 ? value : std::max(max_, value);
  ++count_;
  // The squares grow by (x - old mean)(x - new mean).
  const double difference = value - mean_;
  mean_ += difference / static_cast<double>(count_);
  squares_ += difference * (value - mean_);
}

Spread RunningSpread::spread() const {
  if (count_ == 0) return {};
  return {min_, mean_, max_, std::sqrt(squares_ / static_cast<double>(count_))};
}

}  // namespace rhumb::core
