// `rhumb help` and `rhumb completion`: the tree of commands, printed for people, man and shells.
#include <fmt/format.h>

#include <algorithm>

#include "rhumb/cli/command_tree.h"
#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/core/text.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;
using Describe = std::function<CommandTree()>;

struct HelpArguments {
  std::vector<std::string> words;
  bool man = false;

  void AddTo(Command& command) {
    command.Add("COMMAND", words, "the command to describe, for example: model train");
    command.AddFlag("--man", man, "print a man page of all commands");
  }
};

const CommandTree& FindCommand(const CommandTree& root, const std::vector<std::string>& words) {
  const CommandTree* command = &root;
  for (const std::string& word : words) {
    const CommandTree* next = command->Find(word);
    if (next == nullptr) {
      std::vector<std::string> known;
      for (const CommandTree& one : command->commands) known.push_back(one.path.back());
      Fail("unknown command '{}'{}", word, known.empty() ? "" : core::Suggestion(word, known));
    }
    command = next;
  }
  return *command;
}

struct CompletionArguments {
  std::string shell = "bash";

  void AddTo(Command& command) {
    command.Add("SHELL", shell, "the shell to complete for",
                {.one_of = {"bash", "zsh"}, .show_default = true});
  }
};

void PrintText(const CommonOptions& options, const std::string& text) {
  if (options.json) return PrintJson({{"text", text}});
  fmt::print("{}", text);
}

}  // namespace

void AddHelpCommand(Command& app, const Describe& describe) {
  AddCommand<HelpArguments>(
      app,
      {"help", "describe a command, or list all of them",
       "  rhumb help\n"
       "  rhumb help model train\n"
       "  rhumb help --man > rhumb.1 && man ./rhumb.1\n"},
      [describe](const CommonOptions& options, const HelpArguments& arguments) {
        const CommandTree root = describe();
        const CommandTree& command = FindCommand(root, arguments.words);
        PrintText(options, arguments.man ? FormatManPage(root) : FormatHelp(command, HelpWidth()));
      });
}

void AddCompletionCommand(Command& app, const Describe& describe) {
  AddCommand<CompletionArguments>(
      app,
      {"completion", "print a script that completes commands, options and settings with Tab",
       "  source <(rhumb completion bash)\n"
       "  rhumb completion bash > ~/.local/share/bash-completion/completions/rhumb\n"},
      [describe](const CommonOptions& options, const CompletionArguments& arguments) {
        PrintText(options, FormatCompletion(describe(), arguments.shell));
      });
}

}  // namespace rhumb::cli
