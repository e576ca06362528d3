#include "rhumb/population/population_reader.h"

#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/hash.h"

namespace rhumb::population {
namespace fs = std::filesystem;

PopulationReader::PopulationReader(const fs::path& folder)
    : artifact_(core::Artifact::Open(folder, "population")),
      description_(ReadDescription(artifact_)),
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
    Fail(
        "{}: the policy of iteration {} maps {} numbers to {}, but the population's policies map "
        "{} to {}",
        agent.place(), iteration, policy.observation_size(), policy.action_size(),
        description_.observation_size, description_.action_size);
  }
  return policy;
}

}  // namespace rhumb::population
