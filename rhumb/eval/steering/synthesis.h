// Behaviour synthesis: how closely each method's codes meet the query.
//
//   tasks -> one code per task and its predicted values -> a few rollouts of each code, with mean R
//   -> errors over all tasks
//
//   E_targ = |R - v_g| / max(|v_g|, 0.1 s)           v_g: the target
//   E_cons = max(0, v_c - R) / max(|v_c|, 0.1 s)     v_c: a lower bound; R - v_c for an upper one
//
// s is the quantity's standard deviation over the training labels. With several targets or bounds,
// the worst one counts. If steering reports a task as infeasible or refused, the nearest known code
// is scored.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/core/process/job.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/steering/synthesis_report.h"
#include "rhumb/eval/steering/task.h"
#include "rhumb/net/model.h"
#include "rhumb/population/population_reader.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::eval {

struct SynthesisConfig {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  std::vector<std::string> methods = {};
  int rollouts = 4;
  int batch = 16;
  int tries = 12;
  TaskConfig tasks;
  steer::SteerOptions steer;

  void Visit(core::FieldVisitor& v) {
    v("mode", mode, net::kRolloutModeNames,
      "whether the decoder samples its actions or takes their mean");
    v("methods", methods,
      core::OneOf{"default", "still", "tries", "paper", "naive", "lookup", "nearest_label",
                  "imitate", "teacher"},
      "methods that choose the codes: a steering preset, default without descent (still), with "
      "candidates tried in simulation (tries), the "
      "rolled-out code with the best realised values (lookup), the training code with the best "
      "label, the code of the anchor's context (imitate), or the anchor itself (teacher); empty "
      "means all available");
    v("rollouts", rollouts, core::Range{1, 1000}, "rollouts per code");
    v("batch", batch, core::Range{1, 4096},
      "simulations per thread in lock step; affects only the speed");
    v("tries", tries, core::Range{1, 1000}, "codes that the method tries may roll out per task");
    v.Group("tasks", tasks);
    v.Group("steer", steer);  // for the method "default"
  }
};

// Where the tasks' anchors come from; each may be missing.
struct AnchorData {
  const data::Dataset* dataset = nullptr;                    // for "imitate" and "teacher"
  const population::PopulationReader* population = nullptr;  // of the dataset, for "teacher"
  std::vector<float> codes;  // [P, H], by the anchors' numbers; for "imitate" without a dataset
};

// Returns the methods named by the config. If it names none, returns all that are possible: lookup
// if the model is grounded for the mode; imitate with a dataset or codes, and teacher with a
// population too, if every task names its anchor. Throws an Error for a named method that is not
// possible.
std::vector<std::string> ChooseMethods(const SynthesisConfig& config, const net::Model& model,
                                       std::span<const Task> tasks = {},
                                       const AnchorData& anchors = {});

// Returns nothing if stopped. Needs at least one task, and every task must fit the model (ReadTasks
// checks this). Task i uses the same start states for every method, and none of those used for
// grounding. Throws an Error for a method that is not possible.
std::optional<SynthesisReport> MeasureSynthesis(const sim::Environment& environment,
                                                const net::Model& model,
                                                std::span<const Task> tasks,
                                                const std::string& method,
                                                const SynthesisConfig& config, const core::Job& job,
                                                const AnchorData& anchors = {});

}  // namespace rhumb::eval
