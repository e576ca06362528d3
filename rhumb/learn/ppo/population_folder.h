// What a population looks like on disk, while it is trained and when it is finished.
//
//   OUT.work/run.json                     what this run is
//   OUT.work/agent_003/state_00010.safetensors       the whole training state
//   OUT.work/agent_003/iteration_00005.safetensors   a kept policy
//
//   OUT/population.json                   environment, weights, settings, learning curves
//   OUT/agents/agent_003.safetensors      all kept policies of an agent, in half precision
//   OUT/tensorboard/agent_003/…           scalars (while training: OUT.work/tensorboard)
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/core/event_writer.h"
#include "rhumb/core/work_folder.h"
#include "rhumb/learn/ppo/cohort.h"
#include "rhumb/population/population_description.h"

namespace rhumb::learn::ppo {

// Methods for different cohorts may run at the same time.
class PopulationFolder {
 public:
  // Makes or reopens OUT.work. `run` describes everything that the result depends on; a folder of
  // another run is an Error.
  PopulationFolder(const std::filesystem::path& out, const nlohmann::json& run);

  // Restores a cohort to the last iteration of which all its agents have a state.
  void Restore(Cohort& cohort) const;
  // Writes the states of all agents of a cohort, and only then removes the earlier ones.
  void SaveState(const Cohort& cohort) const;
  void SavePolicy(const Cohort& cohort, int index) const;

  // Packs everything into the artefact OUT and removes the work folder. `description` comes without
  // its agents; `manifest` holds the fields of the manifest.
  void Finish(const std::vector<std::unique_ptr<Cohort>>& cohorts,
              population::PopulationDescription description, const nlohmann::json& manifest) const;

  std::filesystem::path TensorboardFolder(int agent) const;

 private:
  std::filesystem::path AgentFolder(int agent) const;
  std::filesystem::path MadeAgentFolder(int agent) const;  // the same, and it exists

  std::filesystem::path out_;
  core::WorkFolder work_;
};

// One iteration's numbers as TensorBoard scalars.
void LogScalars(core::EventWriter& events, const IterationRecord& record,
                const std::vector<std::string>& objectives);

}  // namespace rhumb::learn::ppo
