// Mean and standard deviation of columns, over rows that pass by once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rhumb::core {

// Blocks of rows are merged by Chan's update, so that neither many rows nor a large mean beside a
// small spread costs digits. Not thread-safe.
class RunningStatistics {
 public:
  explicit RunningStatistics(int columns);

  // `rows` [n, columns]
  void AddRows(std::span<const float> rows);
  void AddRow(std::span<const double> row);
  void Merge(const RunningStatistics& other);
  // Takes over what count(), mean() and squares() gave; both vectors are [columns].
  void Restore(std::int64_t count, std::vector<double> mean, std::vector<double> squares);

  std::int64_t count() const { return count_; }
  const std::vector<double>& mean() const { return mean_; }
  // Sums of squared differences from the mean.
  const std::vector<double>& squares() const { return squares_; }
  // Over all rows, divided by n; zeros where there are none.
  std::vector<double> std() const;
  // As an estimate from a sample, divided by n - 1; zeros below two rows.
  std::vector<double> sample_std() const;

 private:
  void Merge(std::int64_t count, std::span<const double> mean, std::span<const double> squares);
  std::vector<double> Std(std::int64_t divisor) const;

  std::int64_t count_ = 0;
  std::vector<double> mean_;
  std::vector<double> squares_;
  std::vector<double> block_mean_, block_squares_;
};

}  // namespace rhumb::core
