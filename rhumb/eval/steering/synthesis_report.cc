#include "rhumb/eval/steering/synthesis_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/data/policy.h"
#include "rhumb/steer/answer_json.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

constexpr SynthesisColumn kColumns[] = {
    {"S", "S", "tasks that the method predicts to be solved", true,
     [](const SynthesisReport& own) { return own.success; }},
    {"E_targ_mean", "E_targ", "mean distance from the target", false,
     [](const SynthesisReport& own) { return own.target_error.mean; }},
    {"E_targ_median", "median", "median distance from the target", false,
     [](const SynthesisReport& own) { return own.target_error.median; }},
    {"noise", "noise",
     "mean distance of codes that are right on average, by the standard error of their rollouts",
     false, [](const SynthesisReport& own) { return own.noise; }},
    {"E_cons", "E_cons", "mean violation of the worst requirement", false,
     [](const SynthesisReport& own) { return own.constraint_error; }},
    {"violations", "violations", "tasks with a violated requirement", false,
     [](const SynthesisReport& own) { return own.violations; }},
    {"broken", "broken", "solved tasks with a violated requirement", false,
     [](const SynthesisReport& own) { return own.broken; }},
    {"covered", "covered", "realised means inside their interval, over all objectives", true,
     [](const SynthesisReport& own) { return own.covered; }},
    {"promised", "promised",
     "mean probability of the answers, 0 where there is none; met, if they are honest", false,
     [](const SynthesisReport& own) { return own.promised; }},
    {"E_range", "E_range", "mean distance from the target in % of the range of the training labels",
     false, [](const SynthesisReport& own) { return own.range_error; }},
    {"met", "met", "tasks met in simulation", true,
     [](const SynthesisReport& own) { return own.met; }},
};

// One cluster per anchor. Tasks of one unknown anchor have equal targets.
std::vector<std::int64_t> ClustersOf(std::span<const Task> tasks) {
  using Name = std::pair<std::int64_t, std::vector<double>>;  // anchor or -1, target values
  std::vector<Name> names;
  for (const Task& task : tasks) {
    Name name{task.anchor.value_or(-1), {}};
    if (!task.anchor) {
      for (const steer::Target& target : task.query.targets) name.second.push_back(target.value);
    }
    names.push_back(std::move(name));
  }
  return NumberClusters(names);
}

bool AreFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

// One number per row.
std::vector<double> Collect(const SynthesisReport& report, double (*number)(const SynthesisRow&)) {
  std::vector<double> numbers;
  for (const SynthesisRow& row : report.rows) numbers.push_back(number(row));
  return numbers;
}

json IntervalsOf(const SynthesisReport& report) {
  const auto& target = report.target_error_interval;
  return {{"S", ToJson(report.success_interval, 100)},
          {"E_targ_mean", target ? ToJson(*target, 100) : json(nullptr)},
          {"met", ToJson(report.met_interval, 100)}};
}

void AddColumns(const SynthesisReport& report, json& document) {
  for (const SynthesisColumn& column : kColumns) {
    const double value = column.value(report);
    document[column.key] = std::isnan(value) ? json(nullptr) : json(100 * value);
  }
  document["intervals"] = IntervalsOf(report);
}

json ToJson(const PairedDifference& difference) {
  json document = ToJson(difference.difference, 100);
  document["p"] = difference.p;
  return document;
}

}  // namespace

void FillSummary(std::span<const Task> tasks, std::uint64_t seed, SynthesisReport& report) {
  std::vector<double> target_errors, successes, met;
  double noise = 0;
  int noisy = 0, solved = 0, broken = 0, intervals = 0, held = 0, likely = 0;
  for (const SynthesisRow& row : report.rows) {
    solved += row.success ? 1 : 0;
    broken += row.success && row.violated ? 1 : 0;
    for (std::size_t k = 0; k < row.interval.size(); ++k) {
      const double mean = row.realised.mean[k];
      ++intervals;
      held += row.interval[k].low <= mean && mean <= row.interval[k].high ? 1 : 0;
    }
    if (!std::isnan(row.probability)) {
      ++likely;
      report.promised += row.success ? row.probability : 0;
    }
    target_errors.push_back(row.target_error);
    successes.push_back(row.success ? 1 : 0);
    met.push_back(row.met ? 1 : 0);
    ++report.origins[row.origin];
    report.success += row.success ? 1 : 0;
    report.violations += row.violated ? 1 : 0;
    report.met += row.met ? 1 : 0;
    report.constraint_error += row.constraint_error;
    report.range_error += row.range_error;
    report.diverged += row.realised.diverged;
    if (std::isnan(row.noise)) continue;
    noise += row.noise;
    ++noisy;
  }
  for (double* sum : {&report.success, &report.violations, &report.met, &report.promised,
                      &report.constraint_error, &report.range_error}) {
    *sum /= static_cast<double>(report.rows.size());
  }
  const ClusteredBootstrap bootstrap(ClustersOf(tasks), seed);
  report.success_interval = bootstrap.Mean(successes);
  report.met_interval = bootstrap.Mean(met);
  if (AreFinite(target_errors)) report.target_error_interval = bootstrap.Mean(target_errors);
  // The teachers predict nothing.
  if (report.rows.front().predicted.empty()) {
    report.success = kMissing;
    report.success_interval = {kMissing, kMissing, kMissing};
  }
  report.target_error = Summarise(std::move(target_errors));
  report.noise = noisy > 0 ? noise / noisy : kMissing;
  report.broken = solved > 0 ? static_cast<double>(broken) / solved : kMissing;
  if (likely == 0) report.promised = kMissing;
  report.covered = intervals > 0 ? static_cast<double>(held) / intervals : kMissing;
}

std::span<const SynthesisColumn> SynthesisColumns() { return kColumns; }

json DescribeSynthesisColumns() {
  json columns = json::array();
  for (const SynthesisColumn& column : kColumns) {
    columns.push_back({{"key", column.key},
                       {"title", column.title},
                       {"meaning", column.meaning},
                       {"higher_is_better", column.higher_is_better}});
  }
  return columns;
}

std::vector<SplitReport> SplitSynthesis(const SynthesisReport& report, std::span<const Task> tasks,
                                        std::uint64_t seed) {
  std::vector<SplitReport> splits;
  if (std::any_of(tasks.begin(), tasks.end(), [](const Task& own) { return own.split.empty(); })) {
    return splits;
  }
  for (const data::Split split : data::kSplits) {
    std::vector<Task> own;
    SplitReport part{.split = std::string(data::NameOf(split)), .tasks = 0, .report = {}};
    part.report.method = report.method;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i].split != part.split) continue;
      own.push_back(tasks[i]);
      part.report.rows.push_back(report.rows[i]);
    }
    if (own.empty()) continue;
    part.tasks = static_cast<int>(own.size());
    FillSummary(own, seed, part.report);
    part.report.rows.clear();
    splits.push_back(std::move(part));
  }
  return splits;
}

SynthesisComparison CompareSynthesis(const SynthesisReport& first, const SynthesisReport& other,
                                     std::span<const Task> tasks, std::uint64_t seed) {
  const ClusteredBootstrap bootstrap(ClustersOf(tasks), seed);
  const auto met = [](const SynthesisRow& row) { return row.met ? 1.0 : 0.0; };
  const auto error = [](const SynthesisRow& row) { return row.target_error; };
  SynthesisComparison comparison{
      first.method, other.method, bootstrap.Compare(Collect(first, met), Collect(other, met)), {}};
  const std::vector<double> ours = Collect(first, error), theirs = Collect(other, error);
  if (AreFinite(ours) && AreFinite(theirs)) {
    comparison.target_error = bootstrap.Compare(ours, theirs);
  }
  return comparison;
}

json ToJson(const SynthesisReport& report, std::span<const Task> tasks,
            const net::ModelDescription& model) {
  json rows = json::array();
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const SynthesisRow& row = report.rows[i];
    rows.push_back(
        {{"task", ToJson(tasks[i])},
         {"status", row.status ? json(steer::NameOf(*row.status)) : json(nullptr)},
         {"code", row.code},
         {"predicted", row.predicted.empty() ? json(nullptr) : steer::ByName(row.predicted, model)},
         {"realised", ToJson(row.realised, model)},
         {"origin", row.origin},
         {"iterations", row.iterations},
         {"distance", row.distance},
         {"probability", std::isnan(row.probability) ? json(nullptr) : json(row.probability)},
         {"success", row.success},
         {"violated", row.violated},
         {"met", row.met},
         {"E_targ", 100 * row.target_error},
         {"E_cons", 100 * row.constraint_error},
         {"E_range", 100 * row.range_error},
         {"noise", 100 * row.noise}});
  }
  json document = {{"method", report.method},
                   {"E_targ_q90", 100 * report.target_error.q90},
                   {"diverged", report.diverged},
                   {"origins", report.origins},
                   {"rows", std::move(rows)}};
  AddColumns(report, document);
  return document;
}

json ToJson(const SplitReport& report) {
  json document = {
      {"split", report.split}, {"tasks", report.tasks}, {"method", report.report.method}};
  AddColumns(report.report, document);
  return document;
}

json ToJson(const SynthesisComparison& comparison) {
  const auto& error = comparison.target_error;
  return {{"method", comparison.method},
          {"with", comparison.other},
          {"met", ToJson(comparison.met)},
          {"E_targ_mean", error ? ToJson(*error) : json(nullptr)}};
}

}  // namespace rhumb::eval
