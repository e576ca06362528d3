// A command while its options are declared. CLI11 parses; it is compiled in command.cc alone,
// because its header costs every unit that includes it four seconds.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rhumb::cli {

// A declared option. Each function adds a rule and returns the option, so rules can be chained.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  const Option& Required() const;
  const Option& ShowDefault() const;              // in --help
  const Option& Delimiter(char delimiter) const;  // between the values of a list
  const Option& OnePerUse() const;                // a list grows by one value each time it is given
  const Option& OneOf(const std::vector<std::string>& words) const;
  const Option& Between(int low, int high) const;
  // `complaint` returns what is wrong with a text, or "".
  const Option& Check(std::string (*complaint)(const std::string& text)) const;
  const Option& Needs(const Option& other) const;
  const Option& Excludes(const Option& other) const;

 private:
  CLI::Option* option_;
};

// Refers to a command of the parser, which owns it.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  // `names` is "--out", or "OUT" for an argument by position. The value is written when the command
  // line is parsed. Defined for the types that commands use: numbers, words, paths, and lists and
  // optional values of these.
  template <class T>
  Option Add(const std::string& names, T& value, const std::string& help);
  Option AddFlag(const std::string& name, bool& value, const std::string& help);
  // Calls `take` with one of the words.
  Option AddChoice(const std::string& name, const std::vector<std::string>& words,
                   const std::string& default_word,
                   const std::function<void(const std::string&)>& take, const std::string& help);
  void Remove(const std::string& name);

  Command AddCommand(const std::string& name, const std::string& summary);
  void RequireCommand();  // exactly one of those added must follow
  void SetFooter(const std::string& text);
  void SetAction(std::function<void()> action);
  // As it is typed after `rhumb`: "dataset show".
  std::string FullName() const;

 private:
  CLI::App* app_;
};

}  // namespace rhumb::cli
