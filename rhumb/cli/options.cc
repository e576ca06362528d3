#include "rhumb/cli/options.h"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "rhumb/core/interrupt.h"

namespace rhumb::cli {

void CommonOptions::AddTo(CLI::App& command) {
  threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  command.add_option("--config", config_file, "settings from a TOML file");
  command.add_option("--set", settings, "one setting, key=value; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--seed", seed, "of everything random")->capture_default_str();
  command.add_option("--threads", threads, "to work on")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command.add_flag("--json", json, "one JSON document on stdout; messages go to stderr");
  command.add_flag("--verbose", verbose, "say more on stderr");
}

core::Job CommonOptions::MakeJob() const {
  return {.seed = seed, .threads = threads, .should_stop = core::WasInterrupted};
}

void PrintJson(const nlohmann::json& document) { fmt::print("{}\n", document.dump(2)); }

void DescribeSettings(CLI::App& command, const std::vector<core::FieldDescription>& fields,
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
  command.footer(text);
}

}  // namespace rhumb::cli
