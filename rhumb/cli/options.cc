#include "rhumb/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"

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

// A path or a setting that is not UTF-8 must not prevent printing a result.
std::string Dump(const nlohmann::json& document, int indent) {
  return document.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void CommonOptions::AddTo(CLI::App& command) {
  threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  command.add_option("--config", config_file, "settings from a TOML file");
  command.add_option("--set", settings, "one setting, key=value; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--seed", seed, "seed for all random draws")
      ->check(CheckSeed, "", "seed")
      ->capture_default_str();
  command.add_option("--threads", threads, "worker threads")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command.add_flag("--json", json, "one JSON document on stdout; messages go to stderr");
  command.add_flag("--verbose", verbose, "debug messages on stderr");
}

core::Job CommonOptions::MakeJob() const {
  return {
      .seed = seed, .threads = threads, .verbose = verbose, .should_stop = core::WasInterrupted};
}

void AddPreset(CLI::App& command, std::string& preset) {
  command
      .add_option("--preset", preset,
                  "settings to start from: this robot's defaults, or the paper's")
      ->check(CLI::IsMember({"default", "paper"}))
      ->capture_default_str();
}

CLI::App& AddGroup(CLI::App& parent, const std::string& name, const std::string& summary) {
  CLI::App* group = parent.add_subcommand(name, summary);
  group->require_subcommand(1);
  return *group;
}

std::string DescribeSettings(const std::vector<core::FieldDescription>& fields,
                             const std::string& examples) {
  std::string text;
  if (!fields.empty()) text += "Settings (--config FILE.toml or --set key=value):\n";
  for (const core::FieldDescription& field : fields) {
    std::string note = field.help;
    if (!field.unit.empty()) note += ", " + field.unit;
    note += "; default " + field.default_value;
    if (!field.range.empty()) note += ", " + field.range;
    text += fmt::format("  {:<26}{}\n", field.key, note);
  }
  if (!examples.empty()) text += "\nExamples:\n" + examples;
  return text;
}

void BeginCommand(const CommonOptions& options, const std::string& command,
                  const nlohmann::json& settings) {
  if (!options.verbose) return;
  core::SetLogLevel(core::LogLevel::kDebug);
  core::LogDebug("{}: seed {}, threads {}, settings {}", command, options.seed, options.threads,
                 Dump(settings, -1));
}

void PrintJson(const nlohmann::json& document) { fmt::print("{}\n", Dump(document, 2)); }

}  // namespace rhumb::cli
