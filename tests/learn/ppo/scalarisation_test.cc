#include "rhumb/learn/ppo/scalarisation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::learn::ppo {
namespace {

using ::testing::AllOf;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

PopulationConfig Config(const std::string& weights, int count = 10) {
  PopulationConfig config;
  config.weights = kWeightSourceNames.Parse(weights);
  config.count = count;
  return config;
}

TEST(Scalarisation, GridOfTwoObjectivesByHand) {
  const auto weights = MakeWeights(Config("auto", 5), 2, 0);
  EXPECT_THAT(weights,
              ElementsAre(ElementsAre(1, 0), ElementsAre(0.75, 0.25), ElementsAre(0.5, 0.5),
                          ElementsAre(0.25, 0.75), ElementsAre(0, 1)));
}

TEST(Scalarisation, TenPointsRunFromOneEndToTheOther) {
  const auto weights = MakeWeights(Config("auto"), 2, 0);
  ASSERT_THAT(weights, SizeIs(10));
  EXPECT_THAT(weights.front(), ElementsAre(1, 0));
  EXPECT_THAT(weights[3], ElementsAre(DoubleEq(6.0 / 9), DoubleEq(3.0 / 9)));
  EXPECT_THAT(weights.back(), ElementsAre(0, 1));
}

// Halves on the simplex of three: 6 points. A count of 4 takes the coarsest grid with at least 4.
TEST(Scalarisation, GridOfThreeObjectives) {
  EXPECT_THAT(WeightGrid(3, 2),
              ElementsAre(ElementsAre(1, 0, 0), ElementsAre(0.5, 0.5, 0), ElementsAre(0.5, 0, 0.5),
                          ElementsAre(0, 1, 0), ElementsAre(0, 0.5, 0.5), ElementsAre(0, 0, 1)));
  EXPECT_EQ(MakeWeights(Config("grid", 4), 3, 0), WeightGrid(3, 2));
}

TEST(Scalarisation, ChildrenStandBetweenNeighbours) {
  EXPECT_THAT(BetweenNeighbours(WeightGrid(2, 2), 1),
              ElementsAre(ElementsAre(0.75, 0.25), ElementsAre(0.25, 0.75)));
  EXPECT_THAT(BetweenNeighbours(WeightGrid(2, 1), 3),
              ElementsAre(ElementsAre(0.75, 0.25), ElementsAre(0.5, 0.5), ElementsAre(0.25, 0.75)));
  EXPECT_THAT(BetweenNeighbours(WeightGrid(2, 9), 0), SizeIs(0));
}

// Ten points in thirds of the simplex make nine small triangles, which have 18 sides.
TEST(Scalarisation, NeighboursOnTheSimplexOfThreeAreTheSidesOfItsTriangles) {
  ASSERT_THAT(WeightGrid(3, 3), SizeIs(10));
  EXPECT_THAT(BetweenNeighbours(WeightGrid(3, 3), 1), SizeIs(18));
}

TEST(Scalarisation, EqualWeightsHaveNoChildBetweenThem) {
  EXPECT_THAT(BetweenNeighbours({{0.5, 0.5}, {0.5, 0.5}}, 1), SizeIs(0));
}

TEST(Scalarisation, ChildrenMayBeListed) {
  PopulationConfig config;
  config.children = 1;
  const std::vector<std::vector<double>> roots = {{1, 0}, {0, 1}};
  EXPECT_THAT(MakeChildWeights(config, roots), ElementsAre(ElementsAre(0.5, 0.5)));
  config.child_list = {0.75, 0.25, 0.5, 0.5, 0.25, 0.75};
  EXPECT_THAT(test::ErrorOf([&] { MakeChildWeights(config, roots); }),
              AllOf(HasSubstr("children = 1"), HasSubstr("child_list")));
  config.children = 0;
  // A single root has no neighbour, but may have children.
  for (const auto& ancestors : {roots, std::vector<std::vector<double>>{{0.5, 0.5}}}) {
    EXPECT_THAT(
        MakeChildWeights(config, ancestors),
        ElementsAre(ElementsAre(0.75, 0.25), ElementsAre(0.5, 0.5), ElementsAre(0.25, 0.75)));
  }
  config.child_list = {0.75, 0.25, 0.5};
  EXPECT_THAT(test::ErrorOf([&] { MakeChildWeights(config, roots); }), HasSubstr("child_list: 3"));
  config.child_list = {0.75, 0.5};
  EXPECT_THAT(test::ErrorOf([&] { MakeChildWeights(config, roots); }), HasSubstr("child_list"));
}

TEST(Scalarisation, DirichletIsUniformOnTheSimplexAndRepeats) {
  const auto weights = MakeWeights(Config("auto", 2000), 3, 7);
  ASSERT_THAT(weights, SizeIs(2000));
  std::vector<double> mean(3, 0.0);
  double variance = 0;
  for (const auto& row : weights) {
    ASSERT_THAT(row, SizeIs(3));
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GE(row[k], 0);
      sum += row[k];
      mean[k] += row[k] / 2000;
    }
    EXPECT_NEAR(sum, 1, 1e-15 * 4);
    variance += (row[0] - 1.0 / 3) * (row[0] - 1.0 / 3) / 2000;
  }
  // Dirichlet(1, 1, 1): mean 1/3, variance 1/18; five standard errors of 2000 draws.
  for (const double m : mean) EXPECT_NEAR(m, 1.0 / 3, 5 * std::sqrt(1.0 / 18 / 2000));
  EXPECT_NEAR(variance, 1.0 / 18, 0.008);
  EXPECT_EQ(weights, MakeWeights(Config("dirichlet", 2000), 3, 7));
  EXPECT_NE(weights, MakeWeights(Config("dirichlet", 2000), 3, 8));
  // The first draws do not depend on the number of draws.
  EXPECT_EQ(weights.front(), MakeWeights(Config("dirichlet", 1), 3, 7).front());
}

TEST(Scalarisation, List) {
  PopulationConfig config = Config("list");
  config.list = {1, 0, 0.25, 0.75};
  EXPECT_THAT(MakeWeights(config, 2, 0), ElementsAre(ElementsAre(1, 0), ElementsAre(0.25, 0.75)));
  const auto complaint = [&](const std::vector<double>& list) {
    config.list = list;
    return test::ErrorOf([&] { MakeWeights(config, 2, 0); });
  };
  EXPECT_THAT(complaint({1, 0, 1}), AllOf(HasSubstr("list"), HasSubstr("3 numbers")));
  EXPECT_THAT(complaint({}), AllOf(HasSubstr("list"), HasSubstr("no weight vector")));
  EXPECT_THAT(complaint({1, 0, 0.5, 0.6}), AllOf(HasSubstr("vector 1"), HasSubstr("1.1")));
  EXPECT_THAT(complaint({1.5, -0.5}), AllOf(HasSubstr("vector 0"), HasSubstr("-0.5")));
}

TEST(Scalarisation, File) {
  const test::ScratchFolder folder;
  PopulationConfig config = Config("file");
  const auto from = [&](const std::string& text) {
    config.file = folder.Write("w.json", text).string();
    return MakeWeights(config, 2, 0);
  };
  const auto complaint = [&](const std::string& text) {
    return test::ErrorOf([&] { from(text); });
  };
  EXPECT_THAT(from("[[0.5, 0.5], [0, 1]]"), ElementsAre(ElementsAre(0.5, 0.5), ElementsAre(0, 1)));
  EXPECT_THAT(complaint("[[0.5, 0.5]"), HasSubstr("w.json"));
  EXPECT_THAT(complaint("[[0.5, \"a\"]]"), HasSubstr("w.json"));
  EXPECT_THAT(complaint("{}"), HasSubstr("w.json"));
  EXPECT_THAT(complaint("[]"), AllOf(HasSubstr("w.json"), HasSubstr("no weight vector")));
  EXPECT_THAT(complaint("[[1, 0, 0]]"), AllOf(HasSubstr("3 weights"), HasSubstr("2 objectives")));
  EXPECT_THAT(complaint("[[null, 1]]"), HasSubstr("w.json"));
  config.file = (folder.path() / "gone.json").string();
  EXPECT_THAT(test::ErrorOf([&] { MakeWeights(config, 2, 0); }), HasSubstr("gone.json"));
  config.file = "";
  EXPECT_THAT(test::ErrorOf([&] { MakeWeights(config, 2, 0); }), HasSubstr("'file'"));
}

TEST(Scalarisation, AGridHasTwoEnds) {
  EXPECT_THAT(test::ErrorOf([] { MakeWeights(Config("grid", 1), 2, 0); }), HasSubstr("count = 1"));
}

}  // namespace
}  // namespace rhumb::learn::ppo
