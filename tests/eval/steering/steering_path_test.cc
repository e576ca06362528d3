#include "rhumb/eval/steering/steering_path.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/sim/catalogue.h"
#include "tests/rollout/echo_model.h"

namespace rhumb::eval {
namespace {

using steer::Query;
using steer::Status;
using testing::ElementsAre;

// The point mass, pushed steadily. With mean actions a code (p, q) costs 100 (p^2 + q^2) for every
// start. The heads predict 100 p + 50 q. All training codes have q = 0, so only p varies along the
// data.
class SteeringPathTest : public testing::Test {
 protected:
  SteeringPathTest() {
    model_.description.objectives[0].std = 5;
    model_.description.objectives[1].std = 50;
    model_.description.objectives[1].min = -100;
    model_.heads = {2, 2, {2, 0, -2, -1}, {0, 0}};
    model_.training.code_size = 2;
    model_.training.objectives = 2;
    model_.training.codes = {0, 0, 1, 0, 0.5F, 0};
    model_.training.values = {0, 0, 10, -100, 5, -50};
    config_.mode = net::RolloutMode::kMean;
    job_.quiet = true;
  }

  // Codes are 0.5 apart. The tolerance is 1.25 % of a range of 100, and steering aims at a tenth of
  // it.
  static Task Energy(double target) { return {2, Query().AddTarget("energy", target)}; }
  SteeringPath Trace(const Task& task, std::size_t method, int points = 25) const {
    const steer::Steerer steerer(model_, net::RolloutMode::kSampled,
                                 steer::PresetOptions(kPathMethods[method].preset));
    return TracePath(steerer, task, kPathMethods[method].name, points);
  }

  const sim::Environment environment_{sim::FindBundle("point-v0", "two")};
  net::Model model_ = rollout::EchoModel(rollout::DescribeRecordings(environment_), 0);
  PathConfig config_;
  core::Job job_;
};

// With s^2 = 5000 / 3, the variance of the labels, p <- p - 0.1 * 2 (v - g) (-100) / s^2. So v - g
// is multiplied by 1 - 0.2 * 100^2 / s^2 = -0.2 in each step: 14, -2.8, 0.56, -0.112.
TEST_F(SteeringPathTest, ProjectedByHand) {
  const SteeringPath path = Trace(Energy(-64), 0);
  EXPECT_EQ(path.method, "projected");
  EXPECT_EQ(path.status, Status::kSolved);
  ASSERT_EQ(path.points.size(), 4u);
  double miss = 14;
  for (int i = 0; i < 4; ++i) {
    const PathPoint& point = path.points[static_cast<std::size_t>(i)];
    EXPECT_EQ(point.iteration, i);
    EXPECT_NEAR(point.predicted[1], -64 + miss, 1e-4) << "values are float";
    EXPECT_NEAR(point.code[0], 0.64 - miss / 100, 1e-6);
    EXPECT_NEAR(point.code[1], 0, 1e-7);
    EXPECT_NEAR(point.distance, std::abs(point.code[0] - 0.5) / 0.5, 1e-6);
    miss *= -0.2;
  }
}

// A free step also moves half as far along q, and v - g is multiplied by 1 - 0.2 * (100^2 + 50^2) /
// s^2.
TEST_F(SteeringPathTest, NaiveLeavesTheData) {
  const SteeringPath path = Trace(Energy(-64), 1);
  EXPECT_EQ(path.method, "naive");
  ASSERT_GE(path.points.size(), 3u);
  EXPECT_THAT(path.points[0].code, ElementsAre(0.5F, 0));
  const PathPoint& second = path.points[1];
  EXPECT_NEAR(second.code[0], 0.5 + 0.168, 1e-6);
  EXPECT_NEAR(second.code[1], 0.084, 1e-6);
  EXPECT_NEAR(second.distance, std::hypot(0.168, 0.084) / 0.5, 1e-6);
  EXPECT_NEAR(path.points[2].predicted[1], -64 + 3.5, 1e-4);
  EXPECT_EQ(path.status, Status::kSolved);
}

TEST_F(SteeringPathTest, PointsAreEvenlySpaced) {
  const auto iterations = [&](int points) {
    std::vector<int> numbers;
    for (const PathPoint& point : Trace(Energy(-64), 0, points).points) {
      numbers.push_back(point.iteration);
    }
    return numbers;
  };
  EXPECT_THAT(iterations(2), ElementsAre(0, 3));
  EXPECT_THAT(iterations(3), ElementsAre(0, 2, 3)) << "1.5 is rounded";
  EXPECT_THAT(iterations(4), ElementsAre(0, 1, 2, 3));
  const std::vector<PathPoint> there = Trace(Energy(-50), 0).points;
  ASSERT_EQ(there.size(), 1u) << "it starts where it is to end";
  EXPECT_EQ(there[0].iteration, 0);
}

// The heads need p = 0.64 for this energy, and p = 0.1 for an x_velocity (10 p) of at most 1.
TEST_F(SteeringPathTest, WhatCannotBeMetIsSaid) {
  Task task = Energy(-64);
  task.query.AtMost("x_velocity", 1);
  const SteeringPath path = Trace(task, 0);
  EXPECT_EQ(path.status, Status::kInfeasible);
  EXPECT_EQ(path.points.size(), 25u);
  // Steering aims 1e-3 standard deviations inside a bound, which is 4e-4 of p.
  EXPECT_NEAR(path.points.back().code[0], 0.1, 0.001);
}

TEST_F(SteeringPathTest, StartsAreNamedOrDrawn) {
  Task task = Energy(-64);
  EXPECT_EQ(StartOf(task, model_), 2);
  task.init.reset();
  std::vector<int> counts(3, 0);
  for (task.seed = 0; task.seed < 30; ++task.seed) {
    ++counts[static_cast<std::size_t>(StartOf(task, model_))];
  }
  for (const int count : counts) EXPECT_GT(count, 0) << "2/3 to the power of 30 is 5e-6";
}

// Codes ordered by their labels, except for the thirtieth. Of codes 28 to 32 the thirty-first is
// the median: by energy they are 30, 32, 31, 29, 28.
TEST_F(SteeringPathTest, TasksByHand) {
  net::CodeTable& training = model_.training;
  training.codes.clear();
  training.values.clear();
  for (int i = 40; i >= 0; --i) {
    const auto number = static_cast<float>(i);
    training.codes.insert(training.codes.end(), {number, 0});
    training.values.insert(training.values.end(),
                           {10 * number + 0.004F, i == 30 ? -1000 : -number});
  }
  const std::vector<Task> tasks = MakePathTasks(model_);
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks[0].query, Query().AddTarget("x_velocity", 310).AtLeast("energy", -31));
  EXPECT_EQ(tasks[1].query, Query().AddTarget("x_velocity", 380).AtLeast("energy", -38));
  EXPECT_EQ(tasks[2].query, Query().AddTarget("x_velocity", 100).AtLeast("energy", -10));
  EXPECT_EQ(tasks[0].init, 0) << "the last but is first in the table";
  EXPECT_EQ(tasks[1].init, 38);
  EXPECT_EQ(tasks[2].init, 0);
  EXPECT_THAT(DescribePathTasks(model_), testing::HasSubstr("quantile 0.75 of x_velocity"));

  // Queries do not include added attributes.
  model_.description.objectives[1].expression = "mean(speed)";
  EXPECT_EQ(MakePathTasks(model_)[1].query, Query().AddTarget("x_velocity", 380));
}

// A code realises its cost; the gap is the distance from the prediction.
TEST_F(SteeringPathTest, PointsAreRolledOut) {
  config_.points = 2;
  config_.landscape = 2;
  const std::vector<Task> tasks = {Energy(-64)};
  const auto report = MeasurePaths(environment_, model_, tasks, config_, job_);
  ASSERT_TRUE(report.has_value());
  EXPECT_THAT(report->starts, ElementsAre(2));
  ASSERT_EQ(report->paths.size(), 1u);
  ASSERT_EQ(report->paths[0].size(), 2u);
  for (const SteeringPath& path : report->paths[0]) {
    double gap = 0;
    for (const PathPoint& point : path.points) {
      const double p = point.code[0], q = point.code[1];
      EXPECT_EQ(point.realised.episodes, 4);
      EXPECT_NEAR(point.realised.mean[1], -100 * (p * p + q * q), 1e-10);
      EXPECT_EQ(point.realised.std[1], 0);
      gap += std::abs(point.realised.mean[1] - point.predicted[1]) / 2;
    }
    EXPECT_NEAR(GapsOf(path)[1], gap, 1e-12);
  }

  const nlohmann::json document = ToJson(*report, tasks, model_);
  EXPECT_EQ(document["mode"], "mean");
  EXPECT_EQ(document["rollouts"], 4);
  EXPECT_EQ(document["objectives"][1]["name"], "energy");
  EXPECT_EQ(document["landscape"]["codes"].size(), 2u);
  EXPECT_EQ(document["landscape"]["labels"].size(), 2u);
  const nlohmann::json& query = document["queries"][0];
  EXPECT_EQ(query["text"], "bring energy to -64");
  EXPECT_EQ(query["target"].dump(), R"({"energy":-64.0})");
  EXPECT_EQ(query["require"].dump(), "[]");
  EXPECT_EQ(query["init"], 2);
  EXPECT_EQ(query["start"], 2);
  const nlohmann::json& path = query["paths"][1];
  EXPECT_EQ(path["method"], "naive");
  EXPECT_EQ(path["status"], "solved");
  const nlohmann::json& start = path["points"][0];
  EXPECT_EQ(start["iteration"], 0);
  EXPECT_EQ(start["code"].dump(), "[0.5,0.0]");
  EXPECT_EQ(start["predicted"][1], -50);
  EXPECT_EQ(start["realised"][1], -25);
  EXPECT_EQ(start["deviation"][1], 0);
  EXPECT_NEAR(start["distance"], 0, 1e-6);

  job_.threads = 3;
  EXPECT_EQ(ToJson(*MeasurePaths(environment_, model_, tasks, config_, job_), tasks, model_),
            document);
  job_.should_stop = [] { return true; };
  EXPECT_FALSE(MeasurePaths(environment_, model_, tasks, config_, job_).has_value());
}

}  // namespace
}  // namespace rhumb::eval
