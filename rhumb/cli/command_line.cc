#include "rhumb/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "rhumb/cli/commands.h"
#include "rhumb/core/error.h"
#include "rhumb/core/exit_code.h"
#include "rhumb/core/version.h"

namespace rhumb::cli {
int RunCommandLine(int argc, char** argv) {
  CLI::App app("Rhumb learns a map of behaviours and steers on it at test time.", "rhumb");
  app.set_version_flag("--version", fmt::format("rhumb {}", core::kVersion));
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  rhumb envs list\n"
      "  rhumb play --env mo-halfcheetah-v5 --policy random --video cheetah.gif\n"
      "`rhumb COMMAND --help` has each command's settings, units and defaults.\n"
      "Exit codes: 0 done, 2 bad input or usage, 3 an infeasible or refused query, 130 interrupted "
      "with the work saved, 1 a bug of "
      "ours.");
  AddEnvsCommand(app);
  AddPlayCommand(app);
  AddPopulationCommand(app);
  AddDatasetCommand(app);
  AddModelCommand(app);
  AddEncodeCommand(app);
  AddSelfTestCommand(app);
  AddSteerCommand(app);
  AddEvaluateCommand(app);
  AddReproduceCommand(app);
  AddZooCommand(app);
  AddVersionCommand(app);
  try {
    app.parse(argc, argv);
    if (std::fflush(stdout) != 0) Fail("stdout cannot be written");
    return core::kDone;
  } catch (const CLI::ParseError& problem) {
    // Help and version arrive here too, with exit code 0.
    return app.exit(problem) == 0 ? core::kDone : core::kBadInput;
  } catch (const core::CommandFailed& end) {
    fmt::print(stderr, "rhumb: {}{}\n",
               end.code == core::kInterrupted ? "" : "error: ", end.message);
    return end.code;
  } catch (const Error& problem) {
    fmt::print(stderr, "rhumb: error: {}\n", problem.what());
    return core::kBadInput;
  } catch (const std::filesystem::filesystem_error& problem) {
    // A full disk, or something of the user's in the way.
    fmt::print(stderr, "rhumb: error: {}\n", problem.what());
    return core::kBadInput;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "rhumb: a bug of ours: {}\n", problem.what());
    return core::kOurBug;
  }
}

}  // namespace rhumb::cli
