// Two agents that learn to move the point mass, small enough for a test.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rhumb/core/process/thread_pool.h"
#include "rhumb/learn/ppo/cohort.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/environment.h"
#include "tests/learn/training_run.h"

namespace rhumb::learn::ppo {

inline const sim::Environment& PointMass() {
  static const sim::Environment kEnvironment(sim::FindBundle("point-v0", "two"));
  return kEnvironment;
}

// Episodes of the point mass have 100 steps, so each iteration ends some.
inline PpoConfig SmallPpo() {
  PpoConfig config;
  config.environments = 4;
  config.steps = 100;
  config.epochs = 2;
  config.minibatches = 2;
  config.hidden = {8};
  return config;
}

inline std::vector<AgentSpec> TwoAgents() {
  return {{.id = 0, .weights = {1, 0}}, {.id = 1, .weights = {0.5, 0.5}}};
}

inline Cohort MakeCohort(std::uint64_t seed = 1, std::vector<AgentSpec> agents = TwoAgents()) {
  return Cohort(PointMass(), SmallPpo(), std::move(agents), {.seed = seed, .group_size = 2},
                torch::kCPU);
}

inline void Train(Cohort& cohort, int iterations, int threads = 1) {
  const ThreadCount one(1);
  core::ThreadPool pool(threads);
  for (int i = 0; i < iterations; ++i) {
    cohort.Simulate(pool);
    cohort.Learn();
  }
}

// A policy's bytes, to compare policies to the bit.
inline std::string BytesOf(const net::GaussianPolicy& policy) {
  net::SafetensorsWriter out;
  policy.Write(out, "", /*half=*/false);
  return out.Bytes();
}

}  // namespace rhumb::learn::ppo
