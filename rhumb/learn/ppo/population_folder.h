// A population on disk, during training and when finished.
//
//   OUT.work/run.json                     description of this run
//   OUT.work/agent_003/state_00010.safetensors       the whole training state
//   OUT.work/agent_003/iteration_00005.safetensors   a kept policy, with its returns in training
//   OUT.work/environment/                 the environment's files (population_progress.h)
//
//   OUT/population.json                   environment, weights, settings, learning curves
//   OUT/agents/agent_003.safetensors      all kept policies of an agent, in half precision
//   OUT/states/agent_003.safetensors      its last training state, if wanted
//   OUT/tensorboard/agent_003/…           scalars (while training: OUT.work/tensorboard)
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/core/files/event_writer.h"
#include "rhumb/core/files/work_folder.h"
#include "rhumb/learn/ppo/cohort.h"
#include "rhumb/population/population_description.h"

namespace rhumb::learn::ppo {

// Methods may be called concurrently for different cohorts.
class PopulationFolder {
 public:
  // Creates or reopens OUT.work. `run` describes everything the result depends on. Throws an Error
  // if the folder belongs to another run.
  PopulationFolder(const std::filesystem::path& out, const nlohmann::json& run);

  // Restores a cohort to the last iteration for which all its agents have a state.
  void Restore(Cohort& cohort) const;
  // Takes over the last states of the roots of a finished population that kept them, as if this run
  // had trained them. Throws an Error if it belongs to another run, or has no states of
  // `iteration`.
  void Adopt(const std::filesystem::path& part, const nlohmann::json& run,
             std::int64_t iteration) const;
  // Starts each agent of a new cohort from its parent's last state.
  void Inherit(Cohort& cohort) const;
  // Writes the states of all agents of a cohort, then removes the earlier ones.
  void SaveState(const Cohort& cohort) const;
  void SavePolicy(const Cohort& cohort, int index) const;

  // Packs everything into the artefact OUT and removes the work folder. `description` has no agents
  // yet; `manifest` holds the fields of the manifest. `keep_states` adds the last training states.
  void Finish(const std::vector<std::unique_ptr<Cohort>>& cohorts,
              population::PopulationDescription description, const nlohmann::json& manifest,
              bool keep_states = false) const;

  std::filesystem::path TensorboardFolder(int agent) const;

 private:
  std::filesystem::path AgentFolder(int agent) const;
  net::SafetensorsFile StateOf(int agent, std::int64_t iteration) const;
  std::filesystem::path MadeAgentFolder(int agent) const;  // the same, created if missing

  std::filesystem::path out_;
  core::WorkFolder work_;
};

// Logs one iteration as TensorBoard scalars.
void LogScalars(core::EventWriter& events, const IterationRecord& record,
                const std::vector<std::string>& objectives);

}  // namespace rhumb::learn::ppo
