// The folder of a reproduction, and what it is a reproduction of. Whoever works in it (`reproduce`,
// `units`) derives the same plan from it.
//
//   FOLDER/reproduce.json    environment, scale, seed, own settings; how the work is divided
//   FOLDER/environment/…     the robot
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/core/files/environment_bundle.h"
#include "rhumb/pipeline/reproduce_plan.h"

namespace rhumb::pipeline {

inline constexpr const char* kRunFile = "reproduce.json";

// What is to be reproduced.
struct ReproductionChoice {
  core::EnvironmentBundle environment;
  std::string scale;
  std::uint64_t seed = 0;
  // Settings of the population beside those of the scale, as key=value, and its preset.
  std::vector<std::string> population = {};
};

struct Reproduction {
  std::filesystem::path folder;
  nlohmann::json run;  // contents of reproduce.json
  core::EnvironmentBundle environment;
  // The plan's request. Device, threads and jobs have their defaults.
  ReproduceRequest request;

  // Writes reproduce.json.
  void SaveRun() const;
};

// Begins a reproduction in the folder, which is made if missing, or resumes it if it is the same.
// Throws Error if the folder has another one or other contents, since stages may replace files.
Reproduction OpenReproduction(const std::filesystem::path& folder,
                              const ReproductionChoice& choice);

// Reads the reproduction that was begun in the folder. Throws Error if there is none.
Reproduction ReadReproduction(const std::filesystem::path& folder);

// The environment of the reproduction in the folder. Throws Error if there is none.
core::EnvironmentBundle EnvironmentOf(const std::filesystem::path& folder);

// Writes the file unless it already has this text.
void UpdateFile(const std::filesystem::path& file, const std::string& text);

}  // namespace rhumb::pipeline
