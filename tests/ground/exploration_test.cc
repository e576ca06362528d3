#include "rhumb/ground/exploration.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/support/error_expectation.h"

namespace rhumb::ground {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;

// Codes on a line whose first value is the code itself.
struct Line {
  // `more` has the second value of each code, an attribute.
  explicit Line(std::vector<float> places, const std::vector<float>& more = {})
      : codes(std::move(places)), objectives(more.empty() ? 1 : 2), steady(codes.size(), 1) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      values.push_back(codes[i]);
      if (!more.empty()) values.push_back(more[i]);
    }
  }

  TriedCodes tried() const { return {1, objectives, 1, codes, values, steady, owners}; }
  std::vector<float> Explore(int count, std::uint64_t seed = 3, int round = 0) const {
    return ExploreRound(tried(), count, seed, round);
  }

  std::vector<float> codes, values;
  int objectives;
  std::vector<std::uint8_t> steady;
  std::vector<std::int64_t> owners;
};

double ShareBetween(const std::vector<float>& codes, float low, float high) {
  const auto inside = std::count_if(codes.begin(), codes.end(),
                                    [&](float code) { return code > low && code < high; });
  return static_cast<double>(inside) / static_cast<double>(codes.size());
}

// Of the codes 2 and 3 each child has a share of 0.25 to 0.75.
TEST(Exploration, ChildrenLieBetweenTheirParents) {
  EXPECT_THAT(Line({2, 3}).Explore(100), Each(AllOf(Ge(2.25f), Le(2.75f))));
  const std::vector<float> codes = {0, 10, 1, 20}, values = {0, 1};
  const std::vector<std::uint8_t> steady = {1, 1};
  const std::vector<float> children = ExploreRound({2, 1, 1, codes, values, steady, {}}, 50, 3, 0);
  ASSERT_EQ(children.size(), 100u);
  for (std::size_t i = 0; i < 100; i += 2) {
    // One share for all coordinates; float rounding of numbers up to 20.
    EXPECT_NEAR(children[i + 1], 10 + 10 * children[i], 1e-5);
  }
}

TEST(Exploration, RoundsArePureFunctions) {
  const Line line({0, 0.5f, 1, 1.5f});
  EXPECT_EQ(line.Explore(20), line.Explore(20));
  const std::vector<float> more = line.Explore(30);
  EXPECT_EQ(std::vector(more.begin(), more.begin() + 20), line.Explore(20));
  EXPECT_NE(line.Explore(20), line.Explore(20, 4));
  EXPECT_NE(line.Explore(20), line.Explore(20, 3, 1));
}

// Twenty codes each near 0 and near 0.5, and two alone at 2.5 and 3.5. A tournament of 8 has one of
// these two with a probability of 1 - (40 / 42)^8 = 0.323, against 2 / 42 = 0.048 for random
// parents. Their children are between them, since all others are too far. The share over 2000
// tournaments has a deviation of 0.0105; four of them are tolerated.
TEST(Exploration, LonelyCodesAreParentsMoreOften) {
  std::vector<float> places;
  for (int i = 0; i < 20; ++i) places.insert(places.end(), {0.001f * i, 0.5f + 0.001f * i});
  places.insert(places.end(), {2.5f, 3.5f});
  EXPECT_NEAR(ShareBetween(Line(places).Explore(2000), 2.5f, 3.5f), 0.323, 0.042);
}

// Every code has a twin in the shaping objective. Only four of 46 codes are alone in the attribute.
TEST(Exploration, EverySecondChildCountsAttributes) {
  std::vector<float> places, attributes;
  for (int i = 0; i < 21; ++i) {
    places.insert(places.end(), {0, 0.5f});
    attributes.insert(attributes.end(), {0, 0});
  }
  places.insert(places.end(), {5, 5.5f, 5, 5.5f});
  attributes.insert(attributes.end(), {-9, 9, 30, 60});
  const std::vector<float> children = Line(places, attributes).Explore(2000);
  std::vector<float> shaping, all;
  for (std::size_t i = 0; i < children.size(); ++i) {
    (i % 2 == 0 ? shaping : all).push_back(children[i]);
  }
  // No code is lonely, so the first of 8 random ones is the parent: 4 / 46. Four deviations.
  EXPECT_NEAR(ShareBetween(shaping, 5, 5.5f), 4.0 / 46, 0.036);
  // 1 - (42 / 46)^8 = 0.517.
  EXPECT_NEAR(ShareBetween(all, 5, 5.5f), 0.517, 0.064);
}

// Codes 0.1 apart did the same, and codes 5 apart nothing similar.
TEST(Exploration, PartnersAreSimilarButNotTheSame) {
  const std::vector<float> children = Line({0, 0.1f, 1, 5, 6}).Explore(300);
  EXPECT_EQ(ShareBetween(children, -1, 0.24f), 0) << "a child of 0 and 0.1";
  EXPECT_EQ(ShareBetween(children, 0.79f, 5.2f), 0) << "a child of 1 and 5";
  EXPECT_GT(ShareBetween(children, 5.2f, 5.8f), 0);
}

// Nothing is similar, so any other code will do.
TEST(Exploration, FarPartnersAreBetterThanNone) {
  EXPECT_THAT(Line({0, 8}).Explore(50), Each(AllOf(Ge(2.0f), Le(6.0f))));
}

// The codes 0 and 0.5 have one owner. Their child would have 0.125 to 0.375; with the code 1 of
// another owner a child of 0 has at least 0.25.
TEST(Exploration, PartnersOfOtherOwnersComeFirst) {
  Line line({0, 0.5f, 1});
  EXPECT_GT(ShareBetween(line.Explore(200), 0, 0.25f), 0);
  line.owners = {7, 7, 8};
  EXPECT_EQ(ShareBetween(line.Explore(200), 0, 0.25f), 0);
  // Codes without an owner are strangers to one another.
  line.owners = {-1, -1, 8};
  EXPECT_GT(ShareBetween(line.Explore(200), 0, 0.25f), 0);
}

TEST(Exploration, UnsteadyCodesAreNoParents) {
  Line line({0, 0.5f, 1});
  line.steady = {1, 1, 0};
  EXPECT_THAT(line.Explore(100), Each(Le(0.375f)));
  // With fewer than two steady codes all may be parents.
  line.steady = {1, 0, 0};
  EXPECT_GT(ShareBetween(line.Explore(100), 0.376f, 1), 0);
}

TEST(Exploration, OneCodeIsTooFew) {
  EXPECT_THAT(test::ErrorOf([] { Line({1}).Explore(5); }), HasSubstr("at least 2 codes"));
}

// Cells of side 0.25 over the first objective: 0 and 0.2 share one, 0.25 and -0.1 have others, and
// the attribute does not count.
TEST(Cells, ByHand) {
  const Line line({0, 0.2f, 0.25f, -0.1f}, {0, 5, 9, 2});
  EXPECT_EQ(CountCells(line.tried(), line.steady), 3);
  EXPECT_EQ(CountCells(line.tried(), std::vector<std::uint8_t>{1, 1, 0, 0}), 1);
  TriedCodes all = line.tried();
  all.shaping = 0;  // all objectives
  EXPECT_EQ(CountCells(all, line.steady), 4);
}

}  // namespace
}  // namespace rhumb::ground
