#include "rhumb/cli/command.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "rhumb/cli/noted_app.h"

namespace rhumb::cli {
namespace {

// Null for a parser that is not ours, in tests.
NotedApp* NotesOf(CLI::App* app) { return dynamic_cast<NotedApp*>(app); }

// Adds the option, twice if it can be given by position and by name.
void DescribeOption(const NotedApp& app, const CLI::Option& option,
                    std::vector<OptionText>& options) {
  OptionText text;
  text.help = option.get_description();
  if (const std::string type = option.get_type_name(); !type.empty()) {
    text.value = type.starts_with("TEXT") ? "TEXT" : "NUMBER";
  }
  text.default_value = option.get_default_str();
  if (const auto words = app.words.find(&option); words != app.words.end()) {
    text.words = words->second;
  }
  if (option.get_positional()) {
    OptionText& argument = options.emplace_back(text);
    argument.names = {option.get_name(true, false)};
    argument.required = option.get_required();
    argument.positional = true;
    text.help = "another way to write " + argument.names[0];
  } else {
    text.required = option.get_required();
  }
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  if (!text.names.empty()) options.push_back(text);
}

class TreeFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    return FormatHelp(DescribeTree(*app), HelpWidth());
  }
};

}  // namespace

NotedApp::NotedApp(const std::string& summary, const std::string& name) : CLI::App(summary, name) {
  formatter(std::make_shared<TreeFormatter>());
  set_help_flag("-h,--help", "print this help and exit");
}

CommandTree DescribeTree(const CLI::App& app) {
  const auto& noted = dynamic_cast<const NotedApp&>(app);
  CommandTree tree;
  for (const CLI::App* one = &app; one->get_parent() != nullptr; one = one->get_parent()) {
    tree.path.insert(tree.path.begin(), one->get_name());
  }
  tree.summary = app.get_description();
  tree.settings = noted.settings;
  tree.examples = noted.examples;
  tree.notes = noted.notes;
  for (const CLI::Option* option : app.get_options()) {
    DescribeOption(noted, *option, tree.options);
  }
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    tree.commands.push_back(DescribeTree(*one));
  }
  return tree;
}

template <class T>
Option Command::Add(const std::string& names, T& value, const std::string& help,
                    const OptionRules& rules) {
  Option option = app_->add_option(names, value, help)->required(rules.required);
  if (!rules.one_of.empty()) {
    option->check(CLI::IsMember(rules.one_of));
    if (NotedApp* noted = NotesOf(app_)) noted->words[option] = rules.one_of;
  }
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
  Option option = app_->add_option_function<std::string>(name, take, help)
                      ->check(CLI::IsMember(words))
                      ->default_str(default_word);
  if (NotedApp* noted = NotesOf(app_)) noted->words[option] = words;
}

void Command::Remove(const std::string& name) { app_->remove_option(app_->get_option(name)); }

Command Command::AddCommand(const std::string& name, const std::string& summary) {
  return Command(*app_->add_subcommand(std::make_shared<NotedApp>(summary, name)));
}

void Command::RequireCommand() { app_->require_subcommand(1); }

void Command::SetNotes(std::vector<core::FieldDescription> settings, const std::string& examples) {
  NotedApp* noted = NotesOf(app_);
  if (noted == nullptr) return;
  noted->settings = std::move(settings);
  noted->examples = examples;
}

void Command::SetAction(std::function<void()> action) { app_->callback(std::move(action)); }

std::string Command::FullName() const {
  const CLI::App* parent = app_->get_parent();
  const bool is_grouped = parent != nullptr && parent->get_parent() != nullptr;
  return is_grouped ? parent->get_name() + " " + app_->get_name() : app_->get_name();
}

}  // namespace rhumb::cli
