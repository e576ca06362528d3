// Small populations whose policies are predictable.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/file.h"
#include "rhumb/net/gaussian_policy.h"
#include "rhumb/population/population_description.h"
#include "rhumb/sim/environment.h"

namespace rhumb::population {

// A policy with a constant mean and standard deviation.
inline net::GaussianPolicy ConstantPolicy(int observation_size, const std::vector<float>& mean,
                                          float deviation) {
  const auto inputs = static_cast<std::size_t>(observation_size);
  net::GaussianPolicy policy;
  policy.normaliser.mean.assign(inputs, 0);
  policy.normaliser.inverse_scale.assign(inputs, 1);
  policy.mean = net::Mlp({observation_size, static_cast<int>(mean.size())}, net::Activation::kRelu);
  policy.mean.SetLayer(0, std::vector<float>(inputs * mean.size(), 0), mean);
  policy.deviation.assign(mean.size(), deviation);
  return policy;
}

struct SampleAgent {
  int id;
  std::vector<double> weights;
  std::vector<int> iterations;
  std::vector<float> push;  // [A], mean action of all its policies
};

// `change` may alter the description before it is written.
template <class Change>
void WriteSamplePopulation(const std::filesystem::path& folder, const sim::Environment& environment,
                           const std::vector<SampleAgent>& agents, float deviation, Change change) {
  core::ArtifactWriter writer(folder, "population");
  PopulationDescription whole{.environment = environment.bundle(),
                              .objectives = {},
                              .observation_size = environment.observation_size(),
                              .action_size = environment.action_size(),
                              .time_limit = environment.time_limit(),
                              .weights = {},
                              .iterations = 1,
                              .agents = {}};
  for (const auto& objective : environment.objectives()) {
    whole.objectives.push_back({objective.name, objective.unit});
  }
  for (const SampleAgent& agent : agents) {
    net::SafetensorsWriter pack;
    for (const int iteration : agent.iterations) {
      ConstantPolicy(environment.observation_size(), agent.push, deviation)
          .Write(pack, fmt::format("iteration_{:05}.", iteration), /*half=*/true);
    }
    const std::string file = fmt::format("agents/agent_{:03}.safetensors", agent.id);
    core::WriteFileAtomically(writer.file(file), pack.Bytes());
    whole.agents.push_back({.id = agent.id,
                            .weights = agent.weights,
                            .file = file,
                            .kept_iterations = agent.iterations,
                            .curves = {.iterations = {1},
                                       .returns = {std::vector<double>(whole.objectives.size())},
                                       .episode_length = {1},
                                       .deviation = {1}}});
    whole.weights.resize(std::max(whole.weights.size(), static_cast<std::size_t>(agent.id) + 1),
                         agent.weights);
  }
  nlohmann::json description = ToJson(whole);
  change(description);
  core::WriteBundle(whole.environment, writer);
  core::WriteFileAtomically(writer.file("population.json"), description.dump());
  writer.Commit({{"seed", 0}});
}

inline void WriteSamplePopulation(const std::filesystem::path& folder,
                                  const sim::Environment& environment,
                                  const std::vector<SampleAgent>& agents, float deviation) {
  WriteSamplePopulation(folder, environment, agents, deviation, [](nlohmann::json&) {});
}

}  // namespace rhumb::population
