#include "rhumb/cli/command.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace rhumb::cli {

const Option& Option::Required() const {
  option_->required();
  return *this;
}

const Option& Option::ShowDefault() const {
  option_->capture_default_str();
  return *this;
}

const Option& Option::Delimiter(char delimiter) const {
  option_->delimiter(delimiter);
  return *this;
}

const Option& Option::OnePerUse() const {
  option_->allow_extra_args(false);
  return *this;
}

const Option& Option::OneOf(const std::vector<std::string>& words) const {
  option_->check(CLI::IsMember(words));
  return *this;
}

const Option& Option::Between(int low, int high) const {
  option_->check(CLI::Range(low, high));
  return *this;
}

const Option& Option::Check(std::string (*complaint)(const std::string& text)) const {
  option_->check(complaint, "", "");
  return *this;
}

const Option& Option::Needs(const Option& other) const {
  option_->needs(other.option_);
  return *this;
}

const Option& Option::Excludes(const Option& other) const {
  option_->excludes(other.option_);
  return *this;
}

template <class T>
Option Command::Add(const std::string& names, T& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

#define RHUMB_ADD(...)                                                       \
  template Option Command::Add(const std::string& names, __VA_ARGS__& value, \
                               const std::string& help)
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

Option Command::AddFlag(const std::string& name, bool& value, const std::string& help) {
  return Option(app_->add_flag(name, value, help));
}

Option Command::AddChoice(const std::string& name, const std::vector<std::string>& words,
                          const std::string& default_word,
                          const std::function<void(const std::string&)>& take,
                          const std::string& help) {
  return Option(app_->add_option_function<std::string>(name, take, help)
                    ->check(CLI::IsMember(words))
                    ->default_str(default_word));
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
