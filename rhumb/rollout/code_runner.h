// Rolls out codes: the decoder acts in the simulation, for many codes and episodes at once.
//
//   codes [N, H] -> (code, episode) pairs over the workers -> each worker's batch of simulations
//                -> values [N, E, K] of the model's objectives, attributes included
//
// Episode e of code i starts from the noise keyed (seed, first_code + i, e) and draws actions from
// (seed, i, e, step). The numbers therefore depend neither on threads nor on the other rollouts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/job.h"
#include "rhumb/data/episode.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"

namespace rhumb::rollout {

// The environment stored in a model. Throws an Error if there is none, or if sizes, action ranges
// or objectives do not fit the model.
sim::Environment MakeEnvironment(const net::Model& model);

// A code that takes over in the midst of an episode.
struct CodeChange {
  std::int64_t step = 0;    // of the first action that it changes
  std::vector<float> code;  // [H]
  int blend_steps = 0;      // actions until it is reached; 0: at once. See net::CodeBlend
};

struct CodeRunOptions {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  int episodes = 1;    // E
  int first_code = 0;  // key of the first code, for a part of a longer list
  int steps = 0;       // maximum episode length; 0: the environment's time limit
  int batch = 16;      // simulations in lock step per worker; affects only speed
  // [N] or empty: the changes of each code while it acts, with ascending steps.
  std::vector<std::vector<CodeChange>> changes = {};
  // [N, S] or empty: each code's episodes go on from such a state, as CodeRun::states has it,
  // instead of the environment's start. Their steps and values count from there.
  std::span<const double> states = {};
  int save_at = 0;                 // saves the state after this step of every episode; 0: none
  std::string label = "roll out";  // of the progress bar
  core::Job job;
  // Called by the workers, concurrently, with every finished episode that did not diverge; may be
  // empty. The episode has every field that a dataset stores (DescribeRecordings). Its policy is
  // the code's number, and its scalar reward is 0 because a code has no weights. The reference is
  // valid only during the call.
  std::function<void(int code, int episode, const data::Episode& recorded)> on_episode = nullptr;
};

struct CodeRun {
  int codes = 0, episodes = 0, objectives = 0;  // N, E, K
  std::vector<double> values;                   // [N, E, K], raw units
  std::vector<int> lengths;                     // [N, E], steps
  std::vector<std::uint8_t> diverged;           // [N, E]: unusable episode; its values are NaN
  // [N, E, S], sim::Batch::SaveState after the step CodeRunOptions::save_at; [N, E], whether the
  // episode went on there. Both are empty if nothing was to be saved.
  std::vector<double> states = {};
  std::vector<std::uint8_t> saved = {};

  // [N, K] over the episodes of each code that did not diverge; NaN if there are none. The standard
  // deviation of one episode is 0.
  std::vector<double> Means() const;
  std::vector<double> Deviations() const;
};

// codes [N, H] must be finite. Returns nothing if stopped. Throws an Error that names any
// non-finite objective or attribute. Also throws for attributes that rollouts cannot have, for
// example of the scalar reward.
std::optional<CodeRun> RollOutCodes(const sim::Environment& environment, const net::Model& model,
                                    std::span<const float> codes, const CodeRunOptions& options);

}  // namespace rhumb::rollout
