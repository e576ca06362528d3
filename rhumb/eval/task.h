// Tasks of behaviour synthesis: what is asked for, and where steering starts that starts anywhere.
//
//   {"init": 17, "target": {"forward": 4500}, "require": ["energy>=-500"], "seed": 3}
//
// Those that are made here are anchored at values that one policy reached together, so that they
// can be met: the first objective is brought to its value, others must be at least theirs (an
// attribute, by chance, at most), a little loosened.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/config.h"
#include "rhumb/data/dataset.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/query.h"

namespace rhumb::eval {

struct Task {
  std::optional<int> init;  // the training code that random starts begin with; none: any
  steer::Query query;       // at least one target, and requirements
  std::uint64_t seed = 0;   // of random starts

  bool operator==(const Task&) const = default;
};

struct TaskConfig {
  int count = 200;
  std::string split = "held_out";
  int requirements = 0;
  std::vector<std::string> over = {};
  double least_target = 0.15;
  double loosening = 0.1;

  void Visit(core::FieldVisitor& v) {
    v("count", count, core::Range{1, 1e6}, "tasks that are made");
    v("split", split,
      core::OneOf{"train", "held_out_checkpoint", "held_out_weight", "held_out", "hole"},
      "whose policies of the dataset they are anchored at; held_out is held_out_checkpoint and "
      "held_out_weight");
    v("requirements", requirements, core::Range{0, 1e3},
      "of a task, so many, on the objectives after the first or those of `over`; 0: on all of "
      "them");
    v("over", over,
      "the objectives and attributes that requirements are on, drawn for each task; empty: those "
      "after the first, in order");
    v("least_target", least_target, core::Range{0, 1, "of the objective's range"},
      "what a target is at least away from 0, since errors are relative to it");
    v("loosening", loosening, core::Range{0, 10, "label deviations"},
      "by which requirements are at most weaker than what the policy reached");
  }
};

// What policies reached on average, the values of the model's objectives: [policies][K].
using Anchors = std::vector<std::vector<double>>;

// Of the dataset's policies in the split, in their order. A dataset that does not fit the model and
// a split without a policy are Errors.
Anchors AnchorsOf(const data::Dataset& dataset, const std::string& split,
                  const net::ModelDescription& model);
// Of those that the model was trained on, by the labels of its training codes; of each code by
// itself where it is not known whose it is.
Anchors TrainingAnchors(const net::Model& model);

// Task i is drawn from (seed, i) alone: with more requirements it is the same and has some more,
// and attributes that no requirement is on change nothing. What is an objective of the environment
// is required to be at least its anchor; an attribute at least or at most, as drawn. An Error where
// no anchor is far enough from 0, there are too few objectives, or `over` names what is none of
// them.
std::vector<Task> MakeTasks(const net::Model& model, const Anchors& anchors,
                            const TaskConfig& config, std::uint64_t seed);

// A task a line; empty lines do not count. `init` and `seed` may be absent. What is no task for the
// model (another key, an unknown objective, no target, a wish or a change, a training code that it
// does not have) is an Error that names file:line, and so is a file without any.
std::vector<Task> ReadTasks(const std::filesystem::path& file, const net::Model& model);

// What ReadTasks reads back to equal tasks.
void WriteTasks(const std::filesystem::path& file, std::span<const Task> tasks);
nlohmann::json ToJson(const Task& task);

}  // namespace rhumb::eval
