#include "rhumb/eval/map/imitation.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "rhumb/data/dataset_writer.h"
#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/population/sample_population.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"
#include "tests/support/scratch_folder.h"

namespace rhumb::eval {
namespace {

using data::Split;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Imitation, RelativeErrorByHand) {
  EXPECT_DOUBLE_EQ(RelativeError(11, 10, 1), 0.1);
  EXPECT_DOUBLE_EQ(RelativeError(-12, -10, 1), 0.2);
  EXPECT_DOUBLE_EQ(RelativeError(0.25, 0, 5), 0.5) << "a tenth of the deviation is the least";
  EXPECT_DOUBLE_EQ(RelativeError(0.75, 0.25, 5), 1);
  EXPECT_EQ(RelativeError(std::nan(""), 1, 1), kInfinity);
}

TEST(Imitation, SummaryByHand) {
  const ErrorSummary summary = Summarise({0.75, 0.0625, 0.25, 0.5, 0});
  EXPECT_EQ(summary.count, 5);
  EXPECT_DOUBLE_EQ(summary.mean, 0.3125);
  EXPECT_DOUBLE_EQ(summary.median, 0.25);
  EXPECT_DOUBLE_EQ(summary.q10, 0.4 * 0.0625);
  EXPECT_DOUBLE_EQ(summary.q25, 0.0625);
  EXPECT_DOUBLE_EQ(summary.q75, 0.5);
  EXPECT_DOUBLE_EQ(summary.q90, 0.5 + 0.6 * 0.25);
  EXPECT_DOUBLE_EQ(summary.share_below, 0.4);

  const ErrorSummary lost = Summarise({kInfinity, 0.1, kInfinity});
  EXPECT_EQ(lost.median, kInfinity);
  EXPECT_EQ(lost.q90, kInfinity);
  EXPECT_EQ(lost.mean, kInfinity);
  EXPECT_EQ(lost.share_below, 0) << "0.1 is not below 0.1";

  EXPECT_EQ(Summarise({0.5}).q90, 0.5);
  EXPECT_EQ(Summarise({}).count, 0);
  EXPECT_TRUE(std::isnan(Summarise({}).median));
}

TEST(Imitation, EveryPolicyComesOnceBeforeAnyComesTwice) {
  data::DatasetIndex index;
  for (const int policy : {4, 4, 4, 7, 7, 9})
    index.episodes.push_back({.policy = policy, .returns = {}});
  const std::vector<std::int64_t> all = {0, 1, 2, 3, 4, 5};
  const auto policies_of = [&](std::span<const std::int64_t> chosen) {
    std::multiset<int> policies;
    for (const std::int64_t i : chosen) {
      policies.insert(index.episodes[static_cast<std::size_t>(i)].policy);
    }
    return policies;
  };
  std::set<std::vector<std::int64_t>> different;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_THAT(policies_of(ChooseEpisodes(index, all, 3, seed)), ElementsAre(4, 7, 9));
    EXPECT_THAT(policies_of(ChooseEpisodes(index, all, 5, seed)), ElementsAre(4, 4, 7, 7, 9));
    EXPECT_THAT(ChooseEpisodes(index, all, 100, seed), UnorderedElementsAreArray(all));
    different.insert(ChooseEpisodes(index, all, 3, seed));
  }
  EXPECT_GT(different.size(), 10u);
  EXPECT_THAT(ChooseEpisodes(index, std::vector<std::int64_t>{3}, 100, 0), ElementsAre(3));
}

// Policies that push the point steadily along x, and a model that echoes them.
class ImitationTest : public testing::Test {
 protected:
  ImitationTest() {
    data::DatasetWriter writer(scratch_.path() / "d", rollout::DescribeRecordings(environment_));
    const std::vector<Split> splits = {Split::kTrain, Split::kHeldOutCheckpoint,
                                       Split::kHeldOutWeight, Split::kHeldOutWeight};
    for (int policy = 0; policy < 4; ++policy) {
      writer.AddPolicy({});
      rollout::EpisodeRecorder recorder(environment_,
                                        {.seed = 3, .steps = policy == 3 ? 100 : 250});
      const std::vector<double> weights = {1, 0};
      for (const data::Episode& episode : recorder.Record(
               {population::ConstantPolicy(2, {Push(policy), 0}, 1e-30F), policy, weights},
               [](int) { return true; })) {
        writer.Append(episode);
      }
      writer.policies()[static_cast<std::size_t>(policy)].split =
          splits[static_cast<std::size_t>(policy)];
    }
    writer.Commit({{"seed", 3}});
    model_.description.objectives[0].unit = "m/s";
    model_.description.objectives[0].std = 20;
    model_.description.objectives[1].std = 10;
    config_.mode = net::RolloutMode::kMean;
    job_.quiet = true;
  }

  static float Push(int policy) { return 1 - 0.25F * static_cast<float>(policy); }

  std::optional<ImitationReport> Measure() const {
    return MeasureImitation(environment_, model_, data::Dataset::Open(scratch_.path() / "d"),
                            config_, job_);
  }

  const test::ScratchFolder scratch_;
  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  net::Model model_ = rollout::EchoModel(rollout::DescribeRecordings(environment_), -3);
  ImitationConfig config_;
  core::Job job_;
};

// A push of p costs 100 p^2 for every start; the distance covered also depends on the start.
TEST_F(ImitationTest, AnEchoErrsByItsStartAlone) {
  const std::optional<ImitationReport> report = Measure();
  ASSERT_TRUE(report.has_value());
  ASSERT_EQ(report->rows.size(), 7u) << "3 + 3 + 1 held-out episodes";
  EXPECT_EQ(report->mean_steps, 100);
  EXPECT_EQ(report->realised_mean_steps, 100);
  EXPECT_EQ(report->diverged, 0);

  const data::Dataset dataset = data::Dataset::Open(scratch_.path() / "d");
  std::map<int, double> way;  // mean over the policy's episodes
  for (const data::EpisodeRecord& record : dataset.index().episodes) {
    way[record.policy] += record.returns[0] / (record.policy == 3 ? 1 : 3);
  }
  double largest = 0, sum = 0;
  for (const ImitationRow& row : report->rows) {
    const double energy = -100.0 * Push(row.policy) * Push(row.policy);
    EXPECT_EQ(row.label, dataset.index().episodes[static_cast<std::size_t>(row.episode)].returns);
    // 100 additions of a number that float32 holds exactly.
    EXPECT_NEAR(row.realised[1], energy, 1e-10);
    EXPECT_NEAR(row.error[1], 0, 1e-10);
    EXPECT_NEAR(row.policy_error[1], 0, 1e-10);
    EXPECT_NEAR(row.policy_label[0], way[row.policy], 1e-9);
    const double scale = std::max(std::abs(row.label[0]), 0.1 * 20);
    EXPECT_NEAR(row.error[0], std::abs(row.realised[0] - row.label[0]) / scale, 1e-12);
    EXPECT_GT(row.error[0], 0);
    // A start changes the distance by 10 times its speed of at most 0.1; two starts by 2 m/s.
    EXPECT_LE(row.error[0], 2 / scale);
    if (row.policy == 3) {
      EXPECT_THAT(row.teacher_error, IsEmpty());
    } else {
      const double others = (3 * way[row.policy] - row.label[0]) / 2;
      EXPECT_NEAR(row.teacher_error[0], std::abs(others - row.label[0]) / scale, 1e-9);
      EXPECT_NEAR(row.teacher_error[1], 0, 1e-10);
    }
    largest = std::max(largest, row.error[0]);
    sum += row.error[0];
  }
  ASSERT_EQ(report->objectives.size(), 2u);
  const ObjectiveImitation& forward = report->objectives[0];
  EXPECT_EQ(forward.name, "x_velocity");
  EXPECT_EQ(forward.error.count, 7);
  EXPECT_NEAR(forward.error.mean, sum / 7, 1e-12);
  EXPECT_LE(forward.error.q90, largest);
  EXPECT_EQ(forward.teacher_error.count, 6) << "one policy has no other episode";
  EXPECT_EQ(report->objectives[1].error.share_below, 1);

  const nlohmann::json document = ToJson(*report);
  ASSERT_EQ(document["objectives"].size(), 2u);
  EXPECT_EQ(document["objectives"][0], nlohmann::json({{"name", "x_velocity"}, {"unit", "m/s"}}));
  EXPECT_EQ(document["objectives"][1]["name"], "energy");
  EXPECT_EQ(document["errors"]["energy"]["error"]["share_below_10_percent"], 1);
  EXPECT_EQ(document["rows"].size(), 7u);
}

// An unclipped action of 0.5 with standard deviation e^-1 costs 0.25 + e^-2 per step and axis.
// Clipping reduces this a little.
TEST_F(ImitationTest, SampledActionsPayForTheirNoise) {
  model_ = rollout::EchoModel(rollout::DescribeRecordings(environment_), -2);
  config_.mode = net::RolloutMode::kSampled;
  config_.split = "held_out_weight";
  config_.rollouts = 20;
  const std::optional<ImitationReport> report = Measure();
  ASSERT_EQ(report->rows.size(), 4u);
  for (const ImitationRow& row : report->rows) {
    const double expected = -100 * (Push(row.policy) * Push(row.policy) + 2 * std::exp(-4));
    // 2000 steps; a squared action with standard deviation below 0.3 has a standard error of 0.7 in
    // 100.
    EXPECT_NEAR(row.realised[1], expected, 3);
    EXPECT_LT(row.realised[1], row.label[1] - 1);
  }
}

TEST_F(ImitationTest, SplitsAndNumbersOfEpisodes) {
  config_.rollouts = 1;
  const auto policies = [&](const std::string& split, int episodes) {
    config_.split = split;
    config_.episodes = episodes;
    std::multiset<int> found;
    const std::optional<ImitationReport> report = Measure();
    for (const ImitationRow& row : report->rows) found.insert(row.policy);
    return found;
  };
  EXPECT_THAT(policies("train", 200), ElementsAre(0, 0, 0));
  EXPECT_THAT(policies("held_out_checkpoint", 2), ElementsAre(1, 1));
  EXPECT_THAT(policies("held_out_weight", 2), ElementsAre(2, 3));
  EXPECT_THAT(policies("held_out", 3), ElementsAre(1, 2, 3));
}

TEST_F(ImitationTest, ThreadsChangeNoNumber) {
  config_.mode = net::RolloutMode::kSampled;
  const nlohmann::json one = ToJson(*Measure());
  job_.threads = 3;
  config_.batch = 2;
  EXPECT_EQ(ToJson(*Measure()), one);
  job_.seed = 1;
  EXPECT_NE(ToJson(*Measure()), one);
}

TEST_F(ImitationTest, StopsWhenTold) {
  job_.should_stop = [] { return true; };
  EXPECT_FALSE(Measure().has_value());
}

TEST_F(ImitationTest, WhatDoesNotFitIsSaid) {
  model_.description.objectives[1].name = "enregy";
  EXPECT_THAT(test::ErrorOf([&] { Measure(); }), HasSubstr("lacks the model's objective 'enregy'"));
  model_.description.environment.id = "sample-v0";
  EXPECT_THAT(test::ErrorOf([&] { Measure(); }),
              HasSubstr("belongs to 'point-v0' with the rewards 'two'"));
}

TEST_F(ImitationTest, RollOutsThatGiveNoNumberMissByInfinity) {
  model_.decoder.joint_mlp.SetLayer(0, std::vector<float>(16, 0),
                                    std::vector<float>(4, std::nanf("")));
  const std::optional<ImitationReport> report = Measure();
  EXPECT_EQ(report->diverged, 14);
  EXPECT_THAT(report->rows[0].error, Each(kInfinity));
  EXPECT_EQ(report->objectives[0].error.share_below, 0);
  EXPECT_EQ(nlohmann::json::parse(ToJson(*report).dump())["errors"]["energy"]["error"]["median"],
            nullptr);
}

}  // namespace
}  // namespace rhumb::eval
