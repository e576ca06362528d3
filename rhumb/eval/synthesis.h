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

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/core/process/job.h"
#include "rhumb/eval/imitation.h"
#include "rhumb/eval/task.h"
#include "rhumb/eval/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::eval {

struct SynthesisConfig {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  std::vector<std::string> methods = {};
  int rollouts = 4;
  int batch = 16;
  TaskConfig tasks;
  steer::SteerOptions steer;

  void Visit(core::FieldVisitor& v) {
    v("mode", mode, net::kRolloutModeNames,
      "whether the decoder samples its actions or takes their mean");
    v("methods", methods, core::OneOf{"default", "paper", "naive", "lookup", "nearest_label"},
      "methods that choose the codes: a steering preset, the rolled-out code with the best "
      "realised "
      "values (lookup), or the training code with the best label; empty means all available");
    v("rollouts", rollouts, core::Range{1, 1000}, "rollouts per code");
    v("batch", batch, core::Range{1, 4096},
      "simulations per thread in lock step; affects only the speed");
    v.Group("tasks", tasks);
    v.Group("steer", steer);  // for the method "default"
  }
};

// The result of one task.
struct SynthesisRow {
  std::optional<steer::Status> status;  // empty if the method does not steer
  std::vector<float> code;              // [H]
  std::vector<double> predicted;        // [K]; table methods report the table's values
  Realised realised;
  // True if the status is not infeasible, refused or out of steps, and the prediction meets the
  // task. It must meet every requirement and reach every target, within 1.25 % of its range or the
  // task's tolerance.
  bool success = false;
  bool violated = false;        // R exceeds a bound
  bool met = false;             // R reaches every target and exceeds no bound
  double target_error = 0;      // E_targ; +inf if no episode is usable
  double constraint_error = 0;  // E_cons; +inf if no episode is usable
  double range_error = 0;  // |R - v_g| / range of the training labels; +inf if no episode is usable
  // Expected E_targ of a code that is right on average. With s the standard deviation between the n
  // episodes, the mean absolute error of their mean is sqrt(2 / pi) s / sqrt(n). NaN for one
  // episode.
  double noise = 0;
};

struct SynthesisReport {
  std::string method;
  double success = 0;  // S; success, violations and met are shares of the tasks
  double violations = 0;
  double met = 0;
  ErrorSummary target_error;
  double constraint_error = 0;  // mean over the tasks, as are range_error and noise
  double range_error = 0;
  double noise = 0;                // NaN if no task has a noise value
  std::int64_t diverged = 0;       // rollouts
  std::vector<SynthesisRow> rows;  // by task
};

// A column of the table of methods; all numbers are shown in %.
struct SynthesisColumn {
  const char* key;  // in the document of ToJson
  const char* title;
  const char* meaning;
  bool higher_is_better;
  double (*value)(const SynthesisReport&);  // 1 is 100 %
};

// All columns, in table order.
std::span<const SynthesisColumn> SynthesisColumns();
// The columns for scripts: [{"key", "title", "meaning", "higher_is_better"}, …].
nlohmann::json DescribeSynthesisColumns();

// Returns the methods named by the config. If it names none, returns all methods, without lookup if
// the model is not grounded for the mode.
std::vector<std::string> ChooseMethods(const SynthesisConfig& config, const net::Model& model);

// Returns nothing if stopped. Needs at least one task, and every task must fit the model (ReadTasks
// checks this). Task i uses the same start states for every method, and none of those used for
// grounding. Throws an Error for a lookup without rollouts in this mode.
std::optional<SynthesisReport> MeasureSynthesis(
    const sim::Environment& environment, const net::Model& model, std::span<const Task> tasks,
    const std::string& method, const SynthesisConfig& config, const core::Job& job);

// {"method", the keys of all columns, "E_targ_q90", "diverged", "rows"}: all shares and errors in
// %. Missing values are written as null.
nlohmann::json ToJson(const SynthesisReport& report, std::span<const Task> tasks,
                      const net::ModelDescription& model);

}  // namespace rhumb::eval
