// A finished population, opened for reading: its description, and its policies on demand.
//
//   <folder>/population.json          the description: weights, kept iterations, learning curves
//   <folder>/environment/             the environment's files
//   <folder>/agents/*.safetensors     all kept policies of an agent, in half precision
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "rhumb/core/files/artifact.h"
#include "rhumb/net/gaussian_policy.h"
#include "rhumb/net/safetensors.h"
#include "rhumb/population/population_description.h"

namespace rhumb::population {

class PopulationReader {
 public:
  // Throws Error with the reason unless the folder is a complete population.
  explicit PopulationReader(const std::filesystem::path& folder);

  const PopulationDescription& description() const { return description_; }
  const core::Artifact& artifact() const { return artifact_; }

  // An agent's policies in memory. Reads the file and checks its SHA-256 unless a caller still
  // holds it. Throws Error if the file is damaged. Thread-safe.
  std::shared_ptr<const net::SafetensorsFile> OpenAgent(std::size_t agent) const;

  // The policy of one iteration. Throws Error if its sizes differ from the population's.
  net::GaussianPolicy ReadPolicy(const net::SafetensorsFile& agent, int iteration) const;

 private:
  core::Artifact artifact_;
  PopulationDescription description_;
  mutable std::mutex mutex_;
  mutable std::vector<std::weak_ptr<const net::SafetensorsFile>> open_;  // by agent
};

}  // namespace rhumb::population
