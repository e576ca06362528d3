#include "rhumb/eval/steering/between.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/eval/steering/between_model.h"

namespace rhumb::eval {
namespace {

using net::RolloutMode;
using nlohmann::json;
using testing::ElementsAre;

class BetweenTest : public testing::Test {
 protected:
  BetweenTest() {
    config_.mode = RolloutMode::kMean;
    config_.tasks = 12;
    config_.task_episodes = 2;
    config_.episodes = 3;
    config_.steer.heads = "labels";
    job_ = {.seed = 1, .quiet = true};
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  net::Model model_ = BetweenModel(environment_);
  BetweenConfig config_;
  core::Job job_;
};

// The heads are right, so descent finds every mixture. The training codes alone, at 0 and 90, solve
// nothing. Starts add up to 1 to a speed, about 1 % of the range.
TEST_F(BetweenTest, MethodsByHand) {
  FillTable(model_.grounded[static_cast<std::size_t>(RolloutMode::kMean)].emplace().rolled_out,
            {0.5F, 0}, {45, -25});
  const auto measured = MeasureBetween(environment_, model_, config_, job_);
  ASSERT_TRUE(measured.has_value());
  const std::vector<BetweenTask>& tasks = measured->tasks.tasks;
  ASSERT_EQ(tasks.size(), 12u);
  EXPECT_EQ(measured->clusters, 1) << "there is one pair of policies";
  ASSERT_EQ(measured->reports.size(), 4u);

  const BetweenReport& steered = measured->reports[0];
  EXPECT_EQ(steered.method, "default");
  EXPECT_EQ(steered.false_noes->mean, 0);
  EXPECT_EQ(steered.met.mean, 1);
  EXPECT_EQ(steered.promised_and_missed->mean, 0);
  EXPECT_EQ(steered.origins, (std::map<std::string, int>{{"mixed", 12}}));
  EXPECT_GT(steered.distance, 0);
  EXPECT_LE(steered.distance, 1);
  for (std::size_t i = 0; i < 12; ++i) {
    const BetweenRow& row = steered.rows[i];
    const double asked = tasks[i].realised.mean[0];
    EXPECT_NEAR(row.choice.predicted[0], asked, 1.8);
    EXPECT_EQ(row.realised.episodes, 3);
    EXPECT_DOUBLE_EQ(row.miss, std::abs(row.realised.mean[0] - asked) / 90);
  }

  const BetweenReport& still = measured->reports[1];
  EXPECT_EQ(still.method, "still");
  EXPECT_EQ(still.false_noes->mean, 1);
  EXPECT_EQ(still.promised_and_missed->mean, 0);
  EXPECT_EQ(still.met.mean, 0);
  EXPECT_TRUE(still.origins.empty());
  EXPECT_TRUE(std::isnan(still.distance));
  EXPECT_GT(still.miss.median, 0.2) << "the nearest behaviours count";

  const BetweenReport& lookup = measured->reports[2];
  EXPECT_EQ(lookup.method, "lookup");
  EXPECT_FALSE(lookup.false_noes.has_value());
  double near = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_THAT(lookup.rows[i].choice.code, ElementsAre(0.5F, 0));
    const double off = std::abs(lookup.rows[i].realised.mean[0] - tasks[i].realised.mean[0]);
    near += off <= 0.025 * 90 ? 1 : 0;
  }
  EXPECT_DOUBLE_EQ(lookup.met.mean, near / 12);
  EXPECT_LT(near, 12);

  const BetweenReport& own = measured->reports[3];
  EXPECT_EQ(own.method, "own_code");
  EXPECT_EQ(own.met.mean, 1);
  EXPECT_EQ(own.origins.at("task"), 12);
  EXPECT_NE(own.rows[0].realised.mean[0], tasks[0].realised.mean[0]) << "fresh episodes";

  ASSERT_EQ(measured->comparisons.size(), 3u);
  EXPECT_EQ(measured->comparisons[0].other, "still");
  EXPECT_EQ(measured->comparisons[0].met.difference.mean, 1);
  EXPECT_DOUBLE_EQ(measured->comparisons[0].met.p, 2.0 / 2001);
  EXPECT_EQ(measured->comparisons[0].nearer.difference.mean, 1);
  EXPECT_DOUBLE_EQ(measured->comparisons[0].nearer.p, 2.0 / 2001);
  EXPECT_EQ(measured->comparisons[2].other, "own_code");
  EXPECT_EQ(measured->comparisons[2].met.p, 1) << "there is nothing between them";
  EXPECT_LT(measured->comparisons[2].nearer.difference.mean, 1) << "both are nearer now and then";
}

// Heads that say 9 too much answer with a speed 9 too low: 10 % of the range.
TEST_F(BetweenTest, PromisesAreHeldToWhatIsRealised) {
  model_.heads.bias = {0.1F, 0};
  config_.methods = {"default"};
  const auto measured = MeasureBetween(environment_, model_, config_, job_);
  const BetweenReport& steered = measured->reports[0];
  EXPECT_EQ(steered.false_noes->mean, 0);
  EXPECT_EQ(steered.met.mean, 0);
  EXPECT_EQ(steered.promised_and_missed->mean, 1);
  EXPECT_NEAR(steered.miss.median, 0.1, 0.02);
}

TEST_F(BetweenTest, Document) {
  config_.methods = {"still"};
  config_.tasks = 2;
  const auto measured = MeasureBetween(environment_, model_, config_, job_);
  const json document = ToJson(*measured, model_.description);
  EXPECT_EQ(document.at("unit"), "%");
  EXPECT_EQ(document.at("tasks").at("count"), 2);
  EXPECT_EQ(document.at("tasks").at("different"), "agents");
  EXPECT_EQ(document.at("tasks").at("list").at(1).at("policies"), (json{0, 1}));
  ASSERT_EQ(document.at("methods").size(), 2u) << "without rollouts there is no lookup";
  const json& still = document.at("methods").at(0);
  EXPECT_EQ(still.at("false_noes"), (json{{"mean", 100.0}, {"low", 100.0}, {"high", 100.0}}));
  EXPECT_EQ(still.at("met").at("mean"), 0);
  const json& row = still.at("rows").at(1);
  EXPECT_EQ(row.at("task").at("target").size(), 1u);
  EXPECT_EQ(row.at("met"), false);
  EXPECT_NE(row.at("status"), "solved");
  EXPECT_TRUE(row.at("realised").at("energy").contains("std"));
  const json& own = document.at("methods").at(1);
  EXPECT_EQ(own.at("method"), "own_code");
  EXPECT_EQ(own.at("false_noes"), nullptr);
  EXPECT_EQ(own.at("rows").at(0).at("status"), nullptr);
  EXPECT_EQ(document.at("compared").at(0).at("with"), "own_code");
}

TEST_F(BetweenTest, StopsWhenAsked) {
  job_.should_stop = [] { return true; };
  EXPECT_FALSE(MeasureBetween(environment_, model_, config_, job_).has_value());
}

}  // namespace
}  // namespace rhumb::eval
