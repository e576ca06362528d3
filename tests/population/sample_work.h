// The work folder of a population in training, as rhumb/learn/ppo/population_folder.h writes it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "rhumb/core/files/environment_bundle.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/work_folder.h"
#include "rhumb/net/safetensors.h"
#include "rhumb/sim/environment.h"
#include "tests/population/sample_population.h"

namespace rhumb::population {

inline void WriteSampleWork(const std::filesystem::path& out, const sim::Environment& environment,
                            const std::vector<std::vector<double>>& weights) {
  std::vector<int> agents(weights.size());
  for (std::size_t i = 0; i < agents.size(); ++i) agents[i] = static_cast<int>(i);
  const std::filesystem::path work = core::WorkFolderOf(out);
  core::MakeFolder(work);
  core::WriteFileAtomically(work / "run.json",
                            nlohmann::json{{"environment", core::ToJson(environment.bundle())},
                                           {"agents", agents},
                                           {"weights", weights}}
                                .dump());
  core::WriteBundle(environment.bundle(), work);
}

// A policy that always pushes the same way.
inline void WriteSamplePolicy(const std::filesystem::path& out, const sim::Environment& environment,
                              int agent, int iteration, const std::vector<float>& push,
                              const std::vector<double>& returns) {
  net::SafetensorsWriter file;
  ConstantPolicy(environment.observation_size(), push, 0.5F).Write(file, "", /*half=*/true);
  file.Add("returns", {static_cast<std::int64_t>(returns.size())}, returns);
  const std::filesystem::path folder = core::WorkFolderOf(out) / fmt::format("agent_{:03}", agent);
  core::MakeFolder(folder);
  core::WriteFileAtomically(core::NumberedFile(folder, "iteration", iteration), file.Bytes());
}

}  // namespace rhumb::population
