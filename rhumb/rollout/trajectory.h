// A recorded trajectory from any source: a JSON file, or an episode of a dataset.
//
//   {"env": "mo-hopper-v5", "env_hash": "…", "rewards": "upstream", "observations": [[…]…],
//   "actions": [[…]…],
//    "returns": {"forward": 2310.5}, "terminated": false}
//
// It has T rows of actions in the environment's units, and T or T + 1 rows of observations.
// `env_hash`, `rewards`, `terminated` and some or all of `returns` are optional. `env_hash` is that
// of the robot's files. `terminated` says whether the episode ended by itself, for example by a
// fall. Other keys are ignored. WriteTrajectory adds those of the start, so that the file is also
// one for rollout/replay.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "rhumb/data/dataset.h"
#include "rhumb/data/episode.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/episode_encoder.h"
#include "rhumb/sim/environment.h"

namespace rhumb::rollout {

struct Trajectory {
  data::Transitions steps;     // observations and actions of one episode
  std::vector<double> values;  // [K], of the model's objectives; NaN if not recorded
  // False if the trajectory was cut before its time limit; its values are then not those of a whole
  // episode.
  bool whole = true;
};

// The steps of one episode, number 0, with these observations [T, O] and actions [T, A].
data::Transitions MakeSteps(data::Rows observations, data::Rows actions);

// Default number of contexts whose codes are averaged.
constexpr int kTrajectoryDraws = 32;

// `source` is a file, or a dataset's folder with `episode` a number in it. Throws an Error that
// names the place if the file is damaged, numbers are not finite, or the trajectory does not fit
// the model. It must match the environment, reward preset and sizes, and have at least as many
// steps as a context.
Trajectory ReadTrajectory(const std::filesystem::path& source, std::optional<std::int64_t> episode,
                          const net::Model& model);

// The mean of the posterior means of options.draws contexts drawn from all steps: [H].
std::vector<float> EncodeTrajectory(const net::Model& model, const Trajectory& trajectory,
                                    const EncodeOptions& options);

// Writes a file that ReadTrajectory reads back exactly; `values` [K] are the returns of the named
// objectives.
void WriteTrajectory(const std::filesystem::path& file, const sim::Environment& environment,
                     const data::Episode& episode, std::span<const std::string> objectives,
                     std::span<const double> values);

}  // namespace rhumb::rollout
