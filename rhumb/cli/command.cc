#include "rhumb/cli/command.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace rhumb::cli {

template <class T>
Option Command::Add(const std::string& names, T& value, const std::string& help,
                    const OptionRules& rules) {
  Option option = app_->add_option(names, value, help)->required(rules.required);
  if (!rules.one_of.empty()) option->check(CLI::IsMember(rules.one_of));
  if (const auto [low, high] = rules.between; low < high) option->check(CLI::Range(low, high));
  if (rules.complaint != nullptr) option->check(rules.complaint, "", "");
  if (rules.delimiter != '\0') option->delimiter(rules.delimiter);
  if (rules.one_per_use) option->allow_extra_args(false);
  for (Option other : rules.needs) option->needs(other);
  for (Option other : rules.excludes) option->excludes(other);
  if (rules.show_default) option->capture_default_str();
  return option;
}

#define RHUMB_ADD(...)                                                       \
  template Option Command::Add(const std::string& names, __VA_ARGS__& value, \
                               const std::string& help, const OptionRules& rules)
RHUMB_ADD(int);
RHUMB_ADD(double);
RHUMB_ADD(std::uint64_t);
RHUMB_ADD(std::int64_t);
RHUMB_ADD(std::string);
RHUMB_ADD(std::filesystem::path);
RHUMB_ADD(std::vector<int>);
RHUMB_ADD(std::vector<std::string>);
RHUMB_ADD(std::vector<std::filesystem::path>);
RHUMB_ADD(std::optional<int>);
RHUMB_ADD(std::optional<double>);
RHUMB_ADD(std::optional<std::int64_t>);
#undef RHUMB_ADD

void Command::AddFlag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help);
}

void Command::AddChoice(const std::string& name, const std::vector<std::string>& words,
                        const std::string& default_word,
                        const std::function<void(const std::string&)>& take,
                        const std::string& help) {
  app_->add_option_function<std::string>(name, take, help)
      ->check(CLI::IsMember(words))
      ->default_str(default_word);
}

void Command::Remove(const std::string& name) { app_->remove_option(app_->get_option(name)); }

Command Command::AddCommand(const std::string& name, const std::string& summary) {
  return Command(*app_->add_subcommand(name, summary));
}

void Command::RequireCommand() { app_->require_subcommand(1); }

void Command::SetFooter(const std::string& text) { app_->footer(text); }

void Command::SetAction(std::function<void()> action) { app_->callback(std::move(action)); }

std::string Command::FullName() const {
  const CLI::App* parent = app_->get_parent();
  const bool is_grouped = parent != nullptr && parent->get_parent() != nullptr;
  return is_grouped ? parent->get_name() + " " + app_->get_name() : app_->get_name();
}

}  // namespace rhumb::cli
