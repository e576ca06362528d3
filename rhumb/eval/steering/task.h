// A behaviour-synthesis task: the query, and the training code that random-start methods begin
// from.
//
//   {"init": 17, "target": {"forward": 4500}, "require": ["energy>=-500"], "seed": 3,
//    "anchor": 20, "split": "held_out_weight"}
//
// Generated tasks are anchored at values that one policy reached together, so they are feasible.
// The target is the anchor's first objective. Each requirement is a lower bound slightly looser
// than the anchor; for attributes a random choice may make it an upper bound.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/data/dataset.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/query/query.h"

namespace rhumb::eval {

struct Task {
  std::optional<int> init;  // the training code that random starts begin from; empty: any code
  steer::Query query;       // one or more targets, and requirements
  std::uint64_t seed = 0;   // of random starts
  // The policy whose values made the task, by its number in the dataset, and its split. Empty if
  // unknown.
  std::optional<std::int64_t> anchor = {};
  std::string split = {};

  bool operator==(const Task&) const = default;
};

struct TaskConfig {
  int count = 200;
  std::string split = "held_out";
  int requirements = 0;
  std::vector<std::string> over = {};
  double least_target = 0.15;
  double loosening = 0.1;
  double front = 0;

  void Visit(core::FieldVisitor& v) {
    v("count", count, core::Range{1, 1e6}, "number of tasks");
    v("split", split,
      core::OneOf{"train", "held_out_checkpoint", "held_out_weight", "held_out", "hole"},
      "split of the policies that anchor the tasks; held_out means held_out_checkpoint and "
      "held_out_weight");
    v("requirements", requirements, core::Range{0, 1e3},
      "requirements per task, on the objectives after the first or those of `over`; 0 means all");
    v("over", over,
      "objectives and attributes with requirements, drawn for each task; empty means those after "
      "the first, in order");
    v("least_target", least_target, core::Range{0, 1, "of the objective's range"},
      "minimum distance of a target from 0, since errors are relative to the target");
    v("loosening", loosening, core::Range{0, 10, "label deviations"},
      "maximum slack of a requirement below the policy's own value");
    v("front", front, core::Range{0, 1},
      "share of the policies that anchor tasks: those nearest to the Pareto front, where "
      "requirements bind; 0 means all");
  }
};

// A policy that tasks are made from.
struct Anchor {
  std::vector<double> values;               // [K], means of the model's objectives
  std::optional<std::int64_t> policy = {};  // its number in the dataset
  std::string split = {};
};
using Anchors = std::vector<Anchor>;

// Anchors of the dataset's policies in the split, in dataset order. Throws an Error if the dataset
// does not fit the model or the split has no policies.
Anchors AnchorsOf(const data::Dataset& dataset, const std::string& split,
                  const net::ModelDescription& model);
// Anchors of the training policies, from the labels of the model's training codes. If the policies
// of the codes are unknown, each code is its own anchor.
Anchors TrainingAnchors(const net::Model& model);

// The share of the anchors nearest to the Pareto front, in their order; at least one. The distance
// is the largest amount, in label deviations, by which one other anchor or training policy is
// better in every objective of the environment that shaped the map. It is 0 on the front. Throws an
// Error if there is no such objective.
Anchors NearFront(const net::Model& model, const Anchors& anchors, double share);

// Task i is drawn from (seed, i) alone. Adding requirements extends a task without changing it, and
// attributes without a requirement change nothing. Environment objectives get lower bounds;
// attributes get lower or upper bounds, as drawn. Throws an Error if no anchor is far enough from
// 0, if there are too few objectives, or if `over` names an unknown one.
std::vector<Task> MakeTasks(const net::Model& model, const Anchors& anchors,
                            const TaskConfig& config, std::uint64_t seed);

// Reads one task per line and skips empty lines. `init`, `seed`, `anchor` and `split` are optional.
// Throws an Error that names file:line if a task does not fit the model: an unknown key or
// objective, no target, a wish or a change, or an unknown training code. A file without tasks is an
// Error too.
std::vector<Task> ReadTasks(const std::filesystem::path& file, const net::Model& model);

// Writes tasks in the format of ReadTasks, which reads equal tasks back.
void WriteTasks(const std::filesystem::path& file, std::span<const Task> tasks);
nlohmann::json ToJson(const Task& task);

}  // namespace rhumb::eval
