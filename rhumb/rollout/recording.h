// An episode written down while it is played, as a dataset keeps it: float32 rows, and returns that
// are summed in double before anything is rounded.
//
//   BeginRecording -> RecordAction for each of the actions, RecordStep -> ... until it has ended
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "rhumb/data/episode.h"
#include "rhumb/sim/batch.h"

namespace rhumb::rollout {

// Empties `episode`, whose memory is kept, and notes the state that the simulation is in.
void BeginRecording(const sim::Batch& batch, int simulation, data::Episode& episode);

// Notes action number `action` of the next step, drawn as `raw` around `mean`, and returns the
// control to apply: clipped to [-1, 1], scaled and rounded to float32. What is applied is what the
// file holds, so that a replay of the file repeats it.
double RecordAction(const sim::Environment& environment, std::size_t action, float raw, float mean,
                    data::Episode& episode);

// Notes what the step just made brought. `weights` [K] are those of the scalar reward, which is 0
// where there are none.
void RecordStep(const sim::Batch& batch, int simulation, std::span<const double> weights,
                data::Episode& episode);

// An objective that was no finite number in the step is an Error that names it, and who acted:
// "policy" 3.
void CheckObjectives(const sim::Environment& environment, const sim::StepOutcome& outcome,
                     std::string_view actor, int number);

}  // namespace rhumb::rollout
