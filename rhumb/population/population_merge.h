// Merges populations whose agents were trained separately, as if they had been trained together.
//
//   part, part, … (artefacts of one run, with different agents) -> OUT (an artefact)
#pragma once

#include <filesystem>
#include <vector>

namespace rhumb::population {

struct MergedPopulation {
  std::vector<int> agents;   // in the merged population, in order
  std::vector<int> missing;  // weight vectors that no part has trained
};

// The parts must agree on environment, rewards, weights, settings and seed, and must not share an
// agent. Otherwise throws Error with the part and the difference. Every file is verified before it
// is copied. The parts are not changed. If they differ in device, threads or versions, the manifest
// lists each part's.
MergedPopulation MergePopulations(const std::vector<std::filesystem::path>& parts,
                                  const std::filesystem::path& out);

}  // namespace rhumb::population
