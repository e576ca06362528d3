// How a command is made: the options that all commands take, its own, and its settings.
//
//   struct ShowArguments {
//     std::string folder;
//     void AddTo(Command& command) { command.Add("FOLDER", folder, "a dataset"); }
//   };
//   void Show(const CommonOptions& options, const ShowArguments& arguments);
//
//   AddCommand<ShowArguments>(dataset, {"show", "sizes and returns", "  rhumb dataset show a\n"},
//                             Show);
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rhumb/cli/command.h"
#include "rhumb/core/error.h"
#include "rhumb/core/files/environment_bundle.h"
#include "rhumb/core/function_ref.h"
#include "rhumb/core/process/config.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/job.h"
#include "rhumb/sim/spec.h"

namespace rhumb::cli {

// --config, --set, --seed, --threads, --json and --verbose.
struct CommonOptions {
  std::string config_file;
  std::vector<std::string> settings;
  std::uint64_t seed = 0;
  int threads = 0;  // defaults to the number of cores
  bool json = false;
  bool verbose = false;

  // Adds the flags to a command; the command owns this object.
  void AddTo(Command& command);

  // Ctrl-C stops the job if core::CatchInterrupts has been called. A quiet job has no progress bar.
  core::Job MakeJob(bool quiet = false) const;
};

struct NoArguments {
  void AddTo(Command&) {}
};

// For commands without settings: any --set is an unknown key.
struct NoSettings {
  void Visit(core::FieldVisitor&) {}
};

struct CommandText {
  std::string name;
  std::string summary;   // one line, for the list of commands
  std::string examples;  // lines at the end of --help
};

// Adds a command that only groups others; exactly one of them must follow.
Command AddGroup(Command parent, const std::string& name, const std::string& summary);

// Applies --verbose and logs the command that is about to run.
void BeginCommand(const CommonOptions& options, const std::string& command,
                  const nlohmann::json& settings);

// Applies the config file, then each --set in order.
template <class Config>
void ApplySettings(const CommonOptions& options, Config& config) {
  if (!options.config_file.empty()) core::ApplyToml(config, options.config_file);
  for (const std::string& setting : options.settings) core::ApplySetting(config, setting);
}

// Resolves a command's settings. Later sources win: defaults or the preset named by the arguments,
// the config file, each --set in order, then arguments that stand for settings.
template <class Config, class Arguments>
Config ResolveSettings(const CommonOptions& options, const Arguments& arguments) {
  Config config;
  if constexpr (requires { config = arguments.Preset(); }) config = arguments.Preset();
  ApplySettings(options, config);
  if constexpr (requires { arguments.Override(config); }) {
    arguments.Override(config);
    core::CheckRanges(config, "the command line");
  }
  return config;
}

// Adds a command to `parent`. `run` takes (options, arguments, config), (options, arguments), or
// (options). Settings are resolved before `run` is called. Arguments has AddTo(Command&) and may
// have `Config Preset() const` and `void Override(Config&) const`.
template <class Arguments = NoArguments, class Config = NoSettings, class Run>
void AddCommand(Command parent, const CommandText& text, Run run) {
  Command command = parent.AddCommand(text.name, text.summary);
  auto options = std::make_shared<CommonOptions>();
  auto arguments = std::make_shared<Arguments>();
  options->AddTo(command);
  arguments->AddTo(command);
  Config defaults;
  command.SetNotes(core::Describe(defaults), text.examples);
  const std::string name = command.FullName();
  command.SetAction([options, arguments, run, name] {
    const Config config = ResolveSettings<Config>(*options, *arguments);
    BeginCommand(*options, name, core::ToJson(config));
    if constexpr (std::is_invocable_v<Run, CommonOptions&, Arguments&, const Config&>) {
      run(*options, *arguments, config);
    } else if constexpr (std::is_invocable_v<Run, CommonOptions&, Arguments&>) {
      run(*options, *arguments);
    } else {
      run(*options);
    }
  });
}

// Adds --preset, for commands whose settings may depend on the robot.
void AddPreset(Command& command, std::string& preset);

// Returns a command's defaults for a robot, those of the preset in the robot's spec. Throws Error
// naming the spec if a setting is unknown.
template <class Config>
Config SettingsOfRobot(const core::EnvironmentBundle& robot, const std::string& preset,
                       const std::string& command) {
  const sim::EnvironmentSpec spec = sim::ParseSpec(robot.files, robot.spec);
  Config config;
  try {
    for (const std::string& setting : spec.SettingsOf(preset, command)) {
      core::ApplySetting(config, setting);
    }
  } catch (const Error& error) {
    Fail("{}: settings for {}: {}", robot.spec, command, error.what());
  }
  return config;
}

// Adds the required MODEL.
void AddModel(Command& command, std::string& model);
// Adds --env with the rules and --rewards, which excludes the same options. Returns --env.
Option AddEnvironment(Command& command, std::string& environment, std::string& rewards,
                      const OptionRules& rules = {});
// Adds --picture, which draws `what`.
void AddPicture(Command& command, std::string& picture, const std::string& what);
// Throws the Error that drawing `picture` would end with: an unknown ending, or a folder that
// cannot be written. Nothing to check if it is "".
void CheckPicturePath(const std::string& picture);

// Returns the result of a job, or ends the command if the job was interrupted.
template <class T>
T Finished(std::optional<T> result, const char* message) {
  if (!result) core::FailInterrupted("{}", message);
  return std::move(*result);
}

// Prints the single JSON document of --json.
void PrintJson(const nlohmann::json& document);

// Draws `file` with a script of tools/pictures, unless `file` is "". Returns `file`, or "" if
// nothing was drawn.
std::string DrawRequested(std::string_view script, const nlohmann::json& document,
                          const std::string& file);

// Ends a command: prints `document` with --json and calls `print` without. Both name the drawn
// `picture`, unless it is "".
void PrintResult(const CommonOptions& options, nlohmann::json document, const std::string& picture,
                 core::FunctionRef<void()> print);

}  // namespace rhumb::cli
