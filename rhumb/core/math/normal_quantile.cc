#include "rhumb/core/math/normal_quantile.h"

#include <algorithm>
#include <cmath>

namespace rhumb::core {

// Abramowitz and Stegun 26.2.23, refined by Newton steps on erfc.
double NormalQuantile(double level) {
  const double tail = std::min(level, 1 - level);
  const double t = std::sqrt(-2 * std::log(tail));
  double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                     (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int i = 0; i < 3; ++i) {
    const double error = 0.5 * std::erfc(x / std::sqrt(2.0)) - tail;
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
    x += error / density;
  }
  return level < 0.5 ? -x : x;
}

}  // namespace rhumb::core
