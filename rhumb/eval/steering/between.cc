#include "rhumb/eval/steering/between.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "rhumb/core/math/random.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/steer/answer_json.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

constexpr std::int64_t kDrawsPerTask = 20;
constexpr const char* kOwnCode = "own_code";
constexpr const char* kLookup = "lookup";

std::vector<Task> QueriesOf(const BetweenTasks& made) {
  std::vector<Task> tasks;
  for (const BetweenTask& task : made.tasks) tasks.push_back(task.task);
  return tasks;
}

// One cluster per pair of policies.
std::vector<std::int64_t> ClustersOf(const BetweenTasks& made) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (const BetweenTask& task : made.tasks) pairs.push_back(task.policies);
  return NumberClusters(pairs);
}

std::vector<CodeChoice> LookUp(const net::Model& model, const net::CodeTable& rolled_out,
                               const std::vector<Task>& tasks) {
  std::vector<CodeChoice> choices;
  for (const Task& task : tasks) {
    choices.push_back(TakeNearest(rolled_out, steer::MakeProblem(task.query, model, nullptr),
                                  std::string(steer::NameOf(steer::Origin::kRolledOut))));
  }
  return choices;
}

// The mixed codes themselves; the values that made the tasks are the prediction.
std::vector<CodeChoice> TakeOwnCodes(const BetweenTasks& made) {
  std::vector<CodeChoice> choices;
  for (const BetweenTask& task : made.tasks) {
    choices.push_back(
        {.status = {}, .code = task.code, .predicted = task.realised.mean, .origin = "task"});
  }
  return choices;
}

std::vector<double> MetOf(const BetweenReport& report) {
  std::vector<double> met;
  for (const BetweenRow& row : report.rows) met.push_back(row.met ? 1 : 0);
  return met;
}

// 1 for each task that a report's method misses by less than the other's.
std::vector<double> NearerThan(const BetweenReport& report, const BetweenReport& other) {
  std::vector<double> nearer;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    nearer.push_back(report.rows[i].miss < other.rows[i].miss ? 1 : 0);
  }
  return nearer;
}

void FillSummary(const ClusteredBootstrap& bootstrap, BetweenReport& report) {
  std::vector<double> misses, refusals, missed;
  double distance = 0;
  int solved = 0;
  for (const BetweenRow& row : report.rows) {
    const bool is_solved = row.choice.solved();
    misses.push_back(row.miss);
    refusals.push_back(is_solved ? 0 : 1);
    missed.push_back(is_solved && !row.met ? 1 : 0);
    report.diverged += row.realised.diverged;
    if (!is_solved) continue;
    ++report.origins[row.choice.origin];
    distance += row.choice.distance;
    ++solved;
  }
  report.met = bootstrap.Mean(MetOf(report));
  report.miss = Summarise(std::move(misses));
  report.distance = solved > 0 ? distance / solved : std::numeric_limits<double>::quiet_NaN();
  if (!report.rows.front().choice.status) return;
  report.false_noes = bootstrap.Mean(refusals);
  report.promised_and_missed = bootstrap.Mean(missed);
}

// Plays the chosen codes and judges them; returns nothing if stopped.
std::optional<BetweenReport> Judge(const sim::Environment& environment, const net::Model& model,
                                   const BetweenTasks& made, const ClusteredBootstrap& bootstrap,
                                   const std::string& method, std::vector<CodeChoice> choices,
                                   const BetweenConfig& config, const core::Job& job) {
  std::vector<float> codes;
  for (const CodeChoice& choice : choices) {
    codes.insert(codes.end(), choice.code.begin(), choice.code.end());
  }
  std::optional<std::vector<Realised>> realised =
      Verify(environment, model, codes,
             {.mode = config.mode,
              .episodes = config.episodes,
              .first_code = core::stream_key::kBetweenCodes,
              .batch = config.batch,
              .label = fmt::format("roll out {}", method),
              .job = job});
  if (!realised) return std::nullopt;
  BetweenReport report;
  report.method = method;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    BetweenRow& row = report.rows.emplace_back();
    row.choice = std::move(choices[i]);
    row.realised = std::move((*realised)[i]);
    row.miss = LargestMiss(row.realised.mean, made.tasks[i].realised.mean, model.description);
    row.met = row.choice.solved() && row.miss <= kMetMiss;
  }
  FillSummary(bootstrap, report);
  return report;
}

json ToJson(const BetweenReport& report, const BetweenTasks& made,
            const net::ModelDescription& model) {
  const auto share = [](const std::optional<MeanEstimate>& estimate) {
    return estimate ? ToJson(*estimate, 100) : json(nullptr);
  };
  json rows = json::array();
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const BetweenRow& row = report.rows[i];
    const auto& status = row.choice.status;
    rows.push_back({{"task", ToJson(made.tasks[i].task)},
                    {"status", status ? json(steer::NameOf(*status)) : json(nullptr)},
                    {"code", row.choice.code},
                    {"predicted", steer::ByName(row.choice.predicted, model)},
                    {"realised", ToJson(row.realised, model)},
                    {"miss", 100 * row.miss},
                    {"met", row.met},
                    {"origin", row.choice.origin},
                    {"iterations", row.choice.iterations},
                    {"distance", row.choice.distance}});
  }
  return {{"method", report.method},
          {"false_noes", share(report.false_noes)},
          {"met", ToJson(report.met, 100)},
          {"promised_and_missed", share(report.promised_and_missed)},
          {"miss_median", 100 * report.miss.median},
          {"miss_q90", 100 * report.miss.q90},
          {"origins", report.origins},
          {"distance", report.distance},
          {"diverged", report.diverged},
          {"rows", std::move(rows)}};
}

json ToJson(const BetweenTasks& made, int clusters, const net::ModelDescription& model) {
  json list = json::array();
  for (const BetweenTask& task : made.tasks) {
    list.push_back({{"draw", task.draw},
                    {"codes", {task.mixture.first, task.mixture.second}},
                    {"share", task.mixture.share},
                    {"policies", {task.policies.first, task.policies.second}},
                    {"code", task.code},
                    {"realised", ToJson(task.realised, model)}});
  }
  return {{"count", made.tasks.size()}, {"different", made.different}, {"draws", made.draws},
          {"unsteady", made.unsteady},  {"known", made.known},         {"clusters", clusters},
          {"list", std::move(list)}};
}

}  // namespace

std::optional<BetweenMeasurement> MeasureBetween(const sim::Environment& environment,
                                                 const net::Model& model,
                                                 const BetweenConfig& config,
                                                 const core::Job& job) {
  std::optional<BetweenTasks> made =
      MakeBetweenTasks(environment, model,
                       {.mode = config.mode,
                        .count = config.tasks,
                        .draws = config.draws > 0 ? config.draws : kDrawsPerTask * config.tasks,
                        .episodes = config.task_episodes,
                        .batch = config.batch,
                        .job = job});
  if (!made) return std::nullopt;
  BetweenMeasurement measurement;
  measurement.tasks = std::move(*made);
  const std::vector<Task> tasks = QueriesOf(measurement.tasks);
  const ClusteredBootstrap bootstrap(ClustersOf(measurement.tasks), job.seed);
  measurement.clusters = bootstrap.clusters();
  const auto judge = [&](const std::string& method, std::vector<CodeChoice> choices) {
    std::optional<BetweenReport> report = Judge(environment, model, measurement.tasks, bootstrap,
                                                method, std::move(choices), config, job);
    if (report) measurement.reports.push_back(std::move(*report));
    return report.has_value();
  };
  for (const std::string& method : config.methods) {
    auto choices = ChooseBySteering(environment, model, tasks,
                                    {method, config.mode, config.steer, config.tries}, job);
    if (!choices || !judge(method, std::move(*choices))) return std::nullopt;
  }
  if (const net::CodeTable* rolled_out = RolledOutCodes(model, config.mode)) {
    if (!judge(kLookup, LookUp(model, *rolled_out, tasks))) return std::nullopt;
  }
  if (!judge(kOwnCode, TakeOwnCodes(measurement.tasks))) return std::nullopt;

  const BetweenReport& first = measurement.reports.front();
  for (std::size_t i = 1; i < measurement.reports.size(); ++i) {
    const BetweenReport& other = measurement.reports[i];
    measurement.comparisons.push_back(
        {first.method, other.method, bootstrap.Compare(MetOf(first), MetOf(other)),
         bootstrap.Compare(NearerThan(first, other), NearerThan(other, first))});
  }
  return measurement;
}

json ToJson(const BetweenMeasurement& measurement, const net::ModelDescription& model) {
  json methods = json::array(), compared = json::array();
  for (const BetweenReport& report : measurement.reports) {
    methods.push_back(ToJson(report, measurement.tasks, model));
  }
  for (const BetweenComparison& pair : measurement.comparisons) {
    compared.push_back({{"method", pair.method},
                        {"with", pair.other},
                        {"met", ToJson(pair.met.difference, 100)},
                        {"p", pair.met.p},
                        {"nearer", ToJson(pair.nearer.difference, 100)},
                        {"p_nearer", pair.nearer.p}});
  }
  return {{"unit", "%"},
          {"tasks", ToJson(measurement.tasks, measurement.clusters, model)},
          {"methods", std::move(methods)},
          {"compared", std::move(compared)}};
}

}  // namespace rhumb::eval
