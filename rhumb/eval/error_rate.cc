#include "rhumb/eval/error_rate.h"

#include <cmath>
#include <limits>

#include "rhumb/core/error.h"

namespace rhumb::eval {

double MeasureRate(std::span<const int> sizes, std::span<const double> errors) {
  RHUMB_CHECK(sizes.size() == errors.size(), "{} sizes, {} errors", sizes.size(), errors.size());
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto count = static_cast<double>(sizes.size());
  double x_mean = 0, y_mean = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!(errors[i] > 0) || !std::isfinite(errors[i])) return kNone;
    x_mean += std::log(sizes[i]) / count;
    y_mean += std::log(errors[i]) / count;
  }
  double covariance = 0, variance = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double x = std::log(sizes[i]) - x_mean;
    covariance += x * (std::log(errors[i]) - y_mean);
    variance += x * x;
  }
  // Rounding may give equal sizes a tiny variance.
  return variance > 1e-20 ? covariance / variance : kNone;
}

}  // namespace rhumb::eval
