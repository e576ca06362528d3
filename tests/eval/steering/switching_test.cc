#include "rhumb/eval/steering/switching.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/eval/steering/between_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::eval {
namespace {

using net::RolloutMode;

class Switching : public testing::Test {
 protected:
  Switching() {
    config_.mode = RolloutMode::kMean;
    config_.pairs = 8;
    config_.blends = {0, 20};
    config_.steer.heads = "labels";
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  net::Model model_ = BetweenModel(environment_);
  SwitchConfig config_;
  const core::Job job_{.seed = 1, .quiet = true};
};

// The point's speed settles in about 10 of the 50 steps after the change: a jump between 0 and 90
// costs about a fifth of the second half, and a slow blend more. The two codes are drawn with equal
// probability, so half of the pairs change nothing.
TEST_F(Switching, CostsWhatTheTransitionTakes) {
  const auto measured = MeasureSwitching(environment_, model_, config_, job_);
  ASSERT_TRUE(measured.has_value());
  EXPECT_EQ(measured->switch_step, 50);
  EXPECT_EQ(measured->unsolved, 0);
  EXPECT_EQ(measured->early_falls, 0);
  ASSERT_EQ(measured->reports.size(), 3u);
  const SwitchReport& jump = measured->reports[0];
  const SwitchReport& blend = measured->reports[1];
  const SwitchReport& again = measured->reports[2];
  EXPECT_EQ(jump.name, "blend 0");
  EXPECT_EQ(blend.name, "blend 20");
  EXPECT_EQ(again.name, "again");
  for (const SwitchReport& report : measured->reports) {
    EXPECT_EQ(report.pairs, 8);
    EXPECT_EQ(report.falls, 0);
    ASSERT_EQ(report.misses.size(), 1u);
  }
  EXPECT_EQ(again.lost, 0);
  EXPECT_GT(blend.lost, 0);
  EXPECT_LT(again.misses[0].q90, jump.misses[0].q90);
  EXPECT_LT(jump.misses[0].q90, blend.misses[0].q90);

  const nlohmann::json document = ToJson(*measured);
  EXPECT_EQ(document["reports"][1]["lost"], 100.0 * blend.lost / 8);
  EXPECT_EQ(document["reports"][1]["objectives"]["x_velocity"]["miss_median"],
            100 * blend.misses[0].median);
}

// The queries have one answer each, so trying changes nothing.
TEST_F(Switching, TriesWhatThereIs) {
  config_.tries = 0;
  const auto untried = MeasureSwitching(environment_, model_, config_, job_);
  config_.tries = 4;
  const auto tried = MeasureSwitching(environment_, model_, config_, job_);
  ASSERT_TRUE(untried.has_value() && tried.has_value());
  for (const SwitchReport& report : tried->reports) EXPECT_EQ(report.others, 0);
  EXPECT_EQ(ToJson(*tried), ToJson(*untried));
}

// The heads believe that (0, 1) is as fast as (1, 0), but it stands still: where a fast code acts,
// the change to a fast answer costs nothing.
TEST_F(Switching, TryingFindsTheAnswerThatChangesLess) {
  model_.heads = {2, 2, {1, 1, -2, -2}, {0, 0}};
  FillTable(model_.training, {0, 0, 1, 0, 0, 1}, {0, 0, 90, -100, 90, -100});
  model_.training.policies = {0, 1, 2};
  model_.training.agents = {0, 1, 2};
  config_.tries = 0;
  const auto untried = MeasureSwitching(environment_, model_, config_, job_);
  config_.tries = 4;
  const auto tried = MeasureSwitching(environment_, model_, config_, job_);
  ASSERT_TRUE(untried.has_value() && tried.has_value());
  for (std::size_t blend = 0; blend < config_.blends.size(); ++blend) {
    const SwitchReport &with = tried->reports[blend], &without = untried->reports[blend];
    EXPECT_GT(with.others, 0) << with.name;
    EXPECT_LE(with.others, with.pairs) << with.name;
    EXPECT_EQ(without.others, 0) << without.name;
    EXPECT_LT(with.misses[0].mean, without.misses[0].mean) << with.name;
  }
}

TEST_F(Switching, NeedsAMiddle) {
  core::EnvironmentBundle brief = sim::FindBundle("point-v0", "two");
  std::string& spec = brief.files.at(brief.spec);
  const std::string limit = "time_limit = 100";
  spec.replace(spec.find(limit), limit.size(), "time_limit = 1");
  const sim::Environment environment(brief);
  EXPECT_THAT(test::ErrorOf([&] { MeasureSwitching(environment, model_, config_, job_); }),
              testing::HasSubstr("episodes of 1 steps have no middle"));
}

TEST_F(Switching, NeedsReturns) {
  model_.description.objectives[0].expression = "mean(x_velocity)";
  EXPECT_THAT(test::ErrorOf([&] { MeasureSwitching(environment_, model_, config_, job_); }),
              testing::HasSubstr("only returns can be split"));
}

}  // namespace
}  // namespace rhumb::eval
