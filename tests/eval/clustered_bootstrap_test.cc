#include "rhumb/eval/clustered_bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace rhumb::eval {
namespace {

using Clusters = std::vector<std::int64_t>;
using Values = std::vector<double>;

// The only cluster is drawn every time.
TEST(ClusteredBootstrap, OneClusterHasNoSpread) {
  const ClusteredBootstrap bootstrap(Clusters{7, 7, 7, 7}, 1);
  EXPECT_EQ(bootstrap.clusters(), 1);
  EXPECT_EQ(bootstrap.observations(), 4);
  const MeanEstimate met = bootstrap.Mean(Values{1, 0, 1, 1});
  EXPECT_EQ(met.mean, 0.75);
  EXPECT_EQ(met.low, 0.75);
  EXPECT_EQ(met.high, 0.75);
}

// Two clusters of sums 3 and 0 and sizes 3 and 1. The resamples give 1, 3/4 and 0, a quarter, a
// half and a quarter of the time.
TEST(ClusteredBootstrap, ClustersOfUnequalSizeByHand) {
  const ClusteredBootstrap bootstrap(Clusters{5, 5, 2, 5}, 1);
  const MeanEstimate met = bootstrap.Mean(Values{1, 1, 0, 1});
  EXPECT_EQ(met.mean, 0.75);
  EXPECT_EQ(met.low, 0);
  EXPECT_EQ(met.high, 1);
}

// The standard error of 400 fair coins is 0.025.
TEST(ClusteredBootstrap, IndependentObservationsHaveTheNormalInterval) {
  Clusters clusters;
  Values values;
  for (int i = 0; i < 400; ++i) {
    clusters.push_back(i);
    values.push_back(i % 2);
  }
  const MeanEstimate met = ClusteredBootstrap(clusters, 3).Mean(values);
  EXPECT_EQ(met.mean, 0.5);
  EXPECT_NEAR(met.low, 0.5 - 1.96 * 0.025, 0.005);
  EXPECT_NEAR(met.high, 0.5 + 1.96 * 0.025, 0.005);
}

// Repeating each observation within its cluster adds no information.
TEST(ClusteredBootstrap, RepeatedObservationsDoNotNarrowTheInterval) {
  const Values once = {1, 0, 0, 1, 0};
  Clusters single, clusters;
  Values repeated;
  for (std::size_t i = 0; i < once.size(); ++i) {
    single.push_back(static_cast<std::int64_t>(i));
    clusters.insert(clusters.end(), 25, static_cast<std::int64_t>(i));
    repeated.insert(repeated.end(), 25, once[i]);
  }
  const MeanEstimate few = ClusteredBootstrap(single, 3).Mean(once);
  const MeanEstimate many = ClusteredBootstrap(clusters, 3).Mean(repeated);
  EXPECT_EQ(few.low, many.low);
  EXPECT_EQ(few.high, many.high);
  EXPECT_GT(few.high - few.low, 0.5);
}

TEST(ClusteredBootstrap, PairedTestsByHand) {
  const ClusteredBootstrap bootstrap(Clusters{0, 1, 2}, 1);
  const PairedDifference equal = bootstrap.Compare(Values{1, 0, 1}, Values{1, 0, 1});
  EXPECT_EQ(equal.difference.mean, 0);
  EXPECT_EQ(equal.p, 1);
  // No resample of three ones is at most 0.
  const PairedDifference better = bootstrap.Compare(Values{1, 1, 1}, Values{0, 0, 0});
  EXPECT_EQ(better.difference.mean, 1);
  EXPECT_EQ(better.difference.low, 1);
  EXPECT_DOUBLE_EQ(better.p, 2.0 / 2001);
  const PairedDifference worse = bootstrap.Compare(Values{0, 0, 0}, Values{1, 1, 1});
  EXPECT_EQ(worse.difference.mean, -1);
  EXPECT_DOUBLE_EQ(worse.p, 2.0 / 2001);
}

// 15 of 20 pairs favour a. A resample is at most 0 if it holds at most 10 of these: the binomial
// distribution with 0.75 gives 1.39 %, and p is twice that. Three standard errors of 2000 resamples
// are 0.8 %.
TEST(ClusteredBootstrap, SignTest) {
  Clusters clusters;
  Values a, b;
  for (int i = 0; i < 20; ++i) {
    clusters.push_back(i);
    a.push_back(i < 15 ? 1 : 0);
    b.push_back(i < 15 ? 0 : 1);
  }
  const PairedDifference pair = ClusteredBootstrap(clusters, 5).Compare(a, b);
  EXPECT_EQ(pair.difference.mean, 0.5);
  EXPECT_GT(pair.difference.low, 0);
  EXPECT_NEAR(pair.p, 0.0277, 0.016);
}

TEST(ClusteredBootstrap, SeedsDecideTheResamples) {
  Clusters clusters;
  Values values;
  for (int i = 0; i < 50; ++i) {
    clusters.push_back(i);
    values.push_back(std::sqrt(i));
  }
  const MeanEstimate first = ClusteredBootstrap(clusters, 1).Mean(values);
  EXPECT_EQ(first.low, ClusteredBootstrap(clusters, 1).Mean(values).low);
  EXPECT_NE(first.low, ClusteredBootstrap(clusters, 2).Mean(values).low);
}

TEST(ClusteredBootstrap, DocumentIsScaled) {
  const nlohmann::json document = ToJson(MeanEstimate{0.5, 0.25, 0.75}, 100);
  EXPECT_EQ(document, (nlohmann::json{{"mean", 50.0}, {"low", 25.0}, {"high", 75.0}}));
}

}  // namespace
}  // namespace rhumb::eval
