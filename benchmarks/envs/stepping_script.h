// A script for the stepping benchmark: the actions of every step, and the start of every episode.
// All contenders run the same script.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/sim/environment.h"

namespace rhumb::bench {

struct EpisodeStart {
  int step = 0;  // the episode begins before this step
  std::vector<double> qpos, qvel;
};

struct Script {
  int steps = 0;
  int simulations = 0;
  std::uint64_t seed = 0;                         // of the episodes' starts
  std::vector<double> actions;                    // [steps, simulations, A], in [-1, 1]
  std::vector<std::vector<EpisodeStart>> starts;  // [simulations], in the order of steps

  // [simulations, A]
  std::span<const double> ActionsOf(int step) const {
    const std::size_t row = actions.size() / static_cast<std::size_t>(steps);
    return std::span(actions).subspan(static_cast<std::size_t>(step) * row, row);
  }
};

// Draws uniform actions, and plays them on one thread to find where episodes end.
Script WriteScript(const sim::Environment& environment, int simulations, int steps,
                   std::uint64_t seed);

}  // namespace rhumb::bench
