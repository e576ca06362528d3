#include "rhumb/core/math/running_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rhumb/core/math/random.h"

namespace rhumb::core {
namespace {

TEST(RunningStatistics, ByHand) {
  RunningStatistics statistics(2);
  EXPECT_EQ(statistics.std(), (std::vector<double>{0, 0}));
  statistics.AddRows(std::vector<float>{1, 5, 2, 5});
  statistics.AddRow(std::vector<double>{3, 5});
  EXPECT_EQ(statistics.count(), 3);
  EXPECT_DOUBLE_EQ(statistics.mean()[0], 2);
  EXPECT_DOUBLE_EQ(statistics.std()[0], std::sqrt(2.0 / 3));
  EXPECT_DOUBLE_EQ(statistics.sample_std()[0], 1);
  EXPECT_EQ(statistics.mean()[1], 5);
  EXPECT_EQ(statistics.std()[1], 0);
}

// {1, 2} then {3, 6}: means 1.5 and 4.5, squares 0.5 and 4.5, plus 3^2 * 2 * 2 / 4 = 9 between
// them.
TEST(RunningStatistics, BlocksMergeByHand) {
  RunningStatistics statistics(1);
  statistics.AddRows(std::vector<float>{1, 2});
  statistics.AddRows(std::vector<float>{3, 6});
  statistics.AddRows({});
  EXPECT_EQ(statistics.count(), 4);
  EXPECT_DOUBLE_EQ(statistics.mean()[0], 3);
  EXPECT_DOUBLE_EQ(statistics.squares()[0], 14);
}

TEST(RunningStatistics, GoesOnToTheBitAfterARestore) {
  RunningStatistics whole(2), restored(2);
  whole.AddRows(std::vector<float>{0.1F, 5, 0.7F, -3});
  restored.Restore(whole.count(), whole.mean(), whole.squares());
  for (RunningStatistics* statistics : {&whole, &restored}) {
    statistics->AddRows(std::vector<float>{0.3F, 0.2F});
  }
  EXPECT_EQ(restored.count(), 3);
  EXPECT_EQ(restored.mean(), whole.mean());
  EXPECT_EQ(restored.squares(), whole.squares());
}

// A spread of 0.01 around 4096: a plain sum of squares in float would have no correct digit.
TEST(RunningStatistics, AgreesWithTwoPasses) {
  constexpr int kColumns = 3;
  core::Stream stream(1, core::Purpose::kBenchmark);
  std::vector<float> rows;
  RunningStatistics whole(kColumns), left(kColumns), right(kColumns);
  for (int block = 0; block < 200; ++block) {
    std::vector<float> part;
    for (int i = 0; i < kColumns * (1 + block % 7); ++i) {
      part.push_back(static_cast<float>(4096 + 0.01 * stream.Normal() * (1 + i % kColumns)));
    }
    whole.AddRows(part);
    (block < 50 ? left : right).AddRows(part);
    rows.insert(rows.end(), part.begin(), part.end());
  }
  left.Merge(right);
  left.Merge(RunningStatistics(kColumns));
  const auto count = static_cast<double>(rows.size() / kColumns);
  for (std::size_t column = 0; column < kColumns; ++column) {
    double mean = 0, squares = 0;
    for (std::size_t i = column; i < rows.size(); i += kColumns) mean += rows[i] / count;
    for (std::size_t i = column; i < rows.size(); i += kColumns) {
      squares += (rows[i] - mean) * (rows[i] - mean);
    }
    const double std = std::sqrt(squares / count);
    // Both sums round a thousand times in double; 1e-9 of a spread of 0.01 is far above that
    // error.
    for (const RunningStatistics* statistics : {&whole, &left}) {
      EXPECT_NEAR(statistics->mean()[column], mean, 1e-11 * 4096);
      EXPECT_NEAR(statistics->std()[column], std, 1e-9 * std);
    }
  }
}

}  // namespace
}  // namespace rhumb::core
