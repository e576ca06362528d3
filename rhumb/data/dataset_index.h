// What dataset.json says: everything of a dataset but the numbers of its steps.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/artifact.h"
#include "rhumb/core/environment_bundle.h"
#include "rhumb/data/episode.h"
#include "rhumb/data/policy.h"

namespace rhumb::data {

struct Objective {
  std::string name;
  std::string unit;  // of the return: the sum over an episode
};

// What holds for every episode, known before the first.
struct DatasetDescription {
  core::EnvironmentBundle environment;
  int time_limit = 0;                   // steps; 0: unknown
  std::vector<Objective> objectives;    // [K]
  std::vector<std::string> quantities;  // [Q] names
  int observation_size = 0;
  int action_size = 0;
  int qpos_size = 0;
  int qvel_size = 0;
  bool policy_outputs = false;                  // raw action, mean and std are there
  std::vector<double> action_low, action_high;  // [A], environment units

  StepShape shape() const;
};

struct EpisodeRecord {
  int policy = 0;
  std::int64_t steps = 0;
  std::uint64_t seed = 0;
  std::vector<double> returns;  // [K]
};

// Over the training split: observations in which an action was taken, and returns of episodes. A
// constant element has std 0; who divides by it guards.
struct Normalisation {
  std::vector<double> observation_mean, observation_std;  // [O]
  std::vector<double> return_mean, return_std;            // [K]
};

struct DatasetIndex {
  DatasetDescription description;
  std::vector<Policy> policies;
  std::vector<EpisodeRecord> episodes;  // in the order of the file, of kept policies only
  Normalisation normalisation;

  std::int64_t transitions() const;
};

// An Error that names the place unless sizes are positive, names are distinct words, ...
void CheckDescription(const DatasetDescription& description, std::string_view place);

nlohmann::json ToJson(const DatasetDescription& description);
nlohmann::json ToJson(const DatasetIndex& index);

// Reads and checks a description; the environment comes without its files. Damage is an Error that
// names the place.
DatasetDescription DescriptionFromJson(const nlohmann::json& json, std::string_view place);
// Reads and checks dataset.json and the environment's files of a dataset's folder.
DatasetIndex ReadDatasetIndex(const core::Artifact& artifact);

}  // namespace rhumb::data
