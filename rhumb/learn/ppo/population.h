// Trains a population: one PPO agent per weight vector. Every n-th iteration is kept as a policy.
//
//   weights -> cohorts of roots -> iterations, each agent on its own clock
//           -> cohorts of children, each from the best root by its weights -> fewer iterations
//           -> OUT, an artefact
//
// OUT.work has training states and policies so far; a later run resumes from it.
//
// Roots are independent and each has its own state. Any of them can be trained alone on another
// machine (`agents`); MergePopulations joins the results. Children need all roots: beside them, or
// finished elsewhere with their states (`keep_states`, `roots`).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rhumb/core/process/job.h"
#include "rhumb/learn/device/device.h"
#include "rhumb/learn/ppo/population_config.h"

namespace rhumb::learn::ppo {

struct PopulationRequest {
  std::string environment;
  std::string rewards;
  std::filesystem::path out;
  device::Device device = device::Device::kCpu;
  std::vector<int> agents;
  bool keep_states = false;
  std::vector<std::string> roots;
  PopulationConfig config;
  core::Job job;

  void Visit(core::FieldVisitor& v) {
    v("environment", environment, "id or path of a spec");
    v("rewards", rewards, "reward preset; empty: the environment's default");
    v("out", out, "folder of the population");
    v("device", device, device::kDeviceNames, "where the networks learn");
    v("agents", agents, "which agents to train, by number; empty: all");
    v("keep_states", keep_states, "store the last training state of each agent");
    v("roots", roots, "folders of trained roots with their states, for children");
    v.Group("config", config);
    v.Group("job", job);
  }
};

// Resumes from OUT.work if it belongs to the same run; throws an Error if it belongs to another. An
// interruption saves every agent's state. On the CPU the result is bit-identical however often a
// run was interrupted.
core::Outcome TrainPopulation(const PopulationRequest& request);

}  // namespace rhumb::learn::ppo
