// Turns a Minari dataset that somebody else recorded into one of ours.
//
//   MinariSource -> objectives: the stored vector rewards, or expressions -> DatasetWriter
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/core/artifact.h"
#include "rhumb/core/config.h"
#include "rhumb/core/environment_bundle.h"
#include "rhumb/data/selection.h"

namespace rhumb::data {

struct ImportConfig {
  std::vector<std::string> objectives;
  std::string policy_info = "policy";
  int min_episode_steps = 32;
  SplitConfig split;

  void Visit(core::FieldVisitor& v) {
    v("objectives", objectives,
      "NAME=EXPRESSION each, per step, over obs_0, next_obs_0, action_0, reward, sum_sq_action, "
      "infos_NAME and, where vector rewards are stored, reward_NAME; empty takes the stored vector "
      "rewards, or else the reward");
    v("policy_info", policy_info,
      "the info that numbers the policy; without it every episode is a policy of its own");
    v("min_episode_steps", min_episode_steps, core::Range{1, 1e9, "steps"},
      "shorter episodes are left out");
    v.Group("split", split);
  }
};

struct ImportReport {
  std::int64_t episodes = 0;  // written
  std::int64_t transitions = 0;
  std::int64_t short_episodes = 0;
  std::int64_t unusable_episodes = 0;      // not finite
  std::vector<std::string> objectives;     // names
  std::vector<std::string> ignored_infos;  // no numbers, or no row per step
};

// Reads `source`, a Minari folder, and writes the dataset folder `out`. `environment` is where the
// data were recorded, as far as it is known: without files, models of the dataset cannot be rolled
// out. Unsupported data, an objective without a finite value and a damaged file are Errors that
// name the place; `out` then stays as it was. `manifest_fields` as for core::ArtifactWriter.
ImportReport ImportMinari(const std::filesystem::path& source, const std::filesystem::path& out,
                          const ImportConfig& config, const core::EnvironmentBundle& environment,
                          const nlohmann::json& manifest_fields,
                          core::Existing existing = core::Existing::kRefuse);

}  // namespace rhumb::data
