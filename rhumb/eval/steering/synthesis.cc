#include "rhumb/eval/steering/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/eval/steering/anchor_policies.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::eval {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// NaN exceeds every bound.
bool ExceedsABound(const steer::Problem& problem, std::span<const double> values) {
  for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
    if (!(problem.Excess(i, values) <= 0)) return true;
  }
  return false;
}

// Throws an Error if the method lacks what it needs.
void RequirePossible(const std::string& method, const SynthesisConfig& config,
                     const net::Model& model, const AnchorData& anchors) {
  if (method == "lookup" && RolledOutCodes(model, config.mode) == nullptr) {
    Fail("lookup needs codes that were rolled out with {} actions: run `rhumb model ground` first",
         net::NameOf(config.mode));
  }
  if (method == "teacher" && anchors.population == nullptr) {
    Fail("the method 'teacher' needs the population that the dataset was collected from");
  }
  if ((method == "teacher" && anchors.dataset == nullptr) ||
      (method == "imitate" && anchors.dataset == nullptr && anchors.codes.empty())) {
    Fail("the method '{}' needs the dataset that the tasks are anchored in", method);
  }
}

// The codes of the tasks' anchors [N, H].
std::vector<float> AnchorCodes(const net::Model& model, std::span<const Task> tasks,
                               const core::Job& job, const AnchorData& anchors) {
  if (anchors.dataset != nullptr) {
    return EncodeAnchors(model, *anchors.dataset, tasks, job.seed, job.threads);
  }
  const auto size = static_cast<std::size_t>(model.code_size());
  std::vector<float> codes;
  for (const Task& task : tasks) {
    RHUMB_CHECK(task.anchor && *task.anchor >= 0 &&
                    static_cast<std::size_t>(*task.anchor) < anchors.codes.size() / size,
                "a task has no anchor among {} codes", anchors.codes.size() / size);
    const std::span<const float> code =
        std::span(anchors.codes).subspan(static_cast<std::size_t>(*task.anchor) * size, size);
    codes.insert(codes.end(), code.begin(), code.end());
  }
  return codes;
}

std::vector<CodeChoice> ImitateAnchors(const net::Model& model, std::span<const Task> tasks,
                                       const SynthesisConfig& config, const core::Job& job,
                                       const AnchorData& anchors) {
  const std::vector<float> codes = AnchorCodes(model, tasks, job, anchors);
  const steer::Steerer steerer(model, config.mode, config.steer);
  const auto size = static_cast<std::size_t>(model.code_size());
  std::vector<CodeChoice> choices;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    steer::Answer answer = steerer.Assess(std::span(codes).subspan(i * size, size));
    CodeChoice& choice = choices.emplace_back();
    choice.code = std::move(answer.code);
    choice.predicted = std::move(answer.predicted);
    choice.origin = "encoded";
    choice.distance = answer.distance_to_data;
  }
  return choices;
}

// One code per task; the teachers have none. Returns nothing if stopped.
std::optional<std::vector<CodeChoice>> ChooseCodes(
    const sim::Environment& environment, const net::Model& model, std::span<const Task> tasks,
    std::span<const steer::Problem> problems, const std::string& method,
    const SynthesisConfig& config, const core::Job& job, const AnchorData& anchors) {
  if (method == "imitate") return ImitateAnchors(model, tasks, config, job, anchors);
  if (method == "teacher") {
    std::vector<CodeChoice> teachers(tasks.size());
    for (CodeChoice& teacher : teachers) teacher.origin = method;
    return teachers;
  }
  if (method != "lookup" && method != "nearest_label") {
    return ChooseBySteering(environment, model, tasks,
                            {method, config.mode, config.steer, config.tries}, job);
  }
  const net::CodeTable* table =
      method == "lookup" ? RolledOutCodes(model, config.mode) : &model.training;
  const steer::Origin origin =
      method == "lookup" ? steer::Origin::kRolledOut : steer::Origin::kTraining;
  std::vector<CodeChoice> choices;
  for (const steer::Problem& problem : problems) {
    choices.push_back(TakeNearest(*table, problem, std::string(steer::NameOf(origin))));
  }
  return choices;
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
  // Teachers have no prediction.
  row.success = !row.predicted.empty() && row.solved() && problem.Reached(row.predicted) &&
                !ExceedsABound(problem, row.predicted);
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

}  // namespace

std::vector<std::string> ChooseMethods(const SynthesisConfig& config, const net::Model& model,
                                       std::span<const Task> tasks, const AnchorData& anchors) {
  for (const std::string& method : config.methods) RequirePossible(method, config, model, anchors);
  if (!config.methods.empty()) return config.methods;
  std::vector<std::string> methods = {"default", "still",  "paper",
                                      "naive",   "lookup", "nearest_label"};
  if (RolledOutCodes(model, config.mode) == nullptr) {
    std::erase(methods, "lookup");
  }
  const bool anchored = std::all_of(tasks.begin(), tasks.end(),
                                    [](const Task& task) { return task.anchor.has_value(); });
  if (anchored && (anchors.dataset != nullptr || !anchors.codes.empty())) {
    methods.push_back("imitate");
    if (anchors.dataset != nullptr && anchors.population != nullptr) methods.push_back("teacher");
  }
  return methods;
}

std::optional<SynthesisReport> MeasureSynthesis(const sim::Environment& environment,
                                                const net::Model& model,
                                                std::span<const Task> tasks,
                                                const std::string& method,
                                                const SynthesisConfig& config, const core::Job& job,
                                                const AnchorData& anchors) {
  RHUMB_CHECK(!tasks.empty(), "there is no task");
  RequirePossible(method, config, model, anchors);
  std::vector<steer::Problem> problems;
  for (const Task& task : tasks) {
    problems.push_back(steer::MakeProblem(task.query, model, nullptr));
  }
  std::optional<std::vector<CodeChoice>> choices =
      ChooseCodes(environment, model, tasks, problems, method, config, job, anchors);
  if (!choices) return std::nullopt;
  SynthesisReport report;
  report.method = method;
  std::vector<float> codes;
  for (CodeChoice& choice : *choices) {
    codes.insert(codes.end(), choice.code.begin(), choice.code.end());
    static_cast<CodeChoice&>(report.rows.emplace_back()) = std::move(choice);
  }
  const std::optional<rollout::CodeRun> run =
      method == "teacher"
          ? PlayAnchors(environment, model, *anchors.dataset, *anchors.population, tasks,
                        {.episodes = config.rollouts,
                         .first_key = core::stream_key::kSynthesisCodes,
                         .job = job})
          : rollout::RollOutCodes(environment, model, codes,
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
  FillSummary(tasks, job.seed, report);
  return report;
}

}  // namespace rhumb::eval
