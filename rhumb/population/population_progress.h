// A population on its way: the policies that exist so far.
//
//   OUT.work/run.json                                  while it trains: environment, weights
//   OUT.work/environment/                              the environment's files
//   OUT.work/agent_003/iteration_00005.safetensors     a policy, and its returns in training
//   OUT                                                when it is finished (population_reader.h)
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rhumb/core/files/environment_bundle.h"
#include "rhumb/net/gaussian_policy.h"
#include "rhumb/population/population_reader.h"

namespace rhumb::population {

// "agent_003", the folder of an agent in OUT.work.
std::string AgentName(int agent);
// The kind of the numbered files that are its policies (core::NumberedFile).
inline constexpr const char* kPolicyFile = "iteration";

struct KeptPolicy {
  int iteration = 0;
  std::vector<double> returns;  // [K], mean over the episodes of that iteration; empty if unknown
};

struct AgentSoFar {
  int id = 0;
  std::vector<double> weights;       // [K]
  std::vector<KeptPolicy> policies;  // by iteration
};

// Thread-safe.
class PopulationProgress {
 public:
  // Whether `folder` is a population OUT, or OUT or OUT.work of one in training.
  static bool IsPopulation(const std::filesystem::path& folder);

  // `folder` is OUT or OUT.work; either may exist. Throws Error if neither is a population.
  explicit PopulationProgress(const std::filesystem::path& folder);

  // OUT.
  const std::filesystem::path& out() const { return out_; }
  const core::EnvironmentBundle& environment() const { return environment_; }

  // Whether OUT does not exist yet.
  bool IsTraining() const;
  // The agents of this run, by id, with what they have so far.
  std::vector<AgentSoFar> Look() const;
  // Throws Error if there is no such policy.
  net::GaussianPolicy ReadPolicy(int agent, int iteration) const;

 private:
  std::shared_ptr<const PopulationReader> Finished() const;  // null while it trains
  std::vector<AgentSoFar> LookAtWork() const;

  std::filesystem::path out_;
  core::EnvironmentBundle environment_;
  std::vector<AgentSoFar> agents_;  // without policies
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const PopulationReader> finished_;
  mutable std::map<std::pair<int, int>, std::vector<double>> returns_;  // by agent and iteration
};

}  // namespace rhumb::population
