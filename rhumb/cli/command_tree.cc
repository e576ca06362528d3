#include "rhumb/cli/command_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "rhumb/core/text.h"

namespace rhumb::cli {
namespace {

constexpr std::size_t kMaxWidth = 100, kMinWidth = 40;
constexpr std::size_t kHelpColumn = 30;  // where the help of an option begins

// Appends `text`, which begins in column `column`, and indents its further lines by `indent`.
void AppendWrapped(const std::string& text, std::size_t column, std::size_t indent,
                   std::size_t width, std::string& out) {
  std::istringstream words(text);
  bool first = true;
  for (std::string word; words >> word;) {
    if (!first && column + 1 + word.size() > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    first = false;
  }
  out += "\n";
}

// Writes a name and its help in two columns.
void AppendEntry(const std::string& name, const std::string& help, std::size_t width,
                 std::string& out) {
  const std::size_t indent = std::min(kHelpColumn, width / 3);
  out += "  " + name;
  std::size_t column = 2 + name.size();
  if (help.empty()) {
    out += "\n";
    return;
  }
  if (column + 2 > indent) {
    out += "\n";
    column = 0;
  }
  out += std::string(indent - column, ' ');
  AppendWrapped(help, indent, indent, width, out);
}

std::string Signature(const OptionText& option) {
  std::string text = fmt::format("{}", fmt::join(option.names, ","));
  if (!option.value.empty() && !option.positional) text += " " + option.value;
  if (option.required) text += " REQUIRED";
  return text;
}

std::string HelpOf(const OptionText& option) {
  std::string text = option.help;
  if (!option.words.empty()) text += fmt::format(" [{}]", fmt::join(option.words, " | "));
  if (!option.default_value.empty()) text += fmt::format(" (default {})", option.default_value);
  return text;
}

std::string HelpOf(const core::FieldDescription& setting) {
  std::string note = setting.help;
  if (!setting.unit.empty()) note += ", " + setting.unit;
  note += "; default " + setting.default_value;
  if (!setting.range.empty()) note += ", " + setting.range;
  return note;
}

std::string UsageOf(const CommandTree& command) {
  std::string text = command.Name() + " [OPTIONS]";
  for (const OptionText& option : command.options) {
    if (option.positional) {
      text += option.required ? " " + option.names[0] : fmt::format(" [{}]", option.names[0]);
    }
  }
  if (!command.commands.empty()) text += " COMMAND";
  return text;
}

// A group has no examples of its own; it shows the first of each of its commands.
std::string ExamplesOf(const CommandTree& command) {
  if (!command.examples.empty() || command.path.empty()) return command.examples;
  std::string lines;
  for (const CommandTree& one : command.commands) {
    std::istringstream stream(one.examples);
    for (std::string line; std::getline(stream, line);) {
      lines += line + "\n";
      if (!line.ends_with('\\')) break;
    }
  }
  return lines;
}

// Escapes text for troff.
std::string Escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out.insert(0, "\\&");
  return out;
}

void AppendExample(const std::string& lines, std::string& page) {
  page += ".nf\n";
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) page += Escaped(line) + "\n";
  page += ".fi\n";
}

void AppendManSection(const CommandTree& command, std::string& page) {
  page += fmt::format(".SS {}\n{}\n", Escaped(command.Name()), Escaped(command.summary));
  for (const OptionText& option : command.options) {
    page += fmt::format(".TP\n.B {}\n{}\n", Escaped(Signature(option)), Escaped(HelpOf(option)));
  }
  if (!command.settings.empty()) page += ".P\nSettings, for \\-\\-set and \\-\\-config:\n";
  for (const core::FieldDescription& setting : command.settings) {
    page += fmt::format(".TP\n.I {}\n{}\n", Escaped(setting.key), Escaped(HelpOf(setting)));
  }
  if (command.commands.empty() && !command.examples.empty()) {
    page += ".P\n";
    AppendExample(command.examples, page);
  }
  for (const CommandTree& one : command.commands) AppendManSection(one, page);
}

// Adds a line "path) words=… ;;" for each command, and one for each option with fixed words.
void AppendCases(const CommandTree& command, std::string& commands, std::string& values) {
  std::vector<std::string> words;
  const std::string path = fmt::format("{}", fmt::join(command.path, " "));
  for (const CommandTree& one : command.commands) words.push_back(one.path.back());
  for (const OptionText& option : command.options) {
    if (option.positional) continue;
    for (const std::string& name : option.names) {
      words.push_back(name);
      if (!option.words.empty()) {
        values +=
            fmt::format("    '{} {}') words='{}' ;;\n", path, name, fmt::join(option.words, " "));
      }
    }
  }
  if (!command.settings.empty()) {
    std::vector<std::string> keys;
    for (const core::FieldDescription& setting : command.settings)
      keys.push_back(setting.key + "=");
    values += fmt::format("    '{} --set') words='{}' ;;\n", path, fmt::join(keys, " "));
  }
  commands += fmt::format("    '{}') words='{}' ;;\n", path, fmt::join(words, " "));
  for (const CommandTree& one : command.commands) AppendCases(one, commands, values);
}

// Adds the paths of all groups, which have commands below them.
void AppendGroups(const CommandTree& command, std::vector<std::string>& groups) {
  if (command.commands.empty()) return;
  groups.push_back(fmt::format("'{}'", fmt::join(command.path, " ")));
  for (const CommandTree& one : command.commands) AppendGroups(one, groups);
}

constexpr const char* kCompletion = R"(# Completes the commands, options and settings of rhumb.
_rhumb() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} path='' words='' i
  # The commands before the cursor: words go on to name one while the path is a group.
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path" in
    {groups}) ;;
    *) break ;;
    esac
    [[ ${{COMP_WORDS[i]}} == -* ]] || path="${{path:+$path }}${{COMP_WORDS[i]}}"
  done
  case "$path $before" in
{values}  esac
  if [[ -z $words ]]; then
    case "$path" in
{commands}    esac
    # A word that is neither a command nor an option is a file.
    case "$path" in
    {groups}) ;;
    *) [[ $word == -* ]] || words='' ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ $before != --set || ${{#COMPREPLY[@]}} -ne 1 ]] || compopt -o nospace 2>/dev/null
}}
complete -o default -F _rhumb rhumb
)";

bool HasOption(const CommandTree& command, const std::string& name) {
  return std::ranges::any_of(command.options, [&](const OptionText& option) {
    return std::ranges::count(option.names, name) > 0;
  });
}

std::string DescribeUnknownOption(const CommandTree& command, const std::string& name) {
  std::string text = fmt::format("unknown option '{}' of {}", name, command.Name());
  const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  for (const core::FieldDescription& setting : command.settings) {
    if (setting.key == bare) {
      return text + fmt::format("; it is a setting: --set {}=VALUE", bare);
    }
  }
  std::vector<std::string> known;
  for (const OptionText& option : command.options) {
    if (option.positional) continue;
    known.insert(known.end(), option.names.begin(), option.names.end());
  }
  // Every single letter is near to every other.
  const std::string nearest = name.starts_with("--") ? core::NearestWord(name, known) : "";
  return text + (nearest.empty() ? fmt::format("; `{} --help` lists them", command.Name())
                                 : fmt::format("; did you mean '{}'?", nearest));
}

}  // namespace

std::string CommandTree::Name() const {
  return path.empty() ? "rhumb" : fmt::format("rhumb {}", fmt::join(path, " "));
}

const CommandTree* CommandTree::Find(const std::string& name) const {
  const auto found = std::ranges::find_if(
      commands, [&](const CommandTree& one) { return one.path.back() == name; });
  return found == commands.end() ? nullptr : &*found;
}

std::size_t HelpWidth() {
  std::size_t width = kMaxWidth;
  const char* columns = std::getenv("COLUMNS");
  winsize size{};
  if (columns != nullptr && std::atoi(columns) > 0) {
    width = static_cast<std::size_t>(std::atoi(columns));
  } else if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width = size.ws_col;
  }
  return std::clamp(width, kMinWidth, kMaxWidth);
}

std::string FormatHelp(const CommandTree& command, std::size_t width) {
  std::string text;
  AppendWrapped(command.summary, 0, 0, width, text);
  text += "Usage: ";
  AppendWrapped(UsageOf(command), 7, 7, width, text);
  for (const bool positional : {true, false}) {
    bool any = false;
    for (const OptionText& option : command.options) {
      if (option.positional != positional) continue;
      if (!any) text += positional ? "\nArguments:\n" : "\nOptions:\n";
      any = true;
      AppendEntry(Signature(option), HelpOf(option), width, text);
    }
  }
  if (!command.commands.empty()) text += "\nSubcommands:\n";
  for (const CommandTree& one : command.commands) {
    AppendEntry(one.path.back(), one.summary, width, text);
  }
  if (!command.settings.empty()) {
    text += "\nSettings (--config FILE.toml or --set key=value):\n";
  }
  for (const core::FieldDescription& setting : command.settings) {
    AppendEntry(setting.key, HelpOf(setting), width, text);
  }
  if (const std::string examples = ExamplesOf(command); !examples.empty()) {
    text += "\nExamples:\n" + examples;
  }
  if (!command.notes.empty()) text += "\n" + command.notes;
  return text;
}

std::string FormatManPage(const CommandTree& root) {
  std::string page = fmt::format(
      ".TH RHUMB 1\n.SH NAME\nrhumb \\- {}\n.SH SYNOPSIS\n.B rhumb\n[COMMAND] [OPTIONS]\n"
      ".SH COMMANDS\n",
      Escaped(root.summary));
  for (const CommandTree& one : root.commands) AppendManSection(one, page);
  page += ".SH EXAMPLES\n";
  AppendExample(root.examples, page);
  page += ".SH NOTES\n";
  AppendExample(root.notes, page);
  return page;
}

std::string FormatCompletion(const CommandTree& root, const std::string& shell) {
  std::string commands, values;
  std::vector<std::string> groups;
  AppendCases(root, commands, values);
  AppendGroups(root, groups);
  const std::string script =
      fmt::format(fmt::runtime(kCompletion), fmt::arg("groups", fmt::join(groups, " | ")),
                  fmt::arg("values", values), fmt::arg("commands", commands));
  return shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" + script : script;
}

std::string FindMisspelling(const CommandTree& root, const std::vector<std::string>& words) {
  const CommandTree* command = &root;
  for (const std::string& word : words) {
    if (word == "--") return "";
    if (word.size() > 1 && word[0] == '-' && !std::isdigit(static_cast<unsigned char>(word[1]))) {
      const std::string name = word.substr(0, word.find('='));
      // A single dash may begin a value, but no command that has subcommands takes values.
      const bool is_option = name.starts_with("--") ? name.size() > 2 : !command->commands.empty();
      if (is_option && !HasOption(*command, name)) return DescribeUnknownOption(*command, name);
      continue;
    }
    if (command->commands.empty()) continue;
    const CommandTree* next = command->Find(word);
    if (next == nullptr) {
      std::vector<std::string> known;
      for (const CommandTree& one : command->commands) known.push_back(one.path.back());
      return fmt::format("unknown command '{}{}'{}",
                         command->path.empty() ? "" : command->path[0] + " ", word,
                         core::Suggestion(word, known));
    }
    command = next;
  }
  return "";
}

}  // namespace rhumb::cli
