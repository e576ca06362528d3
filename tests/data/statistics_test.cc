#include "rhumb/data/statistics.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/data/sample_dataset.h"

namespace rhumb::data {
namespace {

// Two kept policies with two episodes each, one left out.
DatasetIndex MakeIndex() {
  DatasetIndex index;
  index.description = SampleDescription();
  index.policies = {SamplePolicy(0, 5), SamplePolicy(1, 5), SamplePolicy(2, 5)};
  index.policies[1].split = Split::kHeldOutCheckpoint;
  index.policies[2].verdict = Verdict::kFalls;
  index.policies[2].reason = "mean length 5 of 100 steps, not above 0.8";
  index.episodes = {
      {0, 40, 0, {1, 7}}, {0, 60, 0, {3, 7}}, {1, 50, 0, {9, 7}}, {1, 50, 0, {11, 7}}};
  return index;
}

TEST(Statistics, ByHand) {
  const DatasetStatistics statistics = ComputeStatistics(MakeIndex());
  EXPECT_EQ(statistics.episodes, 4);
  EXPECT_EQ(statistics.transitions, 200);
  EXPECT_EQ(statistics.length.min, 40);
  EXPECT_EQ(statistics.length.mean, 50);
  EXPECT_EQ(statistics.length.max, 60);
  EXPECT_EQ(statistics.returns[0].min, 1);
  EXPECT_EQ(statistics.returns[0].mean, 6);
  EXPECT_EQ(statistics.returns[0].max, 11);
  // Differences from the mean of all: -5, -3, 3, 5, variance 17. Within a policy: +-1, variance 1.
  EXPECT_DOUBLE_EQ(statistics.returns[0].std, std::sqrt(17.0));
  EXPECT_DOUBLE_EQ(statistics.variance_share_within[0], 1.0 / 17);
  EXPECT_EQ(statistics.variance_share_within[1], 0);

  ASSERT_EQ(statistics.policies.size(), 2u);
  EXPECT_EQ(statistics.policies[1].policy, 1);
  EXPECT_EQ(statistics.policies[1].transitions, 100);
  EXPECT_EQ(statistics.policies[1].returns[0].mean, 10);
  EXPECT_EQ(statistics.splits[0].episodes, 2);
  EXPECT_EQ(statistics.splits[1].policies, 1);
  EXPECT_EQ(statistics.splits[2].policies, 0);
  ASSERT_EQ(statistics.left_out.size(), 1u);
  EXPECT_EQ(Summarise(statistics.left_out), "1 falls");
  EXPECT_EQ(Summarise({}), "none left out");
}

// Eight policies: the second objective follows the first, and policy 7 strays by `stray`.
DatasetIndex MakeIndexOfPair(double slope, double stray) {
  DatasetIndex index;
  index.description = SampleDescription();
  for (int i = 0; i < 8; ++i) {
    index.policies.push_back(SamplePolicy(i, 5));
    index.episodes.push_back({i, 40, 0, {1.0 * i, slope * i + (i == 7 ? stray : 0)}});
  }
  return index;
}

TEST(Statistics, SaysWhichObjectivesMoveTogether) {
  const DatasetIndex tied = MakeIndexOfPair(3, 0);
  const DatasetStatistics statistics = ComputeStatistics(tied);
  ASSERT_EQ(statistics.tied.size(), 1u);
  EXPECT_EQ(statistics.tied[0].first, 0u);
  EXPECT_EQ(statistics.tied[0].second, 1u);
  EXPECT_NEAR(statistics.tied[0].correlation, 1, 1e-12);
  EXPECT_EQ(DescribeTied(statistics, tied),
            "forward and energy move together (correlation 1.00 over the policies): a map can "
            "hardly trade one for the other. Another reward preset may separate them\n");
  EXPECT_EQ(ToJson(statistics, tied)["tied"][0]["objectives"][1], "energy");

  EXPECT_TRUE(ComputeStatistics(MakeIndexOfPair(3, -21)).tied.empty());  // 0.45
  EXPECT_TRUE(ComputeStatistics(MakeIndexOfPair(-3, 0)).tied.empty());   // a trade-off
  EXPECT_TRUE(ComputeStatistics(MakeIndexOfPair(0, 0)).tied.empty());    // one does not vary
  EXPECT_TRUE(ComputeStatistics(MakeIndex()).tied.empty());              // too few policies
}

TEST(Statistics, AsJson) {
  const DatasetIndex index = MakeIndex();
  const nlohmann::json document = ToJson(ComputeStatistics(index), index);
  EXPECT_EQ(document["returns"]["forward"]["max"], 11);
  EXPECT_EQ(document["counts"]["splits"]["held_out_checkpoint"]["transitions"], 100);
  EXPECT_EQ(document["counts"]["left_out"]["falls"], 1);
  EXPECT_EQ(document["left_out"][0]["reason"], "mean length 5 of 100 steps, not above 0.8");
  EXPECT_EQ(document["policies"][1]["split"], "held_out_checkpoint");
  EXPECT_FALSE(document["counts"]["splits"].contains("hole"));
}

TEST(Statistics, AHoleIsCountedWhereThereIsOne) {
  DatasetIndex index = MakeIndex();
  index.policies[0].split = Split::kHole;
  const nlohmann::json splits = CountsToJson(ComputeStatistics(index))["splits"];
  EXPECT_EQ(splits["hole"]["transitions"], 100);
  EXPECT_EQ(splits["train"]["policies"], 0);
}

}  // namespace
}  // namespace rhumb::data
