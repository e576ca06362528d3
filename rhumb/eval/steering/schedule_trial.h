// Tries the answers of a schedule where they take over: each line gets the answer that
// rollout::ChooseTakeovers chooses.
#pragma once

#include <optional>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/schedule.h"

namespace rhumb::eval {

// The schedule's changes, as roll-outs take them.
std::vector<rollout::CodeChange> ChangesOf(const std::vector<steer::ScheduledCode>& schedule);

// Plays the schedule up to each line as episode 0 of `run` would, and tries the line's answers
// there until the next line takes over. `run` gives mode, keys, steps and job. Returns the number
// of lines where another answer than the best takes over, or nothing if stopped. Lines that the
// robot does not reach keep the best.
std::optional<int> TrySchedule(const sim::Environment& environment, const net::Model& model,
                               const rollout::CodeRunOptions& run,
                               std::vector<steer::ScheduledCode>& schedule);

}  // namespace rhumb::eval
