#include "rhumb/learn/device/moments.h"

#include <cmath>

#include "rhumb/core/error.h"

namespace rhumb::learn::device {

void Moments::Add(std::span<const float> rows) {
  const std::size_t size = mean.size();
  RHUMB_CHECK(size > 0 && rows.size() % size == 0, "{} numbers in rows of {}", rows.size(), size);
  const auto added = static_cast<double>(rows.size() / size);
  if (added == 0) return;
  // Two passes: the batch's own mean first, then the squares around it.
  std::vector<double> batch_mean(size, 0.0), batch_m2(size, 0.0);
  for (std::size_t i = 0; i < rows.size(); i += size) {
    for (std::size_t j = 0; j < size; ++j) batch_mean[j] += rows[i + j];
  }
  for (double& value : batch_mean) value /= added;
  for (std::size_t i = 0; i < rows.size(); i += size) {
    for (std::size_t j = 0; j < size; ++j) {
      const double difference = rows[i + j] - batch_mean[j];
      batch_m2[j] += difference * difference;
    }
  }
  const double total = count + added;
  for (std::size_t j = 0; j < size; ++j) {
    const double shift = batch_mean[j] - mean[j];
    mean[j] += shift * added / total;
    m2[j] += batch_m2[j] + shift * shift * count * added / total;
  }
  count = total;
}

double Moments::deviation(std::size_t i) const { return std::sqrt(variance(i)); }

}  // namespace rhumb::learn::device
