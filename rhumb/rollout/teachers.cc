#include "rhumb/rollout/teachers.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"

namespace rhumb::rollout {

std::vector<net::GaussianPolicy> ReadTeachers(const population::PopulationReader& population,
                                              const data::Dataset& dataset,
                                              std::span<const int> policies) {
  const nlohmann::json& manifest = dataset.artifact().manifest();
  const std::string parent =
      manifest.value("parents", nlohmann::json::object()).value("population", std::string());
  if (parent != population.artifact().hash()) {
    Fail("{} is not the population that {} was collected from",
         population.artifact().path().string(), dataset.artifact().path().string());
  }
  const std::vector<population::Agent>& agents = population.description().agents;
  std::vector<net::GaussianPolicy> networks;
  std::shared_ptr<const net::SafetensorsFile> file;
  std::size_t open = agents.size();
  for (const int number : policies) {
    const data::Policy& policy = dataset.index().policies[static_cast<std::size_t>(number)];
    std::size_t agent = 0;
    while (agents[agent].id != policy.agent) ++agent;
    if (agent != open) file = population.OpenAgent(agent);
    open = agent;
    networks.push_back(population.ReadPolicy(*file, policy.iteration));
  }
  return networks;
}

}  // namespace rhumb::rollout
