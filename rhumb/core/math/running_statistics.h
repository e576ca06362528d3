// Mean and standard deviation of columns, in one pass over rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rhumb::core {

// Merges blocks of rows by Chan's update, which stays accurate for many rows and for a large mean
// with a small spread. Not thread-safe.
class RunningStatistics {
 public:
  explicit RunningStatistics(int columns);

  // `rows` [n, columns]
  void AddRows(std::span<const float> rows);
  void AddRow(std::span<const double> row);
  void Merge(const RunningStatistics& other);
  // Restores values from count(), mean() and squares(); both vectors are [columns].
  void Restore(std::int64_t count, std::vector<double> mean, std::vector<double> squares);

  std::int64_t count() const { return count_; }
  const std::vector<double>& mean() const { return mean_; }
  // Sums of squared differences from the mean.
  const std::vector<double>& squares() const { return squares_; }
  // Population standard deviation, divided by n; zeros without rows.
  std::vector<double> std() const { return Std(count_); }
  // Sample standard deviation, divided by n - 1; zeros for fewer than two rows.
  std::vector<double> sample_std() const { return Std(count_ - 1); }

 private:
  void Merge(std::int64_t count, std::span<const double> mean, std::span<const double> squares);
  std::vector<double> Std(std::int64_t divisor) const;

  std::int64_t count_ = 0;
  std::vector<double> mean_;
  std::vector<double> squares_;
  std::vector<double> block_mean_, block_squares_;
};

}  // namespace rhumb::core
