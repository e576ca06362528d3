// Which code takes over best? Robots have habits: a hopper that comes out of another gait may keep
// to a posture, or fall, where the same code from the start would not. So each code is simulated
// before one of them acts:
//
//   the robot's state -> the code takes over ------> S, values of the next steps
//   the spec's start  -> the code all along  ------> B, values of the same steps
//                     -> least sum_k ((S_k - B_k) / std_k)^2 over the shaping objectives
//
// The two runs of a code draw the same actions' noise, so what differs is where they come from.
// A code that falls sooner than it would have all along comes after those that do not. In long
// episodes, at most kTakeoverSteps before and after the change are played.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/job.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"

namespace rhumb::rollout {

constexpr int kTakeoverSteps = 1000;

// One change of the code.
struct TakeoverTrial {
  std::vector<float> acting;              // [H], at the last step; part of a blend, maybe
  std::vector<double> state;              // now: sim::Batch::SaveState
  std::vector<std::vector<float>> codes;  // that may take over, at least one, the favourite first
};

struct TakeoverOptions {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  std::int64_t step = 0;  // of the episode, now
  int steps = 0;          // that the code is to act; 0: the rest of the episode
  int blend_steps = 0;    // as in CodeChange
  int first_code = 0;     // key of the first trial's first code
  int batch = 16;
  std::string label = "try";  // of the progress bar
  core::Job job;
};

// Returns the place in `codes` of each trial's best; 0 if no other is better, or if the episode is
// over. Returns nothing if stopped.
std::optional<std::vector<std::size_t>> ChooseTakeovers(const sim::Environment& environment,
                                                        const net::Model& model,
                                                        std::span<const TakeoverTrial> trials,
                                                        const TakeoverOptions& options);

}  // namespace rhumb::rollout
