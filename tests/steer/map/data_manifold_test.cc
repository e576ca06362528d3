#include "rhumb/steer/map/data_manifold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <thread>

#include "rhumb/core/math/random.h"
#include "rhumb/steer/primal_dual.h"
#include "tests/steer/plane_model.h"
#include "tests/support/allocation_count.h"
#include "tests/support/error_expectation.h"

namespace rhumb::steer {
namespace {

using testing::HasSubstr;

const CodeMetric kLine = PlainMetric(1), kPlane = PlainMetric(2), kSpace = PlainMetric(3),
                 kFour = PlainMetric(4);

std::vector<float> Draw(std::size_t count, std::uint64_t seed) {
  core::Stream stream(seed, core::Purpose::kBenchmark);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(stream.Normal());
  return values;
}

std::vector<double> AsPoint(std::span<const float> code) { return {code.begin(), code.end()}; }

// (0, 0), (3, 0), (3, 4), (3, 5): the nearest neighbours are 3, 3, 1 and 1 away.
TEST(DataManifold, NearestAndSpacingByHand) {
  const std::vector<float> codes = {0, 0, 3, 0, 3, 4, 3, 5};
  const DataManifold manifold(codes, kPlane, {});
  EXPECT_EQ(manifold.count(), 4);
  EXPECT_EQ(manifold.code_size(), 2);
  EXPECT_EQ(manifold.spacing(), 3);
  const NeighbourTable::Nearest nearest = manifold.FindNearest(std::vector{6.0, 8.0});
  EXPECT_EQ(nearest.index, 3);
  EXPECT_DOUBLE_EQ(nearest.distance, std::sqrt(18));
  EXPECT_DOUBLE_EQ(manifold.DistanceToData(std::vector{-6.0, 0.0}), 2);
  EXPECT_EQ(manifold.DistanceToData(std::vector{3.0, 4.0}), 0);
}

// Codes on a line with gaps 1, 2, ..., 20. Code i > 0 is i away from the previous code, which is
// its nearest; code 0 is 1 away from the next. Of the 21 distances 1, 1, 2, ..., 20, number
// ceil(0.95 * 21) = 20 is 19.
TEST(DataManifold, SpacingIsAQuantile) {
  std::vector<float> codes = {0};
  for (int i = 1; i <= 20; ++i) codes.push_back(codes.back() + static_cast<float>(i));
  EXPECT_EQ(DataManifold(codes, kLine, {}).spacing(), 19);
}

// Every fourth of 2048 codes is used. The even ones are 1 apart, the odd ones 200.
TEST(DataManifold, SpacingLooksAtASample) {
  std::vector<float> codes;
  for (int i = 0; i < 2048; ++i)
    codes.push_back(static_cast<float>(i % 2 ? 10000 + 100 * i : i / 2));
  EXPECT_EQ(DataManifold(codes, kLine, {}).spacing(), 1);
}

// For table sizes around that of a block, each code is nearest to itself, and the first of equally
// near codes wins. Random points agree with a search in double.
TEST(DataManifold, NearestAsBySearch) {
  constexpr int kSize = 5;
  for (const int count : {1, 2, 31, 32, 33, 100}) {
    std::vector<float> codes = Draw(static_cast<std::size_t>(count * kSize), 1);
    if (count > 2) std::copy_n(codes.begin(), kSize, codes.end() - kSize);
    const CodeMetric metric = PlainMetric(kSize);
    const DataManifold manifold(codes, metric, {});
    for (int i = 0; i < count; ++i) {
      const auto nearest = manifold.FindNearest(
          AsPoint(std::span(codes).subspan(static_cast<std::size_t>(i * kSize), kSize)));
      EXPECT_EQ(nearest.index, count > 2 && i == count - 1 ? 0 : i);
      EXPECT_EQ(nearest.distance, 0);
    }
    for (std::uint64_t trial = 0; trial < 50; ++trial) {
      const std::vector<double> point = AsPoint(Draw(kSize, 100 + trial));
      NeighbourTable::Nearest expected = {0, 1e9};
      for (int i = 0; i < count; ++i) {
        double square = 0;
        for (int e = 0; e < kSize; ++e) {
          square += std::pow(
              point[static_cast<std::size_t>(e)] - codes[static_cast<std::size_t>(i * kSize + e)],
              2);
        }
        if (std::sqrt(square) < expected.distance) expected = {i, std::sqrt(square)};
      }
      const NeighbourTable::Nearest nearest = manifold.FindNearest(point);
      EXPECT_EQ(nearest.index, expected.index);
      EXPECT_DOUBLE_EQ(nearest.distance, expected.distance);
    }
  }
}

// Codes at +-4, +-2 and +-1 on three axes have variances 16 : 4 : 1. Cumulative shares are 76 %,
// 95.2 % and 100 % of 21. There are fewer codes than requested neighbours, so all count.
TEST(DataManifold, ComponentsHoldTheShareOfVariance) {
  const std::vector<float> codes = {0, 4, 0, 0, -4, 0, 2, 0, 0, -2, 0, 0, 0, 0, 1, 0, 0, -1};
  const std::size_t axes[] = {1, 0, 2};
  const std::pair<double, std::size_t> wanted[] = {{0, 1},    {0.5, 1},  {0.76, 1}, {0.77, 2},
                                                   {0.95, 2}, {0.96, 3}, {1, 3}};
  for (const auto& [share, components] : wanted) {
    const DataManifold manifold(codes, kSpace, {.neighbours = 64, .variance = share});
    const std::span<const double> basis = manifold.Basis(5);
    ASSERT_EQ(basis.size(), components * 3) << share;
    for (std::size_t c = 0; c < components; ++c) {
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(std::abs(basis[c * 3 + i]), i == axes[c] ? 1 : 0, 1e-15);
      }
    }
  }
}

// Four equal variances: two components hold exactly half.
TEST(DataManifold, AShareThatIsMetExactlyIsMet) {
  std::vector<float> codes(8 * 4);
  for (std::size_t axis = 0; axis < 4; ++axis) {
    codes[2 * axis * 4 + axis] = 0.3f;
    codes[(2 * axis + 1) * 4 + axis] = -0.3f;
  }
  const DataManifold manifold(codes, kFour, {.neighbours = 8, .variance = 0.5});
  EXPECT_EQ(manifold.Basis(0).size(), 2u * 4);
}

// Ten codes lie together along x, ten others far away along y. Each group sees only itself.
TEST(DataManifold, OnlyNeighboursCount) {
  std::vector<float> codes;
  for (int i = 0; i < 10; ++i) {
    codes.insert(codes.end(), {static_cast<float>(i), 0, 100, static_cast<float>(i)});
  }
  const DataManifold manifold(codes, kPlane, {.neighbours = 10});
  std::vector<double> gradient = {3, 4};
  manifold.Project(6, gradient);
  EXPECT_THAT(gradient, testing::Pointwise(testing::DoubleNear(1e-15), {3.0, 0.0}));
  gradient = {3, 4};
  manifold.Project(7, gradient);
  EXPECT_THAT(gradient, testing::Pointwise(testing::DoubleNear(1e-15), {0.0, 4.0}));
}

// A plane in 32 dimensions away from the origin, spanned by u (1/4 at even places) and w (+-1/4 at
// odd ones). Codes are rounded to float, so they lie in it to 1e-7 of their size.
TEST(DataManifold, PlaneIsFound) {
  constexpr std::size_t kSize = 32, kCount = 300;
  std::vector<double> u(kSize), w(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    u[i] = i % 2 == 0 ? 0.25 : 0;
    w[i] = i % 4 == 1 ? 0.25 : i % 4 == 3 ? -0.25 : 0;
  }
  const std::vector<float> places = Draw(2 * kCount, 2);
  std::vector<float> codes;
  for (std::size_t code = 0; code < kCount; ++code) {
    for (std::size_t i = 0; i < kSize; ++i) {
      codes.push_back(
          static_cast<float>(1 + places[2 * code] * u[i] + places[2 * code + 1] * w[i]));
    }
  }
  const CodeMetric metric = PlainMetric(kSize);
  const DataManifold manifold(codes, metric, {});
  for (const int index : {0, 17, 299}) {
    const std::span<const double> basis = manifold.Basis(index);
    ASSERT_EQ(basis.size(), 2 * kSize);
    // V^T V = 1 within the rounding of the eigenvectors.
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t b = 0; b < 2; ++b) {
        double product = 0;
        for (std::size_t i = 0; i < kSize; ++i)
          product += basis[a * kSize + i] * basis[b * kSize + i];
        EXPECT_NEAR(product, a == b ? 1 : 0, 1e-14);
      }
    }
    for (std::size_t j = 0; j < kSize; ++j) {
      std::vector<double> column(kSize);
      column[j] = 1;
      manifold.Project(index, column);
      for (std::size_t i = 0; i < kSize; ++i) {
        EXPECT_NEAR(column[i], u[i] * u[j] + w[i] * w[j], 1e-6);
      }
    }
  }
}

TEST(DataManifold, EqualCodesHaveNoDirection) {
  const std::vector<float> codes = {0.1f, 0.7f, 0.1f, 0.7f, 0.1f, 0.7f};
  const DataManifold manifold(codes, kPlane, {});
  EXPECT_EQ(manifold.spacing(), 1);
  EXPECT_EQ(manifold.FindNearest(std::vector{5.0, 5.0}).index, 0);
  EXPECT_TRUE(manifold.Basis(2).empty());
  std::vector<double> gradient = {3, 4};
  manifold.Project(1, gradient);
  EXPECT_THAT(gradient, testing::ElementsAre(0, 0));
}

// Each code occurs twice; spacing and nearest equal those of the distinct codes.
TEST(DataManifold, DuplicatesAreNoNeighboursOfEachOther) {
  const std::vector<float> codes = {0, 0, 2, 0, 5, 0, 0, 0, 2, 0, 5, 0};
  const DataManifold manifold(codes, kPlane, {});
  EXPECT_EQ(manifold.spacing(), 3);
  EXPECT_EQ(manifold.FindNearest(std::vector{1.9, 0.0}).index, 1);
}

TEST(DataManifold, OneCode) {
  const std::vector<float> code = {1, 2};
  const DataManifold manifold(code, kPlane, {});
  EXPECT_EQ(manifold.spacing(), 1);
  EXPECT_EQ(manifold.DistanceToData(std::vector{4.0, 6.0}), 5);
  EXPECT_TRUE(manifold.Basis(0).empty());
}

// Threads that request the same bases at once get the same memory, with the same numbers as one
// thread alone.
TEST(DataManifold, ThreadsShareTheBases) {
  constexpr int kCount = 200, kSize = 8, kThreads = 4;
  const std::vector<float> codes = Draw(kCount * kSize, 3);
  const CodeMetric metric = PlainMetric(kSize);
  const DataManifold manifold(codes, metric, {.neighbours = 20}), alone(codes, metric, {20});
  std::vector<std::vector<const double*>> seen(kThreads);
  std::vector<std::thread> threads;
  for (auto& mine : seen) {
    threads.emplace_back([&] {
      for (int i = 0; i < kCount; ++i) mine.push_back(manifold.Basis(i).data());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : seen) EXPECT_EQ(mine, seen[0]);
  for (int i = 0; i < kCount; ++i) {
    const std::span<const double> basis = manifold.Basis(i), expected = alone.Basis(i);
    EXPECT_EQ(basis.data(), seen[0][static_cast<std::size_t>(i)]);
    EXPECT_EQ(std::vector(basis.begin(), basis.end()),
              std::vector(expected.begin(), expected.end()));
  }
}

TEST(DataManifold, SearchAndProjectionAllocateNothing) {
  if (!test::AllocationCount::works()) GTEST_SKIP() << "the sanitizer owns the allocator";
  const CodeMetric metric = PlainMetric(32);
  const DataManifold manifold(Draw(100 * 32, 4), metric, {});
  std::vector<double> point = AsPoint(Draw(32, 5));
  manifold.Basis(7);
  const test::AllocationCount count;
  manifold.FindNearest(point);
  manifold.Project(7, point);
  EXPECT_EQ(count.since_construction(), 0u);
}

// Data on an arc. The value y - x shall reach that of the arc at 30 degrees, starting from -30
// degrees. Free descent goes straight along (-1, 1), from (0.87, -0.5) to (0.37, 0), 73 spacings
// inside the circle. Projected descent follows the arc.
TEST(DataManifold, ProjectedDescentStaysOnTheData) {
  constexpr double kDegree = 3.14159265358979 / 180;
  std::vector<float> codes;
  for (int i = 0; i <= 240; ++i) {
    const double angle = (0.5 * i - 60) * kDegree;
    codes.insert(codes.end(),
                 {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
  }
  const DataManifold manifold(codes, kPlane, {.neighbours = 8});
  // A chord of half a degree; codes are rounded to float.
  EXPECT_NEAR(manifold.spacing(), 2 * std::sin(kDegree / 4), 1e-6);

  const double wanted = std::sin(30 * kDegree) - std::cos(30 * kDegree);
  const auto evaluate = [&](std::span<const int>, const double* h, double* losses, double*) {
    losses[0] = 0.5 * (h[1] - h[0] - wanted) * (h[1] - h[0] - wanted);
  };
  const auto gradient = [&](std::span<const int>, const double* h, const double*, double* g) {
    g[1] = h[1] - h[0] - wanted;
    g[0] = -g[1];
  };
  const auto accept = [](double loss, const double*) { return loss < 1e-8; };
  const auto free = [](std::span<const int>, int, const double*, double*) {};
  const auto along = [&](std::span<const int>, int, const double* h, double* g) {
    manifold.Project(manifold.FindNearest({h, 2}).index, {g, 2});
  };
  const std::vector<double> start = {std::cos(-30 * kDegree), std::sin(-30 * kDegree)};
  PrimalDual solver;
  const PrimalDualResult& naive =
      solver.Minimise({2, 0, evaluate, gradient, free, accept}, start, {});
  EXPECT_EQ(naive.outcomes[0], Outcome::kAccepted);
  EXPECT_GT(manifold.DistanceToData(naive.points), 50);
  const PrimalDualResult& projected =
      solver.Minimise({2, 0, evaluate, gradient, along, accept}, start, {});
  EXPECT_EQ(projected.outcomes[0], Outcome::kAccepted);
  EXPECT_LT(manifold.DistanceToData(projected.points), 3);
}

}  // namespace
}  // namespace rhumb::steer
