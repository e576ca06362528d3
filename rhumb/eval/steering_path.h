// The paths of steering: what the heads promise and what the decoder does at the codes on the way.
//
//   query -> a start -> the paper's primal-dual descent, along the data ("projected") or freely
//   ("naive") -> iterates, evenly spaced -> predicted values, distance to the data, roll-outs
//
// Naive steps leave the data, where predictions drift away from what is realised.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/config.h"
#include "rhumb/core/job.h"
#include "rhumb/eval/task.h"
#include "rhumb/eval/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::eval {

struct PathConfig {
  std::string mode = "sampled";
  int points = 25;
  int rollouts = 4;
  int landscape = 2000;
  int batch = 16;

  void Visit(core::FieldVisitor& v) {
    v("mode", mode, core::OneOf{"sampled", "mean"}, "how the decoder acts");
    v("points", points, core::Range{2, 10'000},
      "iterates of a path that are rolled out, at most: evenly spaced, the first and the last "
      "among them");
    v("rollouts", rollouts, core::Range{1, 1000}, "episodes that each code plays");
    v("landscape", landscape, core::Range{1, 1e6},
      "training codes that are given beside the paths, at most");
    v("batch", batch, core::Range{1, 4096},
      "simulations in lock step per thread; changes the speed, not the numbers");
  }
};

struct PathPoint {
  int iteration = 0;
  std::vector<float> code;        // [H]
  std::vector<double> predicted;  // [K], by the heads that the descent follows
  double distance = 0;            // to the data, in spacings of the training codes
  Realised realised;
};

struct SteeringPath {
  std::string method;
  // Whether the best code of the descent meets the query by its prediction; if none does, whether
  // it still moved at the end.
  steer::Status status = steer::Status::kSolved;
  std::vector<PathPoint> points;
};

// The methods of a path: steering's presets "paper" and "naive", from one start.
struct PathMethod {
  const char* name;
  const char* preset;
};
constexpr PathMethod kPathMethods[] = {{"projected", "paper"}, {"naive", "naive"}};

// Three tasks in the spirit of the paper's figures: down to a high value of the first objective
// and down to a middling one from nearly the highest, and up to a very high one from a low one.
// Targets and bounds are labels of a training code, so that they are reached together: of the tenth
// of the codes around a quantile of the first objective the one that is middling in the others.
std::vector<Task> MakePathTasks(const net::Model& model);
// That, in words.
std::string DescribePathTasks(const net::Model& model);

// The training code that the task's paths start at; where it names none, the one that its seed
// draws.
int StartOf(const Task& task, const net::Model& model);

// A path without roll-outs, by the steerer's options: at most `points` iterates.
SteeringPath TracePath(const steer::Steerer& steerer, const Task& task, std::string method,
                       int points);

struct PathReport {
  PathConfig config;
  std::vector<int> starts;                       // [tasks]
  std::vector<std::vector<SteeringPath>> paths;  // [tasks], by method
  std::vector<int> landscape;                    // training codes, ascending, drawn by the seed
};

struct PathOptions {
  PathConfig config;
  core::Job job;
};

// Empty if stopped. The tasks are fit for the model, as those of ReadTasks are.
std::optional<PathReport> MeasurePaths(const sim::Environment& environment, const net::Model& model,
                                       std::span<const Task> tasks, const PathOptions& options);

// [K]: the mean distance of realised from predicted values along the path, over the points that
// gave numbers; NaN where none did.
std::vector<double> GapsOf(const SteeringPath& path);

// {"mode", "rollouts", "objectives": [{"name", "unit"}],
//  "landscape": {"codes": [[H]…], "labels": [[K]…]},
//  "queries": [{"text", "target": {…}, "require": […], "init", "seed", "start", "paths": [
//    {"method", "status", "gap": [K], "points": [
//      {"iteration", "code": [H], "predicted": [K], "realised": [K], "deviation": [K], "distance"}
//  ]}]}]}
// Numbers that are measured have 5 digits; one that there is none of is null.
nlohmann::json ToJson(const PathReport& report, std::span<const Task> tasks,
                      const net::Model& model);

}  // namespace rhumb::eval
