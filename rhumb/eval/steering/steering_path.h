// Steering paths: predicted and realised values at the codes along the way.
//
//   query -> a start -> the paper's primal-dual descent, along the data ("projected") or freely
//   ("naive") -> evenly spaced iterates -> predicted values, distance to the data, rollouts
//
// Naive steps leave the data, and there the predictions drift away from the realised values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/core/process/job.h"
#include "rhumb/eval/steering/task.h"
#include "rhumb/eval/steering/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::eval {

struct PathConfig {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  int points = 25;
  int rollouts = 4;
  int landscape = 2000;
  int batch = 16;

  void Visit(core::FieldVisitor& v) {
    v("mode", mode, net::kRolloutModeNames,
      "whether the decoder samples its actions or takes their mean");
    v("points", points, core::Range{2, 10'000},
      "maximum number of rolled-out iterates per path, evenly spaced, with both ends");
    v("rollouts", rollouts, core::Range{1, 1000}, "rollouts per code");
    v("landscape", landscape, core::Range{1, 1e6},
      "maximum number of training codes shown with the paths");
    v("batch", batch, core::Range{1, 4096},
      "simulations per thread in lock step; affects only the speed");
  }
};

struct PathPoint {
  int iteration = 0;
  std::vector<float> code;        // [H]
  std::vector<double> predicted;  // [K], by the forecast that the descent uses
  double distance = 0;            // to the data, in spacings of the training codes
  Realised realised;
};

struct SteeringPath {
  std::string method;
  // Whether the prediction at the descent's best code meets the query. If not, whether the descent
  // was still moving at the end.
  steer::Status status = steer::Status::kSolved;
  std::vector<PathPoint> points;
};

// The methods of a path: steering's presets "paper" and "naive", both from the same start.
struct PathMethod {
  const char* name;
  const char* preset;
};
constexpr PathMethod kPathMethods[] = {{"projected", "paper"}, {"naive", "naive"}};

// Three tasks modelled on the paper's figures. Two start near the highest value of the first
// objective and go down, to a high and to a medium value. The third starts low and goes up to a
// very high value. Targets and bounds are the labels of one training code, so they are feasible
// together. That code comes from the tenth of the codes around a quantile of the first objective;
// it is the one with medium values in the others.
std::vector<Task> MakePathTasks(const net::Model& model);
// Describes the tasks of MakePathTasks in words.
std::string DescribePathTasks(const net::Model& model);

// The training code at which the task's paths start. If the task names none, its seed draws one.
int StartOf(const Task& task, const net::Model& model);

// A path without rollouts, with the steerer's options and at most `points` iterates.
SteeringPath TracePath(const steer::Steerer& steerer, const Task& task, std::string method,
                       int points);

struct PathReport {
  PathConfig config;
  std::vector<int> starts;                       // [tasks]
  std::vector<std::vector<SteeringPath>> paths;  // [tasks], by method
  std::vector<int> landscape;                    // training codes, ascending, drawn with the seed
};

// Returns nothing if stopped. The tasks must fit the model; ReadTasks checks this.
std::optional<PathReport> MeasurePaths(const sim::Environment& environment, const net::Model& model,
                                       std::span<const Task> tasks, const PathConfig& config,
                                       const core::Job& job);

// [K]: mean distance between realised and predicted values along the path, over the points with
// usable episodes. NaN if no point has any.
std::vector<double> GapsOf(const SteeringPath& path);

// {"mode", "rollouts", "objectives": [{"name", "unit"}],
//  "landscape": {"codes": [[H]…], "labels": [[K]…]},
//  "queries": [{"text", "target": {…}, "require": […], "init", "seed", "start", "paths": [
//    {"method", "status", "gap": [K], "points": [
//      {"iteration", "code": [H], "predicted": [K], "realised": [K], "deviation": [K], "distance"}
//  ]}]}]}
// Measured numbers have 5 digits. Missing values are written as null.
nlohmann::json ToJson(const PathReport& report, std::span<const Task> tasks,
                      const net::Model& model);

}  // namespace rhumb::eval
