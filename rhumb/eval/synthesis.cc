#include "rhumb/eval/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
    {"E_range", "E_range", "mean distance from the target in % of the range of the training labels",
     false, [](const SynthesisReport& own) { return own.range_error; }},
    {"met", "met", "tasks met in simulation", true,
     [](const SynthesisReport& own) { return own.met; }},
};

// The codes that were rolled out in this mode; null if there are none.
const net::CodeTable* RolledOut(const net::Model& model, net::RolloutMode mode) {
  const auto& grounding = model.grounded[static_cast<std::size_t>(mode)];
  return grounding && grounding->rolled_out.count() > 0 ? &grounding->rolled_out : nullptr;
}

// NaN exceeds every bound.
bool ExceedsABound(const steer::Problem& problem, std::span<const double> values) {
  for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
    if (!(problem.Excess(i, values) <= 0)) return true;
  }
  return false;
}

// The table's row with the smallest Problem::Miss; the first one on ties. Its values are the
// prediction.
SynthesisRow TakeNearest(const net::CodeTable& table, const steer::Problem& problem) {
  const auto width = static_cast<std::size_t>(table.objectives);
  std::vector<double> values(width);
  std::size_t best = 0;
  double least = kInfinity;
  for (std::size_t i = 0; i < static_cast<std::size_t>(table.count()); ++i) {
    std::copy_n(table.values.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                values.begin());
    const double miss = problem.Miss(values);
    if (!(miss < least)) continue;
    least = miss;
    best = i;
  }
  const auto code = table.codes.begin() + static_cast<std::ptrdiff_t>(best) * table.code_size;
  const auto predicted = table.values.begin() + static_cast<std::ptrdiff_t>(best * width);
  SynthesisRow row;
  row.code.assign(code, code + table.code_size);
  row.predicted.assign(predicted, predicted + table.objectives);
  return row;
}

// The first answer if steering solved the query or ran out of steps; otherwise the nearest
// behaviour.
SynthesisRow TakeAnswer(const steer::Result& result) {
  SynthesisRow row;
  row.status = result.status;
  if (result.status == steer::Status::kSolved || result.status == steer::Status::kIterationLimit) {
    row.code = result.answers.front().code;
    row.predicted = result.answers.front().predicted;
  } else {
    row.code = result.infeasibility->nearest.code;
    row.predicted = result.infeasibility->nearest.predicted;
  }
  return row;
}

// One code per task; fewer if stopped.
std::vector<SynthesisRow> PickCodes(const net::Model& model, std::span<const Task> tasks,
                                    std::span<const steer::Problem> problems,
                                    const std::string& method, const SynthesisConfig& config,
                                    const core::Job& job) {
  std::vector<SynthesisRow> rows(tasks.size());
  if (method == "lookup" || method == "nearest_label") {
    const net::CodeTable* table =
        method == "lookup" ? RolledOut(model, config.mode) : &model.training;
    if (table == nullptr) {
      Fail(
          "lookup needs codes that were rolled out with {} actions: run `rhumb model ground` first",
          net::NameOf(config.mode));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = TakeNearest(*table, problems[i]);
    return rows;
  }
  const steer::Steerer steerer(model, config.mode,
                               method == "default" ? config.steer : steer::PresetOptions(method));
  core::ThreadPool pool(job.threads);
  pool.ParallelFor(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t number, int) {
    if (job.should_stop()) return;
    const auto i = static_cast<std::size_t>(number);
    const Task& task = tasks[i];
    rows[i] = TakeAnswer(steerer.Solve(task.query, nullptr, task.seed, task.init.value_or(-1)));
  });
  return rows;
}

// The standard error of the expression's mean over a code's episodes; NaN for fewer than two.
double StandardError(const steer::QueryExpression& expression, const rollout::CodeRun& run,
                     std::size_t code) {
  const auto episodes = static_cast<std::size_t>(run.episodes);
  const auto width = static_cast<std::size_t>(run.objectives);
  std::vector<double> values;
  for (std::size_t job = code * episodes; job < (code + 1) * episodes; ++job) {
    if (run.diverged[job] != 0) continue;
    values.push_back(expression.Evaluate(std::span(run.values).subspan(job * width, width)));
  }
  const auto count = static_cast<double>(values.size());
  if (count < 2) return kUnknown;
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  for (const double value : values) squares += (value - sum / count) * (value - sum / count);
  return std::sqrt(squares / (count - 1) / count);
}

// Computes the row's errors from its realised values.
void MeasureErrors(const steer::Problem& problem, const rollout::CodeRun& run, std::size_t index,
                   SynthesisRow& row) {
  const std::vector<double>& means = row.realised.mean;
  row.success = (!row.status || *row.status == steer::Status::kSolved) &&
                problem.Reached(row.predicted) && !ExceedsABound(problem, row.predicted);
  row.violated = ExceedsABound(problem, means);
  row.met = problem.Reached(means) && !row.violated;
  row.noise = kUnknown;
  for (const steer::Goal& goal : problem.goals) {
    const double value = goal.expression.Evaluate(means);
    const double off = std::isfinite(value) ? std::abs(value - goal.value) : kInfinity;
    row.target_error = std::max(row.target_error, RelativeError(value, goal.value, goal.std));
    row.range_error = std::max(row.range_error, off / goal.range);
    const double by_chance = std::sqrt(2 / M_PI) * StandardError(goal.expression, run, index);
    if (std::isnan(by_chance)) continue;
    row.noise = std::fmax(row.noise, RelativeError(goal.value + by_chance, goal.value, goal.std));
  }
  for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
    if (problem.Excess(i, means) <= 0) continue;
    const steer::Bound& bound = problem.bounds[i];
    row.constraint_error =
        std::max(row.constraint_error,
                 RelativeError(bound.expression.Evaluate(means), bound.limit, bound.std));
  }
}

void FillSummary(SynthesisReport& report) {
  std::vector<double> target_errors;
  double noise = 0;
  int noisy = 0;
  for (const SynthesisRow& row : report.rows) {
    target_errors.push_back(row.target_error);
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
  for (double* sum : {&report.success, &report.violations, &report.met, &report.constraint_error,
                      &report.range_error}) {
    *sum /= static_cast<double>(report.rows.size());
  }
  report.target_error = Summarise(std::move(target_errors));
  report.noise = noisy > 0 ? noise / noisy : kUnknown;
}

}  // namespace

std::vector<std::string> ChooseMethods(const SynthesisConfig& config, const net::Model& model) {
  if (!config.methods.empty()) return config.methods;
  std::vector<std::string> methods = {"default", "paper", "naive", "lookup", "nearest_label"};
  if (RolledOut(model, config.mode) == nullptr) std::erase(methods, "lookup");
  return methods;
}

std::optional<SynthesisReport> MeasureSynthesis(
    const sim::Environment& environment, const net::Model& model, std::span<const Task> tasks,
    const std::string& method, const SynthesisConfig& config, const core::Job& job) {
  RHUMB_CHECK(!tasks.empty(), "there is no task");
  std::vector<steer::Problem> problems;
  for (const Task& task : tasks) {
    problems.push_back(steer::MakeProblem(task.query, model, nullptr));
  }
  SynthesisReport report;
  report.method = method;
  report.rows = PickCodes(model, tasks, problems, method, config, job);
  if (job.should_stop()) return std::nullopt;

  std::vector<float> codes;
  for (const SynthesisRow& row : report.rows) {
    codes.insert(codes.end(), row.code.begin(), row.code.end());
  }
  const std::optional<rollout::CodeRun> run =
      rollout::RollOutCodes(environment, model, codes,
                            {.mode = config.mode,
                             .episodes = config.rollouts,
                             .first_code = core::stream_key::kSynthesisCodes,
                             .batch = config.batch,
                             .label = fmt::format("roll out {}", method),
                             .job = job});
  if (!run) return std::nullopt;
  std::vector<Realised> realised = RealisedOf(*run);
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    report.rows[i].realised = std::move(realised[i]);
    MeasureErrors(problems[i], *run, i, report.rows[i]);
  }
  FillSummary(report);
  return report;
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

json ToJson(const SynthesisReport& report, std::span<const Task> tasks,
            const net::ModelDescription& model) {
  json rows = json::array();
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const SynthesisRow& row = report.rows[i];
    rows.push_back({{"task", ToJson(tasks[i])},
                    {"status", row.status ? json(steer::NameOf(*row.status)) : json(nullptr)},
                    {"code", row.code},
                    {"predicted", steer::ByName(row.predicted, model)},
                    {"realised", ToJson(row.realised, model)},
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
                   {"rows", std::move(rows)}};
  for (const SynthesisColumn& column : kColumns) document[column.key] = 100 * column.value(report);
  return document;
}

}  // namespace rhumb::eval
