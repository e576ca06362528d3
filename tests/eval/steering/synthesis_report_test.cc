#include "rhumb/eval/steering/synthesis_report.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace rhumb::eval {
namespace {

using steer::Query;

// Of four intervals three hold their mean. Of two solved tasks one breaks its promise; the third
// task is not solved.
TEST(FillSummary, CountsBrokenPromisesAndIntervals) {
  SynthesisReport report;
  report.rows.resize(3);
  for (SynthesisRow& row : report.rows) row.predicted = {0, 0};
  report.rows[0].interval = {{0, 1}, {2, 3}};
  report.rows[0].realised.mean = {1, 2.5};
  report.rows[0].success = true;
  report.rows[1].interval = {{0, 1}, {2, 3}};
  report.rows[1].realised.mean = {0.5, 3.01};
  report.rows[1].success = true;
  report.rows[1].violated = true;
  report.rows[2].violated = true;
  report.rows[0].probability = 0.9;
  report.rows[1].probability = 0.3;
  report.rows[2].probability = 0.6;  // not solved
  const std::vector<Task> tasks(3);
  FillSummary(tasks, 0, report);
  EXPECT_DOUBLE_EQ(report.covered, 0.75);
  EXPECT_DOUBLE_EQ(report.broken, 0.5);
  EXPECT_DOUBLE_EQ(report.promised, 0.4);
  SynthesisReport none;
  none.rows.resize(3);
  FillSummary(tasks, 0, none);
  EXPECT_TRUE(std::isnan(none.covered));
  EXPECT_TRUE(std::isnan(none.broken));
  EXPECT_TRUE(std::isnan(none.promised));
}

TEST(SynthesisColumns, AreTheKeysOfTheDocument) {
  SynthesisReport report;
  report.success = 0.01;
  report.target_error.mean = 0.02;
  report.target_error.median = 0.03;
  report.noise = 0.04;
  report.constraint_error = 0.05;
  report.violations = 0.06;
  report.broken = 0.07;
  report.covered = 0.08;
  report.promised = 0.09;
  report.range_error = 0.10;
  report.met = 0.11;
  const nlohmann::json document = ToJson(report, {}, {});
  const std::vector<std::string> keys = {
      "S",      "E_targ_mean", "E_targ_median", "noise",   "E_cons", "violations",
      "broken", "covered",     "promised",      "E_range", "met"};
  const nlohmann::json columns = DescribeSynthesisColumns();
  ASSERT_EQ(columns.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(columns[i].at("key"), keys[i]);
    EXPECT_DOUBLE_EQ(document.at(keys[i]), static_cast<double>(i + 1)) << keys[i];
    EXPECT_EQ(columns[i].at("higher_is_better"),
              keys[i] == "S" || keys[i] == "covered" || keys[i] == "met");
  }
}

// Three tasks of anchor 4, one of anchor 9 and one of anchor 7.
std::vector<Task> TasksOfThreeAnchors() {
  const auto task = [](double energy, std::int64_t anchor, const char* split) {
    Task made = {std::nullopt, Query().AddTarget("energy", energy)};
    made.anchor = anchor;
    made.split = split;
    return made;
  };
  return {task(-25, 4, "held_out_checkpoint"), task(-25, 4, "held_out_checkpoint"),
          task(-25, 4, "held_out_checkpoint"), task(-40, 9, "held_out_weight"),
          task(-25, 7, "held_out_weight")};
}

// A report in which the task of anchor 9 is missed by 50 %.
SynthesisReport ReportOfThreeAnchors() {
  SynthesisReport report;
  report.method = "lookup";
  for (int i = 0; i < 5; ++i) {
    SynthesisRow& row = report.rows.emplace_back();
    row.predicted = {0};
    row.origin = "rolled_out";
    row.met = row.success = i != 3;
    row.target_error = i != 3 ? 0 : 0.5;
    row.noise = std::numeric_limits<double>::quiet_NaN();
  }
  return report;
}

// Means of resampled anchors lie between 0, of (9, 9, 9), and 1, without 9.
TEST(SynthesisReport, IntervalsAreClusteredByAnchor) {
  SynthesisReport report = ReportOfThreeAnchors();
  std::vector<Task> tasks = TasksOfThreeAnchors();
  FillSummary(tasks, 1, report);
  EXPECT_DOUBLE_EQ(report.met, 0.8);
  EXPECT_DOUBLE_EQ(report.met_interval.mean, 0.8);
  EXPECT_EQ(report.met_interval.low, 0) << "3.7 % of the resamples";
  EXPECT_EQ(report.met_interval.high, 1);
  EXPECT_EQ(report.origins, (std::map<std::string, int>{{"rolled_out", 5}}));
  EXPECT_DOUBLE_EQ(report.target_error_interval->mean, 0.1);
  EXPECT_TRUE(std::isnan(report.noise));

  // Without anchors, equal targets make a cluster: -25 and -40.
  for (Task& task : tasks) task.anchor.reset();
  SynthesisReport unknown = ReportOfThreeAnchors();
  FillSummary(tasks, 1, unknown);
  EXPECT_EQ(unknown.met_interval.low, 0) << "a quarter of the resamples";
}

TEST(SynthesisReport, ErrorsThatAreNotFiniteHaveNoInterval) {
  SynthesisReport report = ReportOfThreeAnchors();
  report.rows[0].target_error = std::numeric_limits<double>::infinity();
  FillSummary(TasksOfThreeAnchors(), 1, report);
  EXPECT_FALSE(report.target_error_interval.has_value());
  report.rows.clear();
  EXPECT_EQ(ToJson(report, {}, {}).at("intervals").at("E_targ_mean"), nullptr);
}

TEST(SynthesisReport, TeachersPromiseNothing) {
  SynthesisReport report = ReportOfThreeAnchors();
  for (SynthesisRow& row : report.rows) row.predicted.clear();
  const std::vector<Task> tasks = TasksOfThreeAnchors();
  FillSummary(tasks, 1, report);
  net::ModelDescription model;
  model.objectives.resize(1);
  const nlohmann::json document = ToJson(report, tasks, model);
  EXPECT_EQ(document.at("rows").at(0).at("predicted"), nullptr);
  EXPECT_EQ(document.at("S"), nullptr);
  EXPECT_TRUE(std::isnan(report.success));
  EXPECT_DOUBLE_EQ(report.met, 0.8);
}

TEST(SynthesisReport, SplitsApart) {
  std::vector<Task> tasks = TasksOfThreeAnchors();
  const SynthesisReport report = ReportOfThreeAnchors();
  const std::vector<SplitReport> splits = SplitSynthesis(report, tasks, 1);
  ASSERT_EQ(splits.size(), 2u);
  EXPECT_EQ(splits[0].split, "held_out_checkpoint");
  EXPECT_EQ(splits[0].tasks, 3);
  EXPECT_EQ(splits[0].report.met, 1);
  EXPECT_EQ(splits[1].split, "held_out_weight");
  EXPECT_EQ(splits[1].report.met, 0.5);
  EXPECT_EQ(splits[1].report.method, "lookup");
  const nlohmann::json document = ToJson(splits[1]);
  EXPECT_EQ(document.at("met"), 50);
  EXPECT_EQ(document.at("tasks"), 2);
  tasks[0].split.clear();
  EXPECT_TRUE(SplitSynthesis(report, tasks, 1).empty());
}

TEST(SynthesisReport, ComparisonsArePaired) {
  const std::vector<Task> tasks = TasksOfThreeAnchors();
  const SynthesisReport lookup = ReportOfThreeAnchors();
  SynthesisReport worse = lookup;
  worse.method = "worse";
  for (SynthesisRow& row : worse.rows) row.met = false;
  EXPECT_EQ(CompareSynthesis(lookup, lookup, tasks, 1).met.p, 1);
  const SynthesisComparison pair = CompareSynthesis(lookup, worse, tasks, 1);
  EXPECT_EQ(pair.other, "worse");
  EXPECT_DOUBLE_EQ(pair.met.difference.mean, 0.8);
  EXPECT_EQ(pair.target_error->difference.mean, 0);
  const nlohmann::json document = ToJson(pair);
  EXPECT_DOUBLE_EQ(document.at("met").at("mean"), 80);
  EXPECT_EQ(document.at("E_targ_mean").at("p"), 1);
}

}  // namespace
}  // namespace rhumb::eval
