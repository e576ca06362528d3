#include "rhumb/rollout/teachers.h"

#include <algorithm>
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
    const auto found = std::find_if(agents.begin(), agents.end(),
                                    [&](const auto& agent) { return agent.id == policy.agent; });
    if (found == agents.end()) {
      Fail("{}: policy {} is of agent {}, which the population lacks",
           dataset.artifact().path().string(), number, policy.agent);
    }
    const auto agent = static_cast<std::size_t>(found - agents.begin());
    if (agent != open) file = population.OpenAgent(agent);
    open = agent;
    networks.push_back(population.ReadPolicy(*file, policy.iteration));
  }
  return networks;
}

}  // namespace rhumb::rollout
