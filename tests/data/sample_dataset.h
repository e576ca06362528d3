// Small datasets with numbers that a test can predict.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/data/dataset_writer.h"

namespace rhumb::data {

// 3 observations, 2 actions, objectives forward and energy, quantities height and speed.
inline DatasetDescription SampleDescription() {
  DatasetDescription description;
  description.environment = {.id = "sample-v0",
                             .rewards = "upstream",
                             .spec = "sample.toml",
                             .files = {{"sample.toml", "id = \"sample-v0\"\n"}}};
  description.time_limit = 100;
  description.objectives = {{"forward", "m"}, {"energy", ""}};
  description.quantities = {"height", "speed"};
  description.observation_size = 3;
  description.action_size = 2;
  description.qpos_size = 1;
  description.qvel_size = 2;
  description.policy_outputs = true;
  description.action_low = {-0.5, -1};
  description.action_high = {0.5, 1};
  return description;
}

// Every array counts upwards from `first`, so all numbers in an array differ.
inline Episode SampleEpisode(int policy, int steps, float first) {
  Episode episode;
  episode.policy = policy;
  episode.seed = 11;
  const auto t = static_cast<std::size_t>(steps);
  float offset = first;
  const auto count_up = [&offset](std::vector<float>& numbers, std::size_t size) {
    numbers.resize(size);
    for (std::size_t i = 0; i < size; ++i) numbers[i] = offset + static_cast<float>(i);
    offset += 1000;
  };
  count_up(episode.observations, (t + 1) * 3);
  count_up(episode.actions, t * 2);
  count_up(episode.rewards, t);
  count_up(episode.vector_rewards, t * 2);
  count_up(episode.raw_actions, t * 2);
  count_up(episode.action_means, t * 2);
  count_up(episode.action_stds, 2);
  count_up(episode.qpos, t + 1);
  count_up(episode.qvel, (t + 1) * 2);
  count_up(episode.quantities, t * 2);
  episode.terminations.assign(t, 0);
  episode.truncations.assign(t, 0);
  episode.truncations.back() = 1;
  episode.returns = {first, -first};
  return episode;
}

inline const nlohmann::json kNoFields = nlohmann::json::object();

// Two steps: heights 1 and 3, speeds 2 and 0.
inline Episode TwoSteps() {
  Episode episode = SampleEpisode(0, 2, 0);
  episode.quantities = {1, 2, 3, 0};
  episode.observations = {0, 10, 20, 1, 11, 25, 2, 12, 35};
  episode.actions = {3, 4, 0, 1};
  episode.rewards = {0.5, 0.25};
  episode.vector_rewards = {7, -25, 8, -1};
  return episode;
}

inline Policy SamplePolicy(int agent, int iteration) {
  Policy policy;
  policy.file = "agents/" + std::to_string(agent) + ".safetensors";
  policy.agent = agent;
  policy.iteration = iteration;
  policy.weights = {1 - 0.1 * agent, 0.1 * agent};
  return policy;
}

// Policies 0 (training), 1 (held-out checkpoint) and 2 (held-out weight). Each has one episode, of
// 40, 33 and 50 steps, starting at 0, 1 and 2.
inline void WriteSampleDataset(const std::filesystem::path& folder) {
  DatasetWriter writer(folder, SampleDescription());
  const std::vector<int> steps = {40, 33, 50};
  for (int i = 0; i < 3; ++i) {
    writer.AddPolicy(SamplePolicy(i, 5));
    writer.Append(SampleEpisode(i, steps[static_cast<std::size_t>(i)], static_cast<float>(i)));
  }
  writer.policies()[1].split = Split::kHeldOutCheckpoint;
  writer.policies()[2].split = Split::kHeldOutWeight;
  writer.Commit({{"seed", 11}});
}

}  // namespace rhumb::data
