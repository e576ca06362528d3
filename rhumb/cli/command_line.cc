#include "rhumb/cli/command_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/cli/command.h"
#include "rhumb/cli/commands.h"
#include "rhumb/cli/noted_app.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/text.h"
#include "rhumb/core/version.h"

namespace rhumb::cli {
namespace {

// Writes one line to stderr, without control characters. Never throws, although fmt::print does if
// stderr cannot be written.
void Say(std::string_view kind, std::string_view message) {
  const std::string line = core::MessageLine(fmt::format("rhumb: {}", kind), message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

// A file opened later must not get the number of a standard stream that the caller closed. Messages
// vanish, but nothing can be written to the new stdout: a lost result is an error.
void OpenClosedStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void AddCommands(NotedApp& parser) {
  parser.set_version_flag("--version", fmt::format("rhumb {}", core::kVersion),
                          "print the version");
  parser.require_subcommand(1);
  parser.examples =
      "  rhumb steer halfcheetah --target forward=6000 --require 'energy>=-3000' --rollouts 8\n"
      "  rhumb envs list\n"
      "  rhumb play --env mo-halfcheetah-v5 --policy random --video cheetah.webp\n";
  parser.notes =
      "`rhumb help COMMAND` describes a command and its settings, with units and defaults.\n"
      "`rhumb completion bash` prints a script for Tab, `rhumb help --man` a man page.\n"
      "Exit codes: 0 done, 1 a bug in rhumb, 2 bad input or usage, 3 infeasible or refused query,\n"
      "130 interrupted with the work saved.\n";
  Command app(parser);
  AddEnvsCommand(app);
  AddPlayCommand(app);
  AddPopulationCommand(app);
  AddDatasetCommand(app);
  AddModelCommand(app);
  AddEncodeCommand(app);
  AddSteerCommand(app);
  AddServeCommand(app);
  AddEvaluateCommand(app);
  AddReproduceCommand(app);
  AddUnitsCommand(app);
  AddExportCommand(app);
  AddZooCommand(app);
  AddVersionCommand(app);
  AddSelfTestCommand(app);
  const auto describe = [&parser] { return DescribeTree(parser); };
  AddHelpCommand(app, describe);
  AddCompletionCommand(app, describe);
}

// CLI11 says "A subcommand is required" of a misspelt one.
void CheckSpelling(const NotedApp& app, int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) Fail("a command is missing; `rhumb help` lists them");
  const std::string problem = FindMisspelling(DescribeTree(app), words);
  if (!problem.empty()) Fail("{}", problem);
}

int RunCommand(NotedApp& app, int argc, char** argv) {
  try {
    CheckSpelling(app, argc, argv);
    app.parse(argc, argv);
    return core::kSuccess;
  } catch (const CLI::ParseError& problem) {
    // Help and version arrive here too, with exit code 0.
    if (problem.get_exit_code() == 0) return app.exit(problem);
    Say("error: ", fmt::format("{}; --help shows what is allowed", problem.what()));
    return core::kBadInput;
  } catch (const core::CommandFailed& end) {
    // An interrupt and an infeasible query are not errors.
    const bool is_error = end.code != core::kInterrupted && end.code != core::kRefused;
    Say(is_error ? "error: " : "", end.message);
    return end.code;
  } catch (const std::exception& problem) {
    // fmt::print throws if stdout cannot be written. The caller reports that.
    if (std::ferror(stdout) != 0) return core::kSuccess;
    const core::CommandFailed end = core::EndingOf(problem);
    Say(end.code == core::kOurBug ? "internal error: " : "error: ", end.message);
    return end.code;
  }
}

}  // namespace

int RunCommandLine(int argc, char** argv) {
  OpenClosedStreams();
  NotedApp app("Rhumb learns a map of behaviours and steers on it at test time.", "rhumb");
  AddCommands(app);
  const int code = RunCommand(app, argc, argv);
  // A lost result is an error, unless the command already failed with another one.
  const bool is_lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!is_lost || (code != core::kSuccess && code != core::kRefused)) return code;
  Say("error: ", "stdout cannot be written");
  return core::kBadInput;
}

}  // namespace rhumb::cli
