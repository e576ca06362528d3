// Minimum, mean, maximum and standard deviation of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rhumb::core {

struct Spread {
  double min = 0;
  double mean = 0;
  double max = 0;
  double std = 0;  // population standard deviation

  // False if rounding to float32 could explain the differences.
  bool varies() const;
};

// Covers values[first], values[first + stride], …; zeros if there are none. Two passes.
Spread SpreadOf(std::span<const double> values, std::size_t first = 0, std::size_t stride = 1);

// The same in one pass (Welford).
class RunningSpread {
 public:
  void Add(double value);
  std::int64_t count() const { return count_; }
  Spread spread() const;

 private:
  std::int64_t count_ = 0;
  double min_ = 0, mean_ = 0, max_ = 0;
  double squares_ = 0;  // sum of squared differences from the mean
};

}  // namespace rhumb::core
