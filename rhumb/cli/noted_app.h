// A command of the parser, with the notes that CLI11 has no place for. Includes CLI11, so only
// command.cc and command_line.cc include it.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rhumb/cli/command_tree.h"

namespace rhumb::cli {

class NotedApp : public CLI::App {
 public:
  // --help shows FormatHelp of the tree below this command.
  NotedApp(const std::string& summary, const std::string& name);

  std::vector<core::FieldDescription> settings;
  std::string examples, notes;
  std::map<const CLI::Option*, std::vector<std::string>> words;  // the allowed values
};

// The command and all below it; `app` is a NotedApp.
CommandTree DescribeTree(const CLI::App& app);

}  // namespace rhumb::cli
