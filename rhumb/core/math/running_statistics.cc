#include "rhumb/core/math/running_statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rhumb/core/error.h"

namespace rhumb::core {

RunningStatistics::RunningStatistics(int columns)
    : mean_(static_cast<std::size_t>(columns)),
      squares_(mean_.size()),
      block_mean_(mean_.size()),
      block_squares_(mean_.size()) {}

void RunningStatistics::AddRows(std::span<const float> rows) {
  const std::size_t columns = mean_.size();
  if (rows.empty() || columns == 0) return;
  RHUMB_CHECK(rows.size() % columns == 0, "{} numbers in rows of {}", rows.size(), columns);
  const std::size_t count = rows.size() / columns;
  std::fill(block_mean_.begin(), block_mean_.end(), 0);
  std::fill(block_squares_.begin(), block_squares_.end(), 0);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < columns; ++i) block_mean_[i] += rows[row * columns + i];
  }
  for (double& mean : block_mean_) mean /= static_cast<double>(count);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < columns; ++i) {
      const double deviation = rows[row * columns + i] - block_mean_[i];
      block_squares_[i] += deviation * deviation;
    }
  }
  Merge(static_cast<std::int64_t>(count), block_mean_, block_squares_);
}

void RunningStatistics::AddRow(std::span<const double> row) {
  RHUMB_CHECK(row.size() == mean_.size(), "a row of {} numbers, not {}", row.size(), mean_.size());
  std::fill(block_squares_.begin(), block_squares_.end(), 0);
  Merge(1, row, block_squares_);
}

void RunningStatistics::Merge(const RunningStatistics& other) {
  RHUMB_CHECK(other.mean_.size() == mean_.size(), "{} columns, not {}", other.mean_.size(),
              mean_.size());
  if (other.count_ > 0) Merge(other.count_, other.mean_, other.squares_);
}

void RunningStatistics::Restore(std::int64_t count, std::vector<double> mean,
                                std::vector<double> squares) {
  RHUMB_CHECK(mean.size() == mean_.size() && squares.size() == mean_.size(),
              "{} means and {} squares, not {}", mean.size(), squares.size(), mean_.size());
  count_ = count;
  mean_ = std::move(mean);
  squares_ = std::move(squares);
}

void RunningStatistics::Merge(std::int64_t count, std::span<const double> mean,
                              std::span<const double> squares) {
  // With d the difference of the means: mean += d m / (n + m), M2 += M2' + d^2 n m / (n + m).
  const auto n = static_cast<double>(count_);
  const auto m = static_cast<double>(count);
  count_ += count;
  for (std::size_t i = 0; i < mean_.size(); ++i) {
    const double difference = mean[i] - mean_[i];
    mean_[i] += difference * (m / (n + m));
    squares_[i] += squares[i] + difference * difference * (n * m / (n + m));
  }
}

std::vector<double> RunningStatistics::Std(std::int64_t divisor) const {
  std::vector<double> result(squares_.size(), 0);
  if (divisor <= 0) return result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = std::sqrt(squares_[i] / static_cast<double>(divisor));
  }
  return result;
}

}  // namespace rhumb::core
