// Records an episode while it is played, in the form a dataset stores: float32 rows, and returns
// summed in double before rounding.
//
//   BeginRecording -> RecordAction for each action, RecordStep -> ... until the episode has ended
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "rhumb/data/episode.h"
#include "rhumb/sim/batch.h"

namespace rhumb::rollout {

// Clears `episode`, keeps its memory, and records the simulation's current state.
void BeginRecording(const sim::Batch& batch, int simulation, data::Episode& episode);

// Records action number `action` of the next step, drawn as `raw` around `mean`. Returns the
// control to apply: clipped to [-1, 1], scaled and rounded to float32. The applied control equals
// the stored one, so a replay of the file is exact.
double RecordAction(const sim::Environment& environment, std::size_t action, float raw, float mean,
                    data::Episode& episode);

// Records the result of the last step. `weights` [K] define the scalar reward, which is 0 if
// `weights` is empty.
void RecordStep(const sim::Batch& batch, int simulation, std::span<const double> weights,
                data::Episode& episode);

// Throws an Error if an objective was not finite in the step. The Error names the objective and the
// actor, for example "policy" 3.
void CheckObjectives(const sim::Environment& environment, const sim::StepOutcome& outcome,
                     std::string_view actor, int number);

}  // namespace rhumb::rollout
