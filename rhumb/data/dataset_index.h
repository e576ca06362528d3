// The contents of dataset.json: everything about a dataset except its steps.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/environment_bundle.h"
#include "rhumb/data/episode.h"
#include "rhumb/data/policy.h"

namespace rhumb::data {

using core::Objective;

// Properties shared by all episodes and known before the first.
struct DatasetDescription {
  core::EnvironmentBundle environment;
  int time_limit = 0;                   // steps; 0: unknown
  std::vector<Objective> objectives;    // [K]
  std::vector<std::string> quantities;  // [Q] names
  int observation_size = 0;
  std::vector<int> unseen;  // places in an observation that policies and models do not look at
  int action_size = 0;
  int qpos_size = 0;
  int qvel_size = 0;
  bool policy_outputs = false;                  // whether raw action, mean and std are recorded
  std::vector<double> action_low, action_high;  // [A], environment units

  StepShape shape() const;
};

struct EpisodeRecord {
  int policy = 0;
  std::int64_t steps = 0;
  std::uint64_t seed = 0;
  std::vector<double> returns;  // [K]
};

// Statistics over the training split: of observations in which an action was taken, and of episode
// returns. A constant element has std 0; callers must not divide by it.
struct Normalisation {
  std::vector<double> observation_mean, observation_std;  // [O]
  std::vector<double> return_mean, return_std;            // [K]
};

struct DatasetIndex {
  DatasetDescription description;
  std::vector<Policy> policies;
  std::vector<EpisodeRecord> episodes;  // of kept policies only, in the order of the file
  Normalisation normalisation;

  std::int64_t transitions() const;
};

// Throws Error with the place unless sizes are positive, names are distinct identifiers and action
// ranges are valid.
void CheckDescription(const DatasetDescription& description, std::string_view place);

nlohmann::json ToJson(const DatasetDescription& description);
nlohmann::json ToJson(const DatasetIndex& index);

// Reads and checks a description. The environment's files are not read. Throws Error with the place
// if the JSON is damaged.
DatasetDescription DescriptionFromJson(const nlohmann::json& document, std::string_view place);
// Reads and checks dataset.json and the environment's files in a dataset folder.
DatasetIndex ReadDatasetIndex(const core::Artifact& artifact);

}  // namespace rhumb::data
