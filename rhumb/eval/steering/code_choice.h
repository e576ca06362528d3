// The code that a method chooses for a query: by steering, or from a table of known codes.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/job.h"
#include "rhumb/eval/steering/task.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::eval {

struct CodeChoice {
  std::optional<steer::Status> status;  // empty if the method does not steer
  std::vector<float> code;              // [H]
  std::vector<double> predicted;        // [K]; the table's values if the method does not steer
  // "steered", "started" (a start that no step moved), "mixed", "rolled_out", "training", "task" (a
  // mixed code), "encoded" (of a context) or "teacher", which has no code.
  std::string origin;
  std::vector<steer::Interval> interval = {};  // [K]; empty if the method gives none
  int iterations = 0;
  // Distance to the known codes, in their spacings; NaN if the method does not steer.
  double distance = std::numeric_limits<double>::quiet_NaN();
  double probability = std::numeric_limits<double>::quiet_NaN();  // steer::Answer::probability

  bool solved() const { return !status || *status == steer::Status::kSolved; }
};

// The first answer if steering solved the query or ran out of steps. Otherwise the nearest
// behaviour.
CodeChoice TakeAnswer(const steer::Result& result);

// The row with the smallest Problem::Miss; the first one on ties.
CodeChoice TakeNearest(const net::CodeTable& table, const steer::Problem& problem,
                       const std::string& origin);

// The codes that were rolled out in this mode; null if there are none.
const net::CodeTable* RolledOutCodes(const net::Model& model, net::RolloutMode mode);

constexpr const char* kTries = "tries";

// Steering options of a method: "default" and "tries" are `own`, "still" is `own` without descent,
// and any other name is a preset.
steer::SteerOptions SteeringOf(const std::string& method, const steer::SteerOptions& own);

struct SteeringMethod {
  std::string name;  // of SteeringOf
  net::RolloutMode mode = net::RolloutMode::kSampled;
  steer::SteerOptions steer;
  int tries = 0;  // codes that "tries" may roll out for each task
};

// Steers every task. Returns nothing if stopped.
std::optional<std::vector<CodeChoice>> ChooseBySteering(const sim::Environment& environment,
                                                        const net::Model& model,
                                                        std::span<const Task> tasks,
                                                        const SteeringMethod& method,
                                                        const core::Job& job);

}  // namespace rhumb::eval
