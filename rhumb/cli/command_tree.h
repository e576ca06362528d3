// The commands as plain data: the one source of --help, the man page, shell completion and the
// messages about misspelt words. command.cc fills it in from the parser.
#pragma once

#include <string>
#include <vector>

#include "rhumb/core/process/config.h"

namespace rhumb::cli {

struct OptionText {
  std::vector<std::string> names;  // "--maximise", "--maximize"; or one argument's name, "MODEL"
  std::string help = {};
  std::string value = {};               // what follows, "FILE"; "" for a flag
  std::string default_value = {};       // "" if not shown
  std::vector<std::string> words = {};  // the allowed values; empty for any
  bool required = false;
  bool positional = false;
};

struct CommandTree {
  std::vector<std::string> path;  // as typed after `rhumb`; empty for rhumb itself
  std::string summary;
  std::vector<OptionText> options;
  std::vector<core::FieldDescription> settings;
  std::string examples;  // lines
  std::string notes;     // lines at the end
  std::vector<CommandTree> commands;

  std::string Name() const;  // "rhumb dataset show"
  // The subcommand of this name, or null.
  const CommandTree* Find(const std::string& name) const;
};

// The text of --help. No line is longer than `width` columns, unless a single word is.
std::string FormatHelp(const CommandTree& command, std::size_t width);
// Columns for help: those of the terminal, at most 100.
std::size_t HelpWidth();

// A man page of all commands, in the language of man.
std::string FormatManPage(const CommandTree& root);

// A script that completes commands, options and their words. `shell` is "bash" or "zsh".
std::string FormatCompletion(const CommandTree& root, const std::string& shell);

// Returns what is wrong with the words after `rhumb`: an unknown command or option, with the
// nearest known one. Returns "" if the parser may have them.
std::string FindMisspelling(const CommandTree& root, const std::vector<std::string>& words);

}  // namespace rhumb::cli
