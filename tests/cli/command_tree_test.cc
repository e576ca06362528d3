#include "rhumb/cli/command_tree.h"

#include <gmock/gmock.h>

#include <sstream>

namespace rhumb::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

CommandTree Leaf(const std::string& group, const std::string& name) {
  CommandTree leaf;
  leaf.path = {group, name};
  leaf.summary = "does " + name;
  leaf.options = {{.names = {"MODEL"}, .help = "a model", .required = true, .positional = true},
                  {.names = {"--out"}, .help = "where to write", .value = "TEXT"},
                  {.names = {"--mode"},
                   .help = "how to act",
                   .value = "TEXT",
                   .default_value = "sampled",
                   .words = {"sampled", "mean"}}};
  leaf.settings = {{.key = "epochs",
                    .type = "integer",
                    .default_value = "300",
                    .range = "1 to 9",
                    .unit = "",
                    .help = "passes over the data"}};
  leaf.examples = "  rhumb " + group + " " + name + " \\\n    --out a\n  rhumb second\n";
  return leaf;
}

// rhumb model train | ground, and rhumb steer.
CommandTree Tree() {
  CommandTree root;
  root.summary = "Rhumb.";
  root.options = {{.names = {"-h", "--help"}, .help = "help"}};
  CommandTree& model = root.commands.emplace_back();
  model.path = {"model"};
  model.summary = "maps";
  model.commands = {Leaf("model", "train"), Leaf("model", "ground")};
  CommandTree& steer = root.commands.emplace_back(Leaf("steer", "x"));
  steer.path = {"steer"};
  return root;
}

std::size_t LongestLine(const std::string& text) {
  std::istringstream stream(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(stream, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST(CommandTree, HelpByHand) {
  EXPECT_EQ(FormatHelp(Tree().commands[1], 100),
            "does x\n"
            "Usage: rhumb steer [OPTIONS] MODEL\n"
            "\nArguments:\n"
            "  MODEL REQUIRED              a model\n"
            "\nOptions:\n"
            "  --out TEXT                  where to write\n"
            "  --mode TEXT                 how to act [sampled | mean] (default sampled)\n"
            "\nSettings (--config FILE.toml or --set key=value):\n"
            "  epochs                      passes over the data; default 300, 1 to 9\n"
            "\nExamples:\n"
            "  rhumb steer x \\\n"
            "    --out a\n"
            "  rhumb second\n");
}

TEST(CommandTree, HelpKeepsToItsWidth) {
  CommandTree command = Tree().commands[1];
  command.options[1].help = "one two three four five six seven eight nine ten eleven twelve";
  command.examples = "";
  EXPECT_LE(LongestLine(FormatHelp(command, 50)), 50u);
  EXPECT_GT(LongestLine(FormatHelp(command, 100)), 50u);
}

TEST(CommandTree, AGroupShowsAnExampleOfEachOfItsCommands) {
  const std::string help = FormatHelp(Tree().commands[0], 100);
  EXPECT_THAT(help, HasSubstr("Subcommands:\n  train                       does train\n"));
  EXPECT_THAT(help, HasSubstr("Examples:\n  rhumb model train \\\n    --out a\n"
                              "  rhumb model ground \\\n    --out a\n"));
  EXPECT_THAT(help, Not(HasSubstr("rhumb second")));
}

TEST(CommandTree, TheManPageHasEveryCommandOptionAndSetting) {
  const std::string page = FormatManPage(Tree());
  EXPECT_THAT(page, AllOf(HasSubstr(".TH RHUMB 1"), HasSubstr(".SS rhumb model ground\n"),
                          HasSubstr(".B \\-\\-mode TEXT\n"), HasSubstr(".I epochs\n")));
}

TEST(CommandTree, CompletionKnowsCommandsOptionsAndWords) {
  const std::string script = FormatCompletion(Tree(), "bash");
  EXPECT_THAT(script, AllOf(HasSubstr("'') words='model steer -h --help' ;;"),
                            HasSubstr("'model') words='train ground' ;;"),
                            HasSubstr("'model train') words='--out --mode' ;;"),
                            HasSubstr("'model train --mode') words='sampled mean' ;;"),
                            HasSubstr("'model train --set') words='epochs=' ;;")));
  EXPECT_THAT(FormatCompletion(Tree(), "zsh"), HasSubstr("bashcompinit"));
}

TEST(CommandTree, Misspellings) {
  const CommandTree tree = Tree();
  EXPECT_EQ(FindMisspelling(tree, {"ster", "m"}), "unknown command 'ster'; did you mean 'steer'?");
  EXPECT_EQ(FindMisspelling(tree, {"model", "grond"}),
            "unknown command 'model grond'; did you mean 'ground'?");
  EXPECT_EQ(FindMisspelling(tree, {"steer", "--moed", "mean"}),
            "unknown option '--moed' of rhumb steer; did you mean '--mode'?");
  EXPECT_EQ(FindMisspelling(tree, {"steer", "--epochs", "3"}),
            "unknown option '--epochs' of rhumb steer; it is a setting: --set epochs=VALUE");
  EXPECT_EQ(FindMisspelling(tree, {"steer", "--entirely-other"}),
            "unknown option '--entirely-other' of rhumb steer; `rhumb steer --help` lists them");
  EXPECT_EQ(
      FindMisspelling(tree, {"steer", "m", "--out=a", "--mode", "mean", "-3<=x", "--", "--z"}), "");
  EXPECT_EQ(FindMisspelling(tree, {"-v"}),
            "unknown option '-v' of rhumb; `rhumb --help` lists them");
  EXPECT_EQ(FindMisspelling(tree, {"steer", "-v"}), "") << "may be a value";
  // Nothing but dashes.
  EXPECT_THAT(FindMisspelling(tree, {"---"}), HasSubstr("unknown option '---' of rhumb"));
  EXPECT_THAT(FindMisspelling(tree, {"-=3"}), HasSubstr("unknown option '-' of rhumb"));
  EXPECT_EQ(FindMisspelling(tree, {"-h"}), "");
  EXPECT_EQ(FindMisspelling(tree, {"--help"}), "");
  EXPECT_EQ(FindMisspelling(tree, {}), "");
}

}  // namespace
}  // namespace rhumb::cli
