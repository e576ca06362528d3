// Behaviour synthesis: how near to what is asked for the codes come that a method picks.
//
//   tasks -> a code for each, and what the method expects of it -> all rolled out, a few episodes
//   each, R their mean -> errors, over all tasks
//
//   E_targ = |R - v_g| / max(|v_g|, 0.1 s)           v_g: the target
//   E_cons = max(0, v_c - R) / max(|v_c|, 0.1 s)     v_c: a lower bound; R - v_c of an upper one
//
// s: the quantity's deviation over the training labels; of several targets or bounds the worst
// counts. A task that steering calls infeasible or refuses counts with the nearest code it knows.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/config.h"
#include "rhumb/core/job.h"
#include "rhumb/eval/imitation.h"
#include "rhumb/eval/task.h"
#include "rhumb/eval/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::eval {

struct SynthesisConfig {
  std::string mode = "sampled";
  std::vector<std::string> methods = {};
  int rollouts = 4;
  int batch = 16;
  TaskConfig tasks;
  steer::SteerOptions steer;

  void Visit(core::FieldVisitor& v) {
    v("mode", mode, core::OneOf{"sampled", "mean"}, "how the decoder acts");
    v("methods", methods, core::OneOf{"default", "paper", "naive", "lookup", "nearest_label"},
      "who picks the codes: presets of steering; the rolled-out code whose realised values match "
      "best; the training code whose label does. Empty: all that the model has what they need of");
    v("rollouts", rollouts, core::Range{1, 1000}, "episodes that each code plays");
    v("batch", batch, core::Range{1, 4096},
      "simulations in lock step per thread; changes the speed, not the numbers");
    v.Group("tasks", tasks);
    v.Group("steer", steer);  // of the method "default"
  }
};

// What came of one task.
struct SynthesisRow {
  std::optional<steer::Status> status;  // none where nothing was steered
  std::vector<float> code;              // [H]
  std::vector<double> predicted;        // [K]; of a code in a table, what the table says
  Realised realised;
  // Not infeasible, refused or out of steps; and by the prediction every target is reached, within
  // 1.25 % of its range or as the task says, and every requirement met.
  bool success = false;
  bool violated = false;        // R exceeds a bound
  bool met = false;             // R reaches every target and exceeds no bound
  double target_error = 0;      // E_targ; infinite where no episode gave a number
  double constraint_error = 0;  // E_cons; likewise
  double range_error = 0;       // |R - v_g| over the range of the training labels; likewise
  // E_targ of a code that is right on average: with s the deviation between the n episodes,
  // sqrt(2 / pi) s / sqrt(n) is the mean size of the error of a mean that is off by chance alone.
  // NaN of one episode.
  double noise = 0;
};

struct SynthesisReport {
  std::string method;
  double success = 0;  // S; this and the next ones are shares of the tasks
  double violations = 0;
  double met = 0;
  ErrorSummary target_error;
  double constraint_error = 0;  // means over the tasks
  double range_error = 0;
  double noise = 0;                // NaN where no task has any
  std::int64_t diverged = 0;       // roll-outs
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

// In the order of the table.
std::span<const SynthesisColumn> SynthesisColumns();
// The same for scripts: [{"key", "title", "meaning", "higher_is_better"}, …].
nlohmann::json DescribeSynthesisColumns();

struct SynthesisOptions {
  SynthesisConfig config;
  core::Job job;
};

// Those of the config; where it names none, all but a lookup in a model that was not grounded for
// the mode.
std::vector<std::string> ChooseMethods(const SynthesisConfig& config, const net::Model& model);

// Empty if stopped. The tasks are at least one, each fit for the model (as those of
// ReadTasks are). Task i plays the same starts whatever the method, and none that the model was
// grounded with. A lookup without roll-outs in this mode is an Error.
std::optional<SynthesisReport> MeasureSynthesis(const sim::Environment& environment,
                                                const net::Model& model,
                                                std::span<const Task> tasks,
                                                const std::string& method,
                                                const SynthesisOptions& options);

// {"method", the keys of all columns, "E_targ_q90", "diverged", "rows"}: all shares and errors in
// %. Missing values are written as null.
nlohmann::json ToJson(const SynthesisReport& report, std::span<const Task> tasks,
                      const net::ModelDescription& model);

}  // namespace rhumb::eval
