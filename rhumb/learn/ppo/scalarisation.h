// Weight vectors over the objectives: non-negative, summing to 1.
#pragma once

#include <cstdint>
#include <vector>

#include "rhumb/learn/ppo/population_config.h"

namespace rhumb::learn::ppo {

// Makes one vector [objectives] per agent from the settings. Errors name the setting.
std::vector<std::vector<double>> MakeWeights(const PopulationConfig& config, int objectives,
                                             std::uint64_t seed);

// The weights of the children: those of `child_list`, else BetweenNeighbours.
std::vector<std::vector<double>> MakeChildWeights(const PopulationConfig& config,
                                                  const std::vector<std::vector<double>>& roots);

// `per_pair` vectors, evenly spaced, between each two neighbours. Two roots are neighbours if no
// third lies in the ball that has them as poles (the Gabriel graph).
std::vector<std::vector<double>> BetweenNeighbours(const std::vector<std::vector<double>>& roots,
                                                   int per_pair);

// All vectors whose entries are multiples of 1/divisions, ordered by decreasing first entry. For
// two objectives: (1, 0), …, (0, 1).
std::vector<std::vector<double>> WeightGrid(int objectives, int divisions);

}  // namespace rhumb::learn::ppo
