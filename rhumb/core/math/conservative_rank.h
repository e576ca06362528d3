// The order statistic that bounds a share of future values, as conformal prediction has it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace rhumb::core {

// Of n = `count` ascending values of a sample, the index of the one that a further value exceeds
// with probability at most 1 - level, for levels from 0.5 on: number ceil(level (n + 1)). Below
// 0.5, of the one that it undercuts with probability at most `level`: number floor(level (n + 1)).
// The outermost where there is none. `count` must be positive.
inline std::size_t ConservativeRank(std::size_t count, double level) {
  // Absorbs rounding errors before floor and ceil: 0.07 * 100 counts as 7.
  constexpr double kRounding = 1e-9;
  const double place = level * (static_cast<double>(count) + 1);
  const double number = level < 0.5 ? std::floor(place + kRounding) : std::ceil(place - kRounding);
  return static_cast<std::size_t>(std::clamp(number, 1.0, static_cast<double>(count))) - 1;
}

}  // namespace rhumb::core
