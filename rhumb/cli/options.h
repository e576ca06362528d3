// What every command takes: --config, --set, --seed, --threads, --json, --verbose.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/core/config.h"
#include "rhumb/core/job.h"

namespace rhumb::cli {

struct CommonOptions {
  std::string config_file;
  std::vector<std::string> settings;
  std::uint64_t seed = 0;
  int threads = 0;  // resolved to the number of cores by default
  bool json = false;
  bool verbose = false;

  // Adds the flags to a command; the command owns this object.
  void AddTo(CLI::App& command);

  // Ctrl-C stops the job once core::CatchInterrupts was called.
  core::Job MakeJob() const;

  // The settings of a command: its defaults, those of the robot, the file, then each --set in
  // order.
  template <class Config>
  Config Resolve(const std::vector<std::string>& of_robot = {}) const {
    Config config;
    for (const std::string& setting : of_robot) core::ApplySetting(config, setting);
    ApplyTo(config);
    return config;
  }
  // The same over other values than the defaults.
  template <class Config>
  void ApplyTo(Config& config) const {
    if (!config_file.empty()) core::ApplyToml(config, config_file);
    for (const std::string& setting : settings) core::ApplySetting(config, setting);
  }
};

// Of a command that has none: any --set is then an unknown key.
struct NoSettings {
  void Visit(core::FieldVisitor&) {}
};

// The one JSON document of --json.
void PrintJson(const nlohmann::json& document);

// Shows a command's settings under its --help.
void DescribeSettings(CLI::App& command, const std::vector<core::FieldDescription>& fields,
                      const std::string& examples);

}  // namespace rhumb::cli
