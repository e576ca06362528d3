// Running mean and variance, merged batch by batch in double (Chan et al. 1979).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rhumb::learn::device {

struct Moments {
  explicit Moments(std::size_t size = 0) : mean(size, 0.0), m2(size, 0.0) {}

  double count = 0;
  std::vector<double> mean;
  std::vector<double> m2;  // sum of squared deviations

  // rows [count, size], row-major.
  void Add(std::span<const float> rows);

  // Population variance; 1 before anything was added.
  double variance(std::size_t i) const { return count > 0 ? m2[i] / count : 1.0; }
  double deviation(std::size_t i) const;
};

}  // namespace rhumb::learn::device
