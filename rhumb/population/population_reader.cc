#include "rhumb/population/population_reader.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/file.h"
#include "rhumb/core/hash.h"

namespace rhumb::population {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kDescriptionFile = "population.json";
constexpr std::uint64_t kMaxDescriptionBytes = std::uint64_t{1} << 28;

PopulationAgent ReadAgent(const json& entry, std::size_t objectives, const std::string& place) {
  PopulationAgent agent;
  entry.at("id").get_to(agent.id);
  entry.at("weights").get_to(agent.weights);
  entry.at("file").get_to(agent.file);
  entry.at("kept_iterations").get_to(agent.iterations);
  if (agent.weights.size() != objectives) {
    Fail("{}: agent {} has {} weights for {} objectives", place, agent.id, agent.weights.size(),
         objectives);
  }
  for (const double weight : agent.weights) {
    if (!std::isfinite(weight)) Fail("{}: a weight of agent {} is {}", place, agent.id, weight);
  }
  for (std::size_t i = 0; i < agent.iterations.size(); ++i) {
    const int before = i == 0 ? 0 : agent.iterations[i - 1];
    if (agent.iterations[i] <= before) {
      Fail("{}: agent {} has iteration {} after {}", place, agent.id, agent.iterations[i], before);
    }
  }
  return agent;
}

PopulationDescription ReadDescription(const fs::path& file) {
  const std::string place = file.string();
  PopulationDescription description;
  try {
    const json document = json::parse(core::ReadFile(file, kMaxDescriptionBytes));
    document.at("environment").get_to(description.environment);
    document.at("spec").get_to(description.environment_spec);
    document.at("rewards").get_to(description.rewards);
    document.at("objectives").get_to(description.objectives);
    document.at("observation_size").get_to(description.observation_size);
    document.at("action_size").get_to(description.action_size);
    for (const json& entry : document.at("agents")) {
      description.agents.push_back(ReadAgent(entry, description.objectives.size(), place));
    }
  } catch (const json::exception& problem) {
    Fail("{} is damaged: {}", place, problem.what());
  }
  const auto by_id = [](const auto& a, const auto& b) { return a.id < b.id; };
  std::sort(description.agents.begin(), description.agents.end(), by_id);
  for (std::size_t i = 1; i < description.agents.size(); ++i) {
    if (description.agents[i].id == description.agents[i - 1].id) {
      Fail("{}: agent {} is there twice", place, description.agents[i].id);
    }
  }
  return description;
}

}  // namespace

PopulationReader::PopulationReader(const fs::path& folder)
    : artifact_(core::Artifact::Open(folder, "population")),
      description_(ReadDescription(artifact_.file(kDescriptionFile))),
      open_(description_.agents.size()) {}

std::shared_ptr<const net::SafetensorsFile> PopulationReader::OpenAgent(std::size_t agent) const {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const net::SafetensorsFile> file = open_[agent].lock();
  if (file) return file;
  const std::string& name = description_.agents[agent].file;
  const fs::path path = artifact_.file(name);
  if (core::Sha256OfFile(path) != artifact_.manifest()["files"][name]["sha256"]) {
    Fail("{} is damaged: the contents of {} have changed", artifact_.path().string(), name);
  }
  file = std::make_shared<const net::SafetensorsFile>(path);
  open_[agent] = file;
  return file;
}

net::GaussianPolicy PopulationReader::ReadPolicy(const net::SafetensorsFile& agent,
                                                 int iteration) const {
  net::GaussianPolicy policy =
      net::GaussianPolicy::Read(agent, fmt::format("iteration_{:05}.", iteration));
  if (policy.observation_size() != description_.observation_size ||
      policy.action_size() != description_.action_size) {
    Fail("{}: the policy of iteration {} maps {} numbers to {}, the population's {} to {}",
         agent.place(), iteration, policy.observation_size(), policy.action_size(),
         description_.observation_size, description_.action_size);
  }
  return policy;
}

}  // namespace rhumb::population
