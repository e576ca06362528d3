#include "rhumb/eval/map/pareto_front.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "rhumb/core/math/random.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;
using testing::DoubleEq;
using testing::ElementsAre;

PointSet Points(const std::vector<std::vector<double>>& rows) {
  PointSet points{rows.empty() ? 2 : rows[0].size(), {}};
  for (const auto& row : rows) points.Add(row);
  return points;
}

// Of equal points the first is kept; (1, 1) is dominated by (1, 2) and by (3, 1).
TEST(ParetoFront, NonDominatedByHand) {
  EXPECT_THAT(NonDominatedRows(Points({{1, 2}, {1, 1}, {3, 1}, {1, 2}, {0, 3}})),
              ElementsAre(0, 2, 4));
  EXPECT_THAT(NonDominatedRows(Points({})), ElementsAre());
  EXPECT_THAT(NonDominatedRows(Points({{1, 1}, {1, 2}, {1, 3}})), ElementsAre(2));
}

// Above (0, 0): 1 x 3 and 2 x 1 more. (4, -1) does not dominate the reference point.
TEST(ParetoFront, HypervolumeByHand) {
  const PointSet front = Points({{1, 3}, {3, 1}, {4, -1}});
  EXPECT_DOUBLE_EQ(Hypervolume(front, std::vector<double>{0, 0}), 5);
  EXPECT_DOUBLE_EQ(Hypervolume(front, std::vector<double>{0, -1}), 4 + 4);
  EXPECT_DOUBLE_EQ(Hypervolume(front, std::vector<double>{5, 5}), 0);
  EXPECT_DOUBLE_EQ(Hypervolume(Points({{2}, {3}}), std::vector<double>{-1}), 4);
  // Two boxes of 2 x 1 x 1 and 1 x 2 x 3 share one of 1 x 1 x 1.
  EXPECT_DOUBLE_EQ(Hypervolume(Points({{2, 1, 1}, {1, 2, 3}}), std::vector<double>{0, 0, 0}), 7);
}

// z = (2, 2) is 1 away from (1, 2) in a worse direction, and from (3, 2) in a better one.
TEST(ParetoFront, DistancesByHand) {
  const PointSet reference = Points({{2, 2}});
  EXPECT_DOUBLE_EQ(InvertedGenerationalDistance(Points({{1, 2}}), reference), 1);
  EXPECT_DOUBLE_EQ(InvertedGenerationalDistancePlus(Points({{1, 2}}), reference), 1);
  EXPECT_DOUBLE_EQ(InvertedGenerationalDistance(Points({{3, 2}}), reference), 1);
  EXPECT_DOUBLE_EQ(InvertedGenerationalDistancePlus(Points({{3, 2}}), reference), 0);
  EXPECT_TRUE(std::isnan(InvertedGenerationalDistance(Points({}), reference)));
}

// (0, 2), (1, 1) and (3, 0): 1 + 4 and 1 + 1, over 2.
TEST(ParetoFront, SparsityByHand) {
  EXPECT_DOUBLE_EQ(Sparsity(Points({{0, 2}, {3, 0}, {1, 1}})), 3.5);
  EXPECT_DOUBLE_EQ(Sparsity(Points({{0, 2}})), 0);
}

// The 50 weights of two objectives are nearly symmetric, with mean 0.5.
TEST(ParetoFront, UtilityByHand) {
  EXPECT_NEAR(ExpectedUtility(Points({{4, 4}})), 4, 1e-9);
  EXPECT_NEAR(ExpectedUtility(Points({{4, 0}})), 2, 0.01);
  EXPECT_NEAR(MaximumUtilityLoss(Points({{4, 0}}), Points({{4, 3}})), 3, 1e-9);
  EXPECT_TRUE(std::isnan(ExpectedUtility(Points({{1, 2, 3, 4, 5}}))));
  EXPECT_TRUE(std::isnan(ExpectedUtility(Points({}))));
}

// Values of morl-baselines 1.3.0 and pymoo 0.6.2 (tools/make_front_golden.py). Sums have another
// order, and the weights ten digits.
TEST(ParetoFront, AgreesWithMorlBaselines) {
  const json golden = json::parse(test::Contents(
      std::filesystem::path(std::getenv("RHUMB_SOURCE_DIR")) / "tests/eval/golden/front.json"));
  int dimensions = 0;
  for (const json& sample : golden["cases"]) {
    SCOPED_TRACE(sample["points"].dump());
    const auto rows = sample["points"].get<std::vector<std::vector<double>>>();
    dimensions = std::max(dimensions, static_cast<int>(rows[0].size()));
    const PointSet front = FrontOf(Points(rows));
    PointSet both = front;
    for (const auto& row : sample["others"].get<std::vector<std::vector<double>>>()) both.Add(row);
    const PointSet reference = FrontOf(both);
    const auto near = [&](double ours, const char* name) {
      EXPECT_NEAR(ours, sample[name].get<double>(), 1e-8) << name;
    };
    EXPECT_EQ(front.count(), sample["cardinality"]);
    EXPECT_EQ(reference.count(), sample["union_cardinality"]);
    near(Hypervolume(front, sample["reference"].get<std::vector<double>>()), "hypervolume");
    // Dominated and repeated points add nothing.
    near(Hypervolume(Points(rows), sample["reference"].get<std::vector<double>>()), "hypervolume");
    near(ExpectedUtility(front), "expected_utility");
    near(MaximumUtilityLoss(front, reference), "maximum_utility_loss");
    near(InvertedGenerationalDistance(front, reference), "igd");
    near(InvertedGenerationalDistancePlus(front, reference), "igd_plus");
    near(Sparsity(front), "sparsity");
  }
  EXPECT_EQ(dimensions, 4);
}

// Points on a grid meet every tie. The volume is counted cell by cell.
TEST(ParetoFront, HypervolumeOfTies) {
  for (int sample = 0; sample < 200; ++sample) {
    core::Stream stream(sample, core::Purpose::kBootstrap);
    PointSet points{3, {}};
    for (int i = 0; i < 8; ++i) {
      points.Add(
          std::vector<double>{1.0 * stream.Below(5), 1.0 * stream.Below(5), 1.0 * stream.Below(5)});
    }
    int cells = 0;
    for (int cell = 0; cell < 64; ++cell) {
      const double x = cell / 16 + 0.5, y = cell / 4 % 4 + 0.5, z = cell % 4 + 0.5;
      for (std::size_t row = 0; row < points.count(); ++row) {
        const auto point = points.point(row);
        if (point[0] < x || point[1] < y || point[2] < z) continue;
        ++cells;
        break;
      }
    }
    EXPECT_DOUBLE_EQ(Hypervolume(points, std::vector<double>{0, 0, 0}), cells);
  }
}

}  // namespace
}  // namespace rhumb::eval
