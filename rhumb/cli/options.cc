#include "rhumb/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "rhumb/core/files/json_file.h"
#include "rhumb/core/files/temporary.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/report/picture.h"

namespace rhumb::cli {
namespace {

// CLI11 would read "-1" as the largest seed.
std::string CheckSeed(const std::string& text) {
  constexpr std::string_view kLargest = "18446744073709551615";
  const bool is_number =
      !text.empty() && text.find_first_not_of("0123456789") == text.npos &&
      (text.size() < kLargest.size() || (text.size() == kLargest.size() && text <= kLargest));
  return is_number ? "" : fmt::format("{} is not a whole number from 0 to 2^64 - 1", text);
}

std::string ComplainOfPicture(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".png" || ending == ".svg" || ending == ".pdf") return "";
  return fmt::format("cannot draw {}: the name of a picture must end in .png, .svg or .pdf", file);
}

}  // namespace

void CommonOptions::AddTo(Command& command) {
  threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  command.Add("--config", config_file, "settings from a TOML file");
  command.Add("--set", settings, "one setting, key=value; may be repeated", {.one_per_use = true});
  command.Add("--seed", seed, "seed for all random draws",
              {.complaint = CheckSeed, .show_default = true});
  command.Add("--threads", threads, "worker threads", {.between = {1, 1024}, .show_default = true});
  command.AddFlag("--json", json, "one JSON document on stdout; messages go to stderr");
  command.AddFlag("--verbose", verbose, "debug messages on stderr");
}

core::Job CommonOptions::MakeJob(bool quiet) const {
  return {.seed = seed,
          .threads = threads,
          .quiet = quiet,
          .verbose = verbose,
          .should_stop = core::WasInterrupted};
}

void AddPreset(Command& command, std::string& preset) {
  command.Add("--preset", preset, "settings to start from: ours or the paper's",
              {.one_of = {"default", "paper"}, .show_default = true});
}

Command AddGroup(Command parent, const std::string& name, const std::string& summary) {
  Command group = parent.AddCommand(name, summary);
  group.RequireCommand();
  return group;
}

void BeginCommand(const CommonOptions& options, const std::string& command,
                  const nlohmann::json& settings) {
  if (!options.verbose) return;
  core::SetLogLevel(core::LogLevel::kDebug);
  core::LogDebug("{}: seed {}, threads {}, settings {}", command, options.seed, options.threads,
                 core::DumpJson(settings));
}

void AddModel(Command& command, std::string& model) {
  command.Add("MODEL", model, "folder of a model, or its name in the zoo", kRequired);
}

Option AddEnvironment(Command& command, std::string& environment, std::string& rewards,
                      const OptionRules& rules) {
  Option env =
      command.Add("--env", environment, "id from `rhumb envs list`, or a spec FILE.toml", rules);
  command.Add("--rewards", rewards, "reward preset (default: the environment's)",
              {.excludes = rules.excludes});
  return env;
}

void AddPicture(Command& command, std::string& picture, const std::string& what) {
  command.Add("--picture", picture, fmt::format("draw {} to FILE.png, .svg or .pdf", what),
              {.complaint = ComplainOfPicture});
}

void CheckPicturePath(const std::string& picture) {
  if (picture.empty()) return;
  const std::string complaint = ComplainOfPicture(picture);
  if (!complaint.empty()) Fail("{}", complaint);
  core::Temporary::MakeFile(picture);
}

void PrintJson(const nlohmann::json& document) { fmt::print("{}\n", core::DumpJson(document, 2)); }

std::string DrawRequested(std::string_view script, const nlohmann::json& document,
                          const std::string& file) {
  return !file.empty() && report::DrawPicture(script, document, file) ? file : "";
}

void PrintResult(const CommonOptions& options, nlohmann::json document, const std::string& picture,
                 core::FunctionRef<void()> print) {
  if (!picture.empty()) document["picture"] = picture;
  if (options.json) return PrintJson(document);
  print();
  if (!picture.empty()) fmt::print("picture: {}\n", picture);
}

}  // namespace rhumb::cli
