// A command while its options are declared. CLI11 parses; only command.cc and command_line.cc
// include its header, because it costs each unit four seconds.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rhumb::cli {

// A declared option, which the rules of others may name.
using Option = CLI::Option*;

struct OptionRules {
  bool required = false;
  std::vector<std::string> one_of = {};  // the allowed words; empty for all
  std::array<int, 2> between = {};       // the lowest and the highest number; equal ends allow any
  // Returns what is wrong with a text, or "".
  std::string (*complaint)(const std::string& text) = nullptr;
  char delimiter = '\0';     // between the values of a list
  bool one_per_use = false;  // a list grows by one value each time it is given
  std::vector<Option> needs = {}, excludes = {};
  bool show_default = false;  // in --help
};
inline const OptionRules kRequired = {.required = true}, kShowDefault = {.show_default = true};

// Refers to a command of the parser, which owns it.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  // `names` is "--out", or "OUT" for an argument by position. The value is written when the command
  // line is parsed. Defined for the types that commands use: numbers, words, paths, and lists and
  // optional values of these.
  template <class T>
  Option Add(const std::string& names, T& value, const std::string& help,
             const OptionRules& rules = {});
  void AddFlag(const std::string& name, bool& value, const std::string& help);
  // Calls `take` with one of the words.
  void AddChoice(const std::string& name, const std::vector<std::string>& words,
                 const std::string& default_word,
                 const std::function<void(const std::string&)>& take, const std::string& help);
  void Remove(const std::string& name);

  Command AddCommand(const std::string& name, const std::string& summary);
  void RequireCommand();  // exactly one of those added must follow
  // What --help says beyond the options. Examples are lines.
  void SetNotes(std::vector<core::FieldDescription> settings, const std::string& examples);
  void SetAction(std::function<void()> action);
  // As it is typed after `rhumb`: "dataset show".
  std::string FullName() const;

 private:
  CLI::App* app_;
};

}  // namespace rhumb::cli
