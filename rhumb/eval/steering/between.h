// Between tasks: does steering find behaviours that the decoder has between the strands of the
// population?
//
//   tasks of between_task.h -> one code per task and method -> fresh rollouts of each code, mean R
//   -> shares over all tasks, with intervals by a bootstrap clustered by the pair's policies
//
//   miss      max over shaping objectives of |R_k - v_k| / r_k
//   false no  steering does not call the task solved, although the task's own code does it
//   met       solved, and the miss is at most 2.5 %
//   promised and missed   solved, and not met
//
// The rollouts here use keys that neither grounding nor the making of the tasks used. Every method
// plays task i with the same keys, so comparisons are paired.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/core/process/job.h"
#include "rhumb/eval/clustered_bootstrap.h"
#include "rhumb/eval/map/imitation.h"
#include "rhumb/eval/steering/between_task.h"
#include "rhumb/eval/steering/code_choice.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::eval {

constexpr double kMetMiss = 0.025;  // largest miss of a met task, as a share of the range

struct BetweenConfig {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  std::vector<std::string> methods = {"default", "still"};
  int tasks = 150;
  int draws = 0;
  int task_episodes = 4;
  int episodes = 8;
  int batch = 16;
  int tries = 8;
  steer::SteerOptions steer;

  void Visit(core::FieldVisitor& v) {
    v("mode", mode, net::kRolloutModeNames,
      "whether the decoder samples its actions or takes their mean");
    v("methods", methods, core::OneOf{"default", "still", "tries", "paper", "naive"},
      "steering methods to compare; still is default without descent, and tries may try "
      "candidates in simulation");
    v("tasks", tasks, core::Range{1, 1e5}, "number of tasks");
    v("draws", draws, core::Range{0, 1e6},
      "maximum number of mixed codes rolled out to find the tasks; 0 means 20 per task");
    v("task_episodes", task_episodes, core::Range{2, 1000}, "rollouts per mixed code");
    v("episodes", episodes, core::Range{1, 1000}, "fresh rollouts per answer");
    v("batch", batch, core::Range{1, 4096},
      "simulations per thread in lock step; affects only the speed");
    v("tries", tries, core::Range{1, 1000}, "codes that the method tries may roll out per task");
    v.Group("steer", steer);  // for the methods "default", "still" and "tries"
  }
};

// The result of one task.
struct BetweenRow {
  CodeChoice choice;
  Realised realised;
  double miss = 0;  // +inf if no episode is usable
  bool met = false;
};

struct BetweenReport {
  // A method of the config; "lookup", the rolled-out code whose realised values are nearest; or
  // "own_code", the mixed code itself, whose result shows the noise.
  std::string method;
  // Shares of the tasks. The optional ones are empty for methods that do not steer.
  std::optional<MeanEstimate> false_noes, promised_and_missed;
  MeanEstimate met;
  ErrorSummary miss;  // over all tasks; for a false no, of the nearest behaviour offered
  std::map<std::string, int> origins;  // of the codes of solved tasks
  double distance = 0;  // mean distance to the data of solved tasks, in spacings; NaN without any
  std::int64_t diverged = 0;  // rollouts
  std::vector<BetweenRow> rows;
};

// Paired comparison of two methods.
struct BetweenComparison {
  std::string method, other;
  PairedDifference met;
  PairedDifference nearer;  // share of the tasks with the smaller miss, of either method
};

struct BetweenMeasurement {
  BetweenTasks tasks;
  int clusters = 0;                            // distinct pairs of policies
  std::vector<BetweenReport> reports;          // the config's methods, lookup if possible, own_code
  std::vector<BetweenComparison> comparisons;  // the first method against every other
};

// Returns nothing if stopped. Throws an Error if no task can be made.
std::optional<BetweenMeasurement> MeasureBetween(const sim::Environment& environment,
                                                 const net::Model& model,
                                                 const BetweenConfig& config, const core::Job& job);

// {"tasks", "methods", "compared"}: shares and misses in %. Missing values are written as null.
nlohmann::json ToJson(const BetweenMeasurement& measurement, const net::ModelDescription& model);

}  // namespace rhumb::eval
