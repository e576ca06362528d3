// Rolls codes out: the decoder acting in the simulation, many codes and episodes at once.
//
//   codes [N, H] -> (code, episode) pairs over the workers -> each worker's batch of simulations
//                -> values [N, E, K] of the model's objectives, attributes included
//
// Episode e of code i starts from the noise keyed (seed, first_code + i, e) and draws actions from
// (seed, i, e, step), so neither threads nor what runs beside it change a number.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/job.h"
#include "rhumb/data/episode.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"

namespace rhumb::rollout {

// The environment that a model carries. An Error where it carries none, or where sizes, action
// ranges or objectives do not fit the model.
sim::Environment MakeEnvironment(const net::Model& model);

struct CodeRunOptions {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  int episodes = 1;    // E
  int first_code = 0;  // the number of the first code in its key: a part of a longer list
  int steps = 0;       // end an episode after so many; 0: at its time limit
  int batch = 16;      // simulations in lock step per worker; changes the speed alone
  std::string label = "roll out";  // of the progress bar
  core::Job job;
  // Called with every finished episode that did not diverge, by the workers, at the same time; may
  // be empty. The episode has all that a dataset keeps (DescribeRecordings), with the code's number
  // as its policy and a scalar reward of 0, since a code has no weights; it is gone after the call.
  std::function<void(int code, int episode, const data::Episode& recorded)> on_episode = nullptr;
};

struct CodeRun {
  int codes = 0, episodes = 0, objectives = 0;  // N, E, K
  std::vector<double> values;                   // [N, E, K], raw units
  std::vector<int> lengths;                     // [N, E], steps
  std::vector<std::uint8_t> diverged;           // [N, E]: gave no usable number; its values are NaN

  // Over the episodes of a code that did not diverge: [N, K]; NaN where there is none (a deviation
  // needs two, else it is 0).
  std::vector<double> Means() const;
  std::vector<double> Deviations() const;
};

// codes [N, H], finite. Empty if stopped. A non-finite objective or attribute is an Error that
// names it, and so is an attribute that a roll-out cannot have, such as one of the scalar reward.
std::optional<CodeRun> RollOutCodes(const sim::Environment& environment, const net::Model& model,
                                    std::span<const float> codes, const CodeRunOptions& options);

}  // namespace rhumb::rollout
