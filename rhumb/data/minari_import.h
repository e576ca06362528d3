// Converts a Minari dataset from elsewhere into a Rhumb dataset.
//
//   MinariSource -> objectives: the stored vector rewards, or expressions -> DatasetWriter
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/core/files/environment_bundle.h"
#include "rhumb/core/process/config.h"
#include "rhumb/data/selection.h"

namespace rhumb::data {

struct ImportConfig {
  std::vector<std::string> objectives;
  std::string policy_info = "policy";
  int min_episode_steps = 32;
  SplitConfig split;

  void Visit(core::FieldVisitor& v) {
    v("objectives", objectives,
      "NAME=EXPRESSION each, evaluated per step over obs_0, next_obs_0, action_0, reward, "
      "sum_sq_action, infos_NAME and, if vector rewards are stored, reward_NAME; if empty, the "
      "stored vector rewards, or else the reward");
    v("policy_info", policy_info,
      "the info that holds the policy's number; without it, every episode counts as its own "
      "policy");
    v("min_episode_steps", min_episode_steps, core::Range{1, 1e9, "steps"},
      "shorter episodes are left out");
    v.Group("split", split);
  }
};

struct ImportReport {
  std::int64_t short_episodes = 0;
  std::int64_t unusable_episodes = 0;      // with a number that is not finite
  std::vector<std::string> objectives;     // names
  std::vector<std::string> ignored_infos;  // not numeric, or not one row per step
};

// Reads the Minari folder `source` and writes the dataset folder `out`. `environment` is where the
// data was recorded, if known; without its files, models of the dataset cannot be rolled out.
// Throws Error with the place if data is unsupported, a file is damaged or an objective is not
// finite; `out` is then unchanged. `manifest_fields` as for core::ArtifactWriter.
ImportReport ImportMinari(const std::filesystem::path& source, const std::filesystem::path& out,
                          const ImportConfig& config, const core::EnvironmentBundle& environment,
                          const nlohmann::json& manifest_fields);

}  // namespace rhumb::data
