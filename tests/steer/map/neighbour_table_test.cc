#include "rhumb/steer/map/neighbour_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rhumb/core/math/random.h"
#include "tests/support/allocation_count.h"

namespace rhumb::steer {
namespace {

TEST(NeighbourTable, DistancesByHand) {
  const NeighbourTable table(std::vector<float>{0, 0, 3, 4, 6, 8}, 2);
  EXPECT_EQ(table.count(), 3);
  EXPECT_EQ(table.code_size(), 2);
  EXPECT_EQ(table.at(1, 0), 3);
  EXPECT_EQ(table.at(2, 1), 8);
  std::vector<float> squares(table.padded_count());
  table.MeasureSquares(std::vector<float>{3, 4}, squares);
  EXPECT_THAT(std::vector(squares.begin(), squares.begin() + 3), testing::ElementsAre(25, 0, 25));
  EXPECT_EQ(squares.back(), 25) << "the last code fills the table up";
  const NeighbourTable::Nearest nearest = table.FindNearest(std::vector{6.0, 9.0});
  EXPECT_EQ(nearest.index, 2);
  EXPECT_EQ(nearest.distance, 1);
  // The first of equally near codes wins.
  EXPECT_EQ(table.FindNearest(std::vector{1.5, 2.0}).index, 0);
}

TEST(NeighbourTable, NeighboursByHand) {
  const NeighbourTable table(std::vector<float>{5, 1, 9, 1, 4}, 1);
  std::vector<NeighbourTable::Neighbour> near(3);
  const auto indices = [&](std::size_t found) {
    std::vector<int> list;
    for (std::size_t i = 0; i < found; ++i) list.push_back(near[i].index);
    return list;
  };
  // The first of equally near codes comes first.
  EXPECT_THAT(indices(table.FindNeighbours(std::vector<float>{2}, near)),
              testing::ElementsAre(1, 3, 4));
  EXPECT_EQ(near[2].square, 4);
  EXPECT_THAT(indices(table.FindNeighbours(std::vector<float>{2}, near, 1)),
              testing::ElementsAre(3, 4, 0));
  near.resize(9);
  EXPECT_THAT(indices(table.FindNeighbours(std::vector<float>{9}, near)),
              testing::ElementsAre(2, 0, 4, 1, 3));
  EXPECT_EQ(table.FindNeighbours(std::vector<float>{9}, {}), 0u);
}

TEST(NeighbourTable, MayBeEmpty) {
  const NeighbourTable table({}, 3);
  EXPECT_EQ(table.count(), 0);
  EXPECT_EQ(table.padded_count(), 0u);
  table.MeasureSquares(std::vector<float>{1, 2, 3}, {});
}

// Tables that end inside a block and at its end.
TEST(NeighbourTable, EveryCodeIsNearestToItself) {
  constexpr int kSize = 5;
  core::Stream stream(1, core::Purpose::kBenchmark);
  for (const int count : {1, 31, 32, 33, 100}) {
    std::vector<float> codes;
    for (int i = 0; i < count * kSize; ++i) codes.push_back(static_cast<float>(stream.Normal()));
    const NeighbourTable table(codes, kSize);
    for (int i = 0; i < count; ++i) {
      const auto begin = codes.begin() + i * kSize;
      const std::vector<double> point(begin, begin + kSize);
      const test::AllocationCount allocations;
      const NeighbourTable::Nearest nearest = table.FindNearest(point);
      EXPECT_EQ(allocations.since_construction(), 0u);
      EXPECT_EQ(nearest.index, i);
      EXPECT_EQ(nearest.distance, 0);
    }
  }
}

}  // namespace
}  // namespace rhumb::steer
