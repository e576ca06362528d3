#include "rhumb/eval/steering/synthesis.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/rollout/echo_model.h"
#include "tests/support/error_expectation.h"

namespace rhumb::eval {
namespace {

using net::RolloutMode;
using steer::Query;
using steer::Status;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;

constexpr double kNever = std::numeric_limits<double>::infinity();

// The point mass, pushed steadily. With mean actions a code (p, q) costs 100 (p^2 + q^2) for every
// start. Labels and heads say 100 p. The energy labels have a range of 100.
class SynthesisTest : public testing::Test {
 protected:
  SynthesisTest() {
    model_.description.objectives[0].std = 5;
    model_.description.objectives[1].std = 50;
    model_.heads = {2, 2, {2, 0, -2, 0}, {0, 0}};
    Fill(model_.training, {0, 0, 1, 0, 0.5F, 0}, {0, 0, 10, -100, 5, -50});
    RollOut({0.25F, 0, 0.5F, 0, 0.75F, 0}, {2, -6.25F, 5, -25, 7, -56.25F});
    config_.mode = net::RolloutMode::kMean;
    // Uses the heads fitted to the labels, since this model has no grounded heads.
    config_.steer.heads = "labels";
    job_.quiet = true;
  }

  static void Fill(net::CodeTable& table, std::vector<float> codes, std::vector<float> values) {
    table.code_size = 2;
    table.objectives = 2;
    table.codes = std::move(codes);
    table.values = std::move(values);
  }
  // Sets the table that lookup uses with mean actions.
  void RollOut(std::vector<float> codes, std::vector<float> values) {
    Fill(model_.grounded[static_cast<std::size_t>(RolloutMode::kMean)].emplace().rolled_out,
         std::move(codes), std::move(values));
  }

  std::optional<SynthesisReport> Measure(const std::vector<Task>& tasks,
                                         const std::string& method) const {
    return MeasureSynthesis(environment_, model_, tasks, method, config_, job_);
  }

  static Task Energy(double target) { return {std::nullopt, Query().AddTarget("energy", target)}; }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  net::Model model_ = rollout::EchoModel(rollout::DescribeRecordings(environment_), 0);
  SynthesisConfig config_;
  core::Job job_;
};

TEST_F(SynthesisTest, ReferencesNeedTheirData) {
  Task anchored = Energy(-20);
  anchored.anchor = 3;
  const std::vector<Task> tasks = {anchored};
  EXPECT_THAT(test::ErrorOf([&] { Measure(tasks, "imitate"); }),
              HasSubstr("'imitate' needs the dataset"));
  EXPECT_THAT(test::ErrorOf([&] { Measure(tasks, "teacher"); }),
              HasSubstr("'teacher' needs the population"));
  EXPECT_THAT(ChooseMethods(config_, model_, tasks),
              ElementsAre("default", "still", "paper", "naive", "lookup", "nearest_label"));
  config_.methods = {"default", "imitate"};
  EXPECT_THAT(test::ErrorOf([&] { ChooseMethods(config_, model_, tasks); }),
              HasSubstr("'imitate' needs the dataset"))
      << "before anything is rolled out";
}

TEST_F(SynthesisTest, ImitateTakesTheCodesOfTheAnchors) {
  Task anchored = Energy(-25);
  anchored.anchor = 1;
  const std::vector<Task> tasks = {anchored};
  const AnchorData anchors = {nullptr, nullptr, {0.1F, 0, 0.5F, 0}};
  EXPECT_EQ(ChooseMethods(config_, model_, tasks, anchors).back(), "imitate");
  const auto report =
      MeasureSynthesis(environment_, model_, tasks, "imitate", config_, job_, anchors);
  EXPECT_THAT(report->rows[0].code, ElementsAre(0.5F, 0));
  EXPECT_EQ(report->rows[0].realised.mean[1], -25);
}

// Still never moves a start, so a cost between those of the codes is out of reach.
TEST_F(SynthesisTest, StillTakesNoStep) {
  config_.steer.candidates = false;
  const auto report = Measure({Energy(-64)}, "still");
  EXPECT_NE(report->rows[0].status, Status::kSolved);
  EXPECT_EQ(report->rows[0].iterations, 0);
}

// For -20 the nearest realised value is -25, and the rollout repeats it; by labels the nearest is
// 0.
TEST_F(SynthesisTest, LookupsByHand) {
  const std::vector<Task> tasks = {Energy(-20)};
  const auto lookup = Measure(tasks, "lookup");
  ASSERT_TRUE(lookup.has_value());
  EXPECT_EQ(lookup->method, "lookup");
  ASSERT_EQ(lookup->rows.size(), 1u);
  const SynthesisRow& row = lookup->rows[0];
  EXPECT_THAT(row.code, ElementsAre(0.5F, 0));
  EXPECT_THAT(row.predicted, ElementsAre(5, -25));
  EXPECT_EQ(row.status, std::nullopt);
  // A sum of 100 quarters is exact.
  EXPECT_EQ(row.realised.mean[1], -25);
  EXPECT_EQ(row.realised.episodes, 4);
  EXPECT_DOUBLE_EQ(row.target_error, 0.25);
  EXPECT_DOUBLE_EQ(row.range_error, 0.05);
  EXPECT_EQ(row.constraint_error, 0);
  EXPECT_EQ(row.noise, 0) << "energy does not depend on the start";
  EXPECT_FALSE(row.success) << "5 off, and 1.25 is near enough";
  EXPECT_FALSE(row.met);
  EXPECT_FALSE(row.violated) << "there is no bound";

  const auto label = Measure(tasks, "nearest_label");
  EXPECT_THAT(label->rows[0].code, ElementsAre(0, 0));
  EXPECT_DOUBLE_EQ(label->rows[0].target_error, 1);
}

// Heads that predict 100 p map -64 to p = 0.64, which costs 41.
TEST_F(SynthesisTest, SteeringIsHeldToWhatItRealises) {
  config_.steer.candidates = false;
  const auto report = Measure({Energy(-64)}, "default");
  const SynthesisRow& row = report->rows[0];
  EXPECT_EQ(row.status, Status::kSolved);
  EXPECT_TRUE(row.success);
  EXPECT_FALSE(row.met);
  EXPECT_NEAR(row.predicted[1], -64, 1.25);
  EXPECT_NEAR(row.code[0], 0.64, 0.0125);
  EXPECT_EQ(row.predicted[1], -100.0 * row.code[0]);
  // 100 additions of one number.
  EXPECT_NEAR(row.realised.mean[1], -100.0 * row.code[0] * row.code[0], 1e-10);
  EXPECT_DOUBLE_EQ(row.target_error, std::abs(row.realised.mean[1] + 64) / 64);
}

// The bound of 20 is exceeded by 5, and the target of 30 missed by 5.
TEST_F(SynthesisTest, BoundsByHand) {
  RollOut({0.5F, 0}, {5, -30});
  const Task exceeded = {std::nullopt, Query().AddTarget("energy", -30).AtMost("energy", -30)};
  const Task small = {std::nullopt, Query().AddTarget("energy", -20).AtLeast("energy", -20)};
  const Task held = {std::nullopt, Query().AddTarget("energy", -25).AtLeast("energy", -25)};
  const auto report = Measure({exceeded, small, held}, "lookup");
  EXPECT_DOUBLE_EQ(report->rows[0].constraint_error, 5.0 / 30);
  EXPECT_DOUBLE_EQ(report->rows[0].target_error, 5.0 / 30);
  EXPECT_TRUE(report->rows[0].success) << "the table says -30";
  EXPECT_TRUE(report->rows[0].violated);
  EXPECT_DOUBLE_EQ(report->rows[1].constraint_error, 5.0 / 20);
  EXPECT_FALSE(report->rows[1].success);
  EXPECT_EQ(report->rows[2].constraint_error, 0);
  EXPECT_FALSE(report->rows[2].success) << "by the table it misses both";
  EXPECT_TRUE(report->rows[2].met);
  EXPECT_FALSE(report->rows[2].violated);

  EXPECT_DOUBLE_EQ(report->success, 1.0 / 3);
  EXPECT_DOUBLE_EQ(report->violations, 2.0 / 3);
  EXPECT_DOUBLE_EQ(report->met, 1.0 / 3);
  EXPECT_DOUBLE_EQ(report->target_error.mean, (5.0 / 30 + 5.0 / 20) / 3);
  EXPECT_DOUBLE_EQ(report->target_error.median, 5.0 / 30);
  EXPECT_DOUBLE_EQ(report->constraint_error, (5.0 / 30 + 5.0 / 20) / 3);
  EXPECT_DOUBLE_EQ(report->range_error, 0.1 / 3);
  EXPECT_EQ(report->noise, 0);

  const std::vector<Task> tasks = {exceeded, small, held};
  const nlohmann::json document = ToJson(*report, tasks, model_.description);
  EXPECT_DOUBLE_EQ(document.at("S"), 100.0 / 3);
  EXPECT_DOUBLE_EQ(document.at("E_targ_median"), 500.0 / 30);
  EXPECT_DOUBLE_EQ(document.at("rows").at(1).at("E_cons"), 25);
  EXPECT_EQ(document.at("rows").at(1).at("status"), nullptr);
  EXPECT_EQ(document.at("rows").at(1).at("task").at("target").at("energy"), -20);
  EXPECT_EQ(document.at("rows").at(1).at("realised").at("energy").at("mean"), -25);
}

// With mean actions a code (p, 0) pushes by p in every step, so its mean push is p.
TEST_F(SynthesisTest, BoundsOnAttributesInBothDirections) {
  model_.description.objectives.push_back(
      {.name = "push", .unit = "", .expression = "mean(max_abs_action)"});
  const auto add = [](net::CodeTable& table) {
    std::vector<float> values;
    for (std::size_t i = 0; i < static_cast<std::size_t>(table.count()); ++i) {
      values.insert(values.end(),
                    {table.values[2 * i], table.values[2 * i + 1], table.codes[2 * i]});
    }
    table.objectives = 3;
    table.values = std::move(values);
  };
  add(model_.training);
  add(model_.grounded[static_cast<std::size_t>(RolloutMode::kMean)]->rolled_out);
  const auto task = [] { return Query().AddTarget("energy", -25); };
  const auto report = Measure({{std::nullopt, task().AtMost("push", 0.4)},
                               {std::nullopt, task().AtLeast("push", 0.4)},
                               {std::nullopt, task().AtLeast("push", 0.625)},
                               {std::nullopt, task().AtMost("push", 0.625)}},
                              "lookup");
  // (0.5, 0) exceeds the bounds, so the lookup picks its neighbours.
  EXPECT_THAT(report->rows[0].code, ElementsAre(0.25F, 0));
  EXPECT_THAT(report->rows[1].code, ElementsAre(0.5F, 0));
  EXPECT_THAT(report->rows[2].code, ElementsAre(0.75F, 0));
  EXPECT_THAT(report->rows[3].code, ElementsAre(0.5F, 0));
  EXPECT_THAT(report->rows[3].predicted, ElementsAre(5, -25, 0.5));
  EXPECT_NEAR(report->rows[3].realised.mean[2], 0.5, 1e-12);
  EXPECT_EQ(report->violations, 0);

  auto& table = model_.grounded[static_cast<std::size_t>(RolloutMode::kMean)]->rolled_out;
  table.codes = {0.5F, 0};
  table.values = {5, -25, 0.5F};
  const auto exceeded = Measure(
      {{std::nullopt, task().AtMost("push", 0.4)}, {std::nullopt, task().AtLeast("push", 0.625)}},
      "lookup");
  EXPECT_EQ(exceeded->violations, 1);
  EXPECT_NEAR(exceeded->rows[0].constraint_error, 0.1 / 0.4, 1e-12);
  EXPECT_NEAR(exceeded->rows[1].constraint_error, 0.125 / 0.625, 1e-12);
}

// Errors are relative to at least a tenth of the standard deviation, which is sqrt(5000 / 3).
TEST_F(SynthesisTest, ABoundNearZeroIsNotDividedBy) {
  const Task task = {std::nullopt, Query().AddTarget("x_velocity", 5).AtLeast("energy", 0)};
  RollOut({0.5F, 0}, {5, -25});
  const auto report = Measure({task}, "lookup");
  EXPECT_NEAR(report->rows[0].constraint_error, 25 / (0.1 * std::sqrt(5000.0 / 3)), 1e-12);
}

// The code has an extra number that the heads ignore. Steering without a projection leaves it at
// its start value.
TEST_F(SynthesisTest, RandomStartsBeginWhereTheTaskSays) {
  model_.training.codes = {0, 0, 1, 0, 0.5F, 0.25F};
  Task task = Energy(-40);
  for (const int init : {0, 2}) {
    task.init = init;
    const auto report = Measure({task}, "naive");
    EXPECT_EQ(report->rows[0].code[1], init == 0 ? 0.0F : 0.25F);
    EXPECT_NEAR(report->rows[0].code[0], 0.4, 0.0125);
  }
}

// The largest cost is 100, and there are no data farther out.
TEST_F(SynthesisTest, WhatIsOutOfReachCountsWithTheNearest) {
  const auto report = Measure({Energy(-500)}, "default");
  const SynthesisRow& row = report->rows[0];
  EXPECT_EQ(row.status, Status::kInfeasible);
  EXPECT_FALSE(row.success);
  ASSERT_EQ(row.code.size(), 2u);
  EXPECT_GT(row.code[0], 0.9F);
  // Actions beyond 1 are clipped.
  EXPECT_GE(row.target_error, 0.8 - 1e-6);
  EXPECT_LE(row.target_error, 1 - 0.81 / 5);
  EXPECT_EQ(report->success, 0);
}

// The mean absolute value of a normal error is sqrt(2 / pi) times its standard deviation.
TEST_F(SynthesisTest, NoiseIsTheStandardErrorInTheUnitOfTheError) {
  config_.mode = net::RolloutMode::kSampled;
  config_.rollouts = 3;
  const auto report = Measure({Energy(-100)}, "nearest_label");
  const SynthesisRow& row = report->rows[0];
  EXPECT_GT(row.realised.std[1], 0);
  EXPECT_NEAR(row.noise, std::sqrt(2 / M_PI) * row.realised.std[1] / std::sqrt(3.0) / 100, 1e-14);
  EXPECT_EQ(report->noise, row.noise);

  config_.rollouts = 1;
  const auto once = Measure({Energy(-100)}, "nearest_label");
  EXPECT_THAT(once->rows[0].noise, IsNan());
  EXPECT_THAT(once->noise, IsNan());
}

TEST_F(SynthesisTest, AllMethodsThatThereAreTablesFor) {
  EXPECT_THAT(ChooseMethods(config_, model_),
              ElementsAre("default", "still", "paper", "naive", "lookup", "nearest_label"));
  config_.mode = net::RolloutMode::kSampled;
  EXPECT_THAT(ChooseMethods(config_, model_),
              ElementsAre("default", "still", "paper", "naive", "nearest_label"));
  config_.methods = {"lookup"};
  EXPECT_THAT(test::ErrorOf([&] { ChooseMethods(config_, model_); }),
              HasSubstr("rolled out with sampled actions: run `rhumb model ground`"));
  EXPECT_THAT(test::ErrorOf([&] { Measure({Energy(-20)}, "lookup"); }),
              HasSubstr("rolled out with sampled actions: run `rhumb model ground`"));
}

TEST_F(SynthesisTest, ThreadsChangeNoNumber) {
  config_.mode = net::RolloutMode::kSampled;
  const std::vector<Task> tasks = {Energy(-20), Energy(-64), Energy(-90)};
  const auto measure = [&] { return ToJson(*Measure(tasks, "paper"), tasks, model_.description); };
  const nlohmann::json one = measure();
  job_.threads = 3;
  config_.batch = 2;
  EXPECT_EQ(measure(), one);
  job_.seed = 1;
  EXPECT_NE(measure(), one);
}

TEST_F(SynthesisTest, StopsWhenTold) {
  job_.should_stop = [] { return true; };
  EXPECT_FALSE(Measure({Energy(-20)}, "default").has_value());
  EXPECT_FALSE(Measure({Energy(-20)}, "lookup").has_value());
}

TEST_F(SynthesisTest, RollOutsThatGiveNoNumberMissByInfinity) {
  model_.decoder.joint_mlp.SetLayer(0, std::vector<float>(16, 0),
                                    std::vector<float>(4, std::nanf("")));
  const std::vector<Task> tasks = {
      {std::nullopt, Query().AddTarget("energy", -25).AtLeast("energy", -30)}};
  const auto report = Measure(tasks, "lookup");
  EXPECT_EQ(report->diverged, 4);
  EXPECT_TRUE(report->rows[0].success) << "by the table";
  EXPECT_FALSE(report->rows[0].met);
  EXPECT_TRUE(report->rows[0].violated);
  EXPECT_EQ(report->target_error.mean, kNever);
  EXPECT_EQ(report->constraint_error, kNever);
  EXPECT_EQ(report->range_error, kNever);
  const nlohmann::json document =
      nlohmann::json::parse(ToJson(*report, tasks, model_.description).dump());
  EXPECT_EQ(document.at("E_targ_mean"), nullptr);
  EXPECT_EQ(document.at("noise"), nullptr);
}

}  // namespace
}  // namespace rhumb::eval
