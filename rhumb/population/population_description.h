// The contents of population.json: the environment, the weight vectors and each agent's learning
// curves.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/environment_bundle.h"

namespace rhumb::population {

using core::Objective;

// One entry per iteration.
struct LearningCurves {
  std::vector<std::int64_t> iterations;
  std::vector<std::vector<double>> returns;  // [T][K], mean over the episodes of the iteration
  std::vector<double> episode_length;        // [T], steps
  std::vector<double> deviation;             // [T], standard deviation of the policy's actions
  std::int64_t skipped_minibatches = 0;      // over all iterations
  std::int64_t diverged_episodes = 0;
};

// The agent trained with one weight vector.
struct Agent {
  int id = 0;
  std::vector<double> weights;       // [K]
  int parent = -1;                   // the agent it started from; -1: from nothing
  std::string file;                  // its policies, in the population folder
  std::vector<int> kept_iterations;  // iterations that were kept as policies, ascending
  LearningCurves curves;
};

struct PopulationDescription {
  core::EnvironmentBundle environment;
  std::vector<Objective> objectives;  // [K]
  int observation_size = 0;
  int action_size = 0;
  int time_limit = 0;                        // steps
  std::vector<std::vector<double>> weights;  // of all agents of the run, trained here or not
  int iterations = 0;                        // per agent that started from nothing
  std::vector<Agent> agents;                 // by id
};

// Only the document. The environment's files are written separately.
nlohmann::json ToJson(const PopulationDescription& description);

// Reads and checks the description in a population folder. Throws Error with the file if it is
// damaged.
PopulationDescription ReadDescription(const core::Artifact& artifact);

// Writes the description and the environment's files and commits the artefact. The agents' files
// must already be written. `manifest` holds the fields of the manifest.
void FinishPopulation(core::ArtifactWriter& writer, const PopulationDescription& description,
                      const nlohmann::json& manifest);

}  // namespace rhumb::population
