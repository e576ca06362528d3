// A recorded trajectory, anybody's: a JSON file, or an episode of a dataset.
//
//   {"env": "mo-hopper-v5", "rewards": "upstream", "observations": [[…]…], "actions": [[…]…],
//    "returns": {"forward": 2310.5}, "terminated": false}
//
// T rows of actions, in the environment's units, and T or T + 1 of observations. `rewards` and
// `returns`, or some of them, may be absent, and so may `terminated`: whether the episode ended by
// itself, as by a fall. What else is in the file is not looked at.
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
  std::vector<double> values;  // [K], of the model's objectives; NaN where they are not recorded
  // False: it was cut short of its time limit, so its values are not those of an episode.
  bool whole = true;
};

// Contexts whose codes are averaged, unless somebody asks for another number.
constexpr int kTrajectoryDraws = 32;

// `source` is a file, or the folder of a dataset and `episode` a number in it. What does not fit
// the model (another environment or reward preset, other sizes, fewer steps than a context takes),
// a damaged file and numbers that are not finite are Errors that name the place.
Trajectory ReadTrajectory(const std::filesystem::path& source, std::optional<std::int64_t> episode,
                          const net::Model& model);

// The mean of the posterior means of options.draws contexts, drawn from all steps: [H].
std::vector<float> EncodeTrajectory(const net::Model& model, const Trajectory& trajectory,
                                    const EncodeOptions& options);

// Writes what ReadTrajectory reads back to the same numbers; `values` [K] are the returns.
void WriteTrajectory(const std::filesystem::path& file, const sim::Environment& environment,
                     const data::Episode& episode, std::span<const net::ModelObjective> objectives,
                     std::span<const double> values);

}  // namespace rhumb::rollout
