#include "rhumb/eval/steering/steering_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/math/shuffle.h"
#include "rhumb/eval/figure_data.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/query/query.h"
#include "rhumb/steer/search.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

// Digits of generated targets and bounds, for readability.
constexpr int kTaskDigits = 3;

// Quantiles of the first objective over the training codes.
struct PathPlan {
  double anchor = 0;  // the target lies near this quantile
  double start = 0;
};
// The paper goes from about 8000, 2000 and 8000 (maximum 8000) to 6000, 7000 and 4500.
constexpr PathPlan kPlans[] = {{0.75, 0.99}, {0.95, 0.05}, {0.25, 0.99}};
// Half the width of the tenth around a quantile.
constexpr double kAround = 0.05;

std::size_t RankOf(double quantile, std::size_t count) {
  return static_cast<std::size_t>(std::lround(quantile * static_cast<double>(count - 1)));
}

// Indices of the codes ordered by `score`; ties keep the table's order.
template <class Score>
void SortBy(std::vector<int>& codes, const Score& score) {
  std::stable_sort(codes.begin(), codes.end(), [&](int a, int b) { return score(a) < score(b); });
}

// The iterates of a descent, [iterations + 1, H], and its final status.
struct Trace {
  std::vector<float> codes;
  steer::Status status = steer::Status::kSolved;
};

// `prepared.options` start at random, where a search begins at the given training code.
Trace Descend(const steer::PreparedModel& prepared, const steer::Problem& problem, int start) {
  const auto width = static_cast<std::size_t>(prepared.model.code_size());
  Trace trace;
  // Codes are float; a value beyond its range ends the trace.
  bool finite = true;
  const auto record = [&](int, std::span<const int>, const double* points, const double*) {
    finite = finite && std::all_of(points, points + width, [](double number) {
               return std::isfinite(static_cast<float>(number));
             });
    if (finite) trace.codes.insert(trace.codes.end(), points, points + width);
  };
  const steer::PrimalDual::Observer observer(record);
  steer::Search search(prepared, &observer);
  const steer::SteerOptions& options = prepared.options;
  const std::vector<steer::Candidate> found =
      search.Run(problem, {1, options.iterations, options.max_distance, options.margin},
                 {.first_start = start});
  if (!found.front().satisfies) {
    trace.status = search.ran_out() ? steer::Status::kIterationLimit : steer::Status::kInfeasible;
  }
  return trace;
}

// At most `count` of the numbers 0 to `last`, evenly spaced, including both ends.
std::vector<int> SpreadEvenly(int last, int count) {
  std::vector<int> chosen;
  const int gaps = std::min(count - 1, last);
  for (int i = 0; i < gaps; ++i) {
    chosen.push_back(static_cast<int>(std::lround(static_cast<double>(i) * last / gaps)));
  }
  chosen.push_back(last);
  return chosen;
}

// Returns the indices in ascending order.
std::vector<int> DrawLandscape(int codes, int count, std::uint64_t seed) {
  std::vector<int> drawn(static_cast<std::size_t>(codes));
  std::iota(drawn.begin(), drawn.end(), 0);
  core::Stream noise(seed, core::Purpose::kLandscape);
  core::Shuffle(std::span(drawn), noise);
  drawn.resize(static_cast<std::size_t>(std::min(codes, count)));
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

json ToJson(const SteeringPath& path) {
  json points = json::array();
  for (const PathPoint& point : path.points) {
    points.push_back({{"iteration", point.iteration},
                      {"code", RoundedList(point.code)},
                      {"predicted", RoundedList(point.predicted)},
                      {"realised", RoundedList(point.realised.mean)},
                      {"deviation", RoundedList(point.realised.std)},
                      {"distance", RoundTo(point.distance, 5)}});
  }
  return {{"method", path.method},
          {"status", steer::NameOf(path.status)},
          {"gap", RoundedList(GapsOf(path))},
          {"points", std::move(points)}};
}

}  // namespace

std::vector<Task> MakePathTasks(const net::Model& model) {
  const std::vector<net::ModelObjective>& objectives = model.description.objectives;
  const net::CodeTable& training = model.training;
  RHUMB_CHECK(training.count() > 0 && training.objectives > 0, "{} training codes of {} objectives",
              training.count(), training.objectives);
  const auto count = static_cast<std::size_t>(training.count());
  const auto label = [&](int code, std::size_t k) { return double{training.values_of(code)[k]}; };
  // Added attributes have no preferred direction, so no bound applies to them.
  const auto is_own = [&](std::size_t k) { return objectives[k].expression.empty(); };
  const auto merit = [&](int code) {
    double sum = 0;
    for (std::size_t k = 1; k < objectives.size(); ++k) {
      if (is_own(k)) sum += label(code, k) / objectives[k].std;
    }
    return sum;
  };
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  SortBy(order, [&](int code) { return label(code, 0); });

  std::vector<Task> tasks;
  for (const PathPlan& plan : kPlans) {
    const auto rank = static_cast<std::ptrdiff_t>(RankOf(plan.anchor, count));
    const auto reach = static_cast<std::ptrdiff_t>(kAround * static_cast<double>(count));
    const auto end = std::min(rank + reach + 1, static_cast<std::ptrdiff_t>(count));
    std::vector<int> around(order.begin() + std::max<std::ptrdiff_t>(0, rank - reach),
                            order.begin() + end);
    SortBy(around, merit);
    const int anchor = around[around.size() / 2];
    Task& task = tasks.emplace_back();
    task.init = order[RankOf(plan.start, count)];
    task.query.AddTarget(objectives[0].name, RoundTo(label(anchor, 0), kTaskDigits));
    for (std::size_t k = 1; k < objectives.size(); ++k) {
      if (!is_own(k)) continue;
      task.query.AtLeast(objectives[k].name, RoundTo(label(anchor, k), kTaskDigits));
    }
  }
  return tasks;
}

std::string DescribePathTasks(const net::Model& model) {
  std::string words = "queries at labels of training codes";
  for (const PathPlan& plan : kPlans) {
    words +=
        fmt::format("{} around the quantile {} of {} from one at {}", &plan == kPlans ? ":" : ",",
                    plan.anchor, model.description.objectives.front().name, plan.start);
  }
  return words;
}

int StartOf(const Task& task, const net::Model& model) {
  if (task.init) return *task.init;
  core::Stream noise(task.seed, core::Purpose::kSteering);
  return static_cast<int>(noise.Below(static_cast<std::uint32_t>(model.training.count())));
}

SteeringPath TracePath(const steer::Steerer& steerer, const Task& task, std::string method,
                       int points) {
  const steer::PreparedModel& prepared = steerer.prepared();
  const net::Model& model = steerer.model();
  const Trace trace =
      Descend(prepared, steer::MakeProblem(task.query, model, nullptr), StartOf(task, model));

  SteeringPath path;
  path.method = std::move(method);
  path.status = trace.status;
  const auto width = static_cast<std::size_t>(model.code_size());
  const auto last = static_cast<int>(trace.codes.size() / width) - 1;
  for (const int iteration : SpreadEvenly(last, points)) {
    const auto code =
        std::span(trace.codes).subspan(static_cast<std::size_t>(iteration) * width, width);
    PathPoint& point = path.points.emplace_back();
    point.iteration = iteration;
    point.code.assign(code.begin(), code.end());
    point.predicted = prepared.forecaster.Predict(code).front().values;
    point.distance =
        prepared.manifold.DistanceToData(std::vector<double>(code.begin(), code.end()));
  }
  return path;
}

std::optional<PathReport> MeasurePaths(const sim::Environment& environment, const net::Model& model,
                                       std::span<const Task> tasks, const PathConfig& config,
                                       const core::Job& job) {
  PathReport report;
  report.config = config;
  report.landscape = DrawLandscape(model.training.count(), config.landscape, job.seed);
  // Uses the heads fitted to the labels, in every mode.
  std::deque<steer::Steerer> steerers;  // by method
  for (const PathMethod& method : kPathMethods) {
    steerers.emplace_back(model, net::RolloutMode::kSampled, steer::PresetOptions(method.preset));
  }
  std::vector<float> codes;
  for (const Task& task : tasks) {
    report.starts.push_back(StartOf(task, model));
    std::vector<SteeringPath>& paths = report.paths.emplace_back();
    for (std::size_t i = 0; i < steerers.size(); ++i) {
      if (job.should_stop()) return std::nullopt;
      paths.push_back(TracePath(steerers[i], task, kPathMethods[i].name, config.points));
      for (const PathPoint& point : paths.back().points) {
        codes.insert(codes.end(), point.code.begin(), point.code.end());
      }
    }
  }
  std::optional<std::vector<Realised>> realised =
      Verify(environment, model, codes,
             {.mode = config.mode,
              .episodes = config.rollouts,
              .first_code = core::stream_key::kPathCodes,
              .batch = config.batch,
              .job = job});
  if (!realised) return std::nullopt;
  std::size_t next = 0;
  for (std::vector<SteeringPath>& paths : report.paths) {
    for (SteeringPath& path : paths) {
      for (PathPoint& point : path.points) point.realised = std::move((*realised)[next++]);
    }
  }
  return report;
}

std::vector<double> GapsOf(const SteeringPath& path) {
  std::vector<double> gaps(path.points.front().predicted.size(),
                           std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    double sum = 0;
    int count = 0;
    for (const PathPoint& point : path.points) {
      const double gap = std::abs(point.realised.mean[k] - point.predicted[k]);
      if (std::isnan(gap)) continue;
      sum += gap;
      ++count;
    }
    if (count > 0) gaps[k] = sum / count;
  }
  return gaps;
}

json ToJson(const PathReport& report, std::span<const Task> tasks, const net::Model& model) {
  const net::CodeTable& training = model.training;
  json codes = json::array(), labels = json::array();
  for (const int code : report.landscape) {
    codes.push_back(RoundedList(training.code(code)));
    labels.push_back(RoundedList(training.values_of(code)));
  }
  json queries = json::array();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    json& query = queries.emplace_back(eval::ToJson(tasks[i]));
    query["text"] = steer::Describe(tasks[i].query);
    if (!query.contains("require")) query["require"] = json::array();
    query["start"] = report.starts[i];
    query["paths"] = json::array();
    for (const SteeringPath& path : report.paths[i]) query["paths"].push_back(ToJson(path));
  }
  return {{"mode", net::NameOf(report.config.mode)},
          {"rollouts", report.config.rollouts},
          {"objectives", ObjectivesOf(model.description)},
          {"landscape", {{"codes", std::move(codes)}, {"labels", std::move(labels)}}},
          {"queries", std::move(queries)}};
}

}  // namespace rhumb::eval
