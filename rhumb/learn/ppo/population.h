// Trains a population: one PPO agent per weight vector, every n-th iteration kept as a policy.
//
//   weights -> cohorts -> iterations, each agent on its own clock -> OUT (an artefact)
//                 \-> OUT.work: training states and policies so far; a later run goes on from there
//
// Agents are independent units: each has a state of its own, any of them can be trained alone on
// another machine (`agents`), and MergePopulations joins what comes back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rhumb/core/job.h"
#include "rhumb/learn/device/device.h"
#include "rhumb/learn/ppo/population_config.h"

namespace rhumb::learn::ppo {

struct PopulationRequest {
  std::string environment;
  std::string rewards;
  std::filesystem::path out;
  device::Device device = device::Device::kCpu;
  std::vector<int> agents;
  PopulationConfig config;
  core::Job job;

  void Visit(core::FieldVisitor& v) {
    v("environment", environment, "id or path of a spec");
    v("rewards", rewards, "reward preset; empty: the environment's default");
    v("out", out, "folder of the population");
    v("device", device, device::kDeviceNames, "where the networks learn");
    v("agents", agents, "which agents to train, by number; empty: all");
    v.Group("config", config);
    v.Group("job", job);
  }
};

// Goes on from OUT.work where that belongs to the same run; a work folder of another run is an
// Error. On an interruption every agent's state is saved. On the CPU the result is the same to the
// bit however often a run was interrupted.
core::Outcome TrainPopulation(const PopulationRequest& request);

}  // namespace rhumb::learn::ppo
