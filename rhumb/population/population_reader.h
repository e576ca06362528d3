// A finished population, opened for reading: which policies there are, and each when it is wanted.
//
//   <folder>/population.json          the description: weights, kept iterations, learning curves
//   <folder>/environment/             the environment's files
//   <folder>/agents/*.safetensors     all kept policies of an agent, in half precision
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "rhumb/core/artifact.h"
#include "rhumb/net/gaussian_policy.h"
#include "rhumb/net/safetensors.h"
#include "rhumb/population/population_description.h"

namespace rhumb::population {

class PopulationReader {
 public:
  // A folder that is no whole population is an Error that names what is wrong with it.
  explicit PopulationReader(const std::filesystem::path& folder);

  const PopulationDescription& description() const { return description_; }
  const core::Artifact& artifact() const { return artifact_; }

  // An agent's policies in memory. The file is read, and compared with its SHA-256, when nobody
  // holds it yet; a damaged one is an Error. Thread-safe.
  std::shared_ptr<const net::SafetensorsFile> OpenAgent(std::size_t agent) const;

  // The policy of one iteration, of the population's sizes.
  net::GaussianPolicy ReadPolicy(const net::SafetensorsFile& agent, int iteration) const;

 private:
  core::Artifact artifact_;
  PopulationDescription description_;
  mutable std::mutex mutex_;
  mutable std::vector<std::weak_ptr<const net::SafetensorsFile>> open_;  // by agent
};

}  // namespace rhumb::population
