// Joins populations whose agents were trained apart, as if they had been trained together.
//
//   part, part, … (artefacts of one run, each with agents of its own) -> OUT (an artefact)
#pragma once

#include <filesystem>
#include <vector>

namespace rhumb::population {

struct MergedPopulation {
  std::vector<int> agents;   // in it now, in order
  std::vector<int> missing;  // weight vectors that no part has trained
};

// The parts must agree on environment, rewards, weights, settings and seed, and no agent may be in
// two of them; an Error names the part and what differs. Every file is verified before it is taken.
// The parts stay as they are. Where they differ in device, threads or versions, the manifest lists
// each part's.
MergedPopulation MergePopulations(const std::vector<std::filesystem::path>& parts,
                                  const std::filesystem::path& out);

}  // namespace rhumb::population
