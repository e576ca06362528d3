#include "rhumb/report/picture.h"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/file.h"
#include "rhumb/core/log.h"
#include "rhumb/core/path.h"
#include "rhumb/core/temporary.h"

namespace rhumb::report {
namespace {

namespace fs = std::filesystem;

// The binary is <build>/bin/rhumb, and a build folder is two below the one that holds .deps.

fs::path Interpreter() {
  const char* chosen = std::getenv("RHUMB_PYTHON");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  return core::InstallationFolder().parent_path().parent_path() / ".deps/pictures/bin/python";
}

// The exit status of the command, its output on our stderr; -1 where it could not be run or was
// killed.
int RunOnStderr(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, 2, 1);
  pid_t child = 0;
  const int failure =
      posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// What is needed and not there, in words.
void SayWhatIsMissing(const fs::path& missing) {
  core::LogInfo(
      "no picture: there is no {}; tools/setup pictures gets it, or set RHUMB_PYTHON to a Python "
      "with matplotlib",
      missing.string());
}

void Move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) Fail("cannot write {}: {}", to.string(), error.message());
}

}  // namespace

bool CanDrawPictures() {
  std::error_code ignored;
  const bool can = fs::exists(Interpreter(), ignored);
  if (!can) SayWhatIsMissing(Interpreter());
  return can;
}

bool DrawPicture(std::string_view script, const nlohmann::json& document, const fs::path& picture,
                 const fs::path& drawing) {
  const fs::path python = Interpreter();
  const fs::path file = core::InstallationFolder() / "share/rhumb/pictures" / script;
  std::error_code ignored;
  if (!fs::exists(python, ignored) || !fs::exists(file, ignored)) {
    SayWhatIsMissing(fs::exists(python, ignored) ? file : python);
    return false;
  }
  const core::Temporary folder = core::Temporary::MakeFolder(picture);
  const fs::path input = folder.path() / "input.json";
  const fs::path png = folder.path() / "picture.png", svg = folder.path() / "picture.svg";
  core::WriteFileAtomically(input, document.dump());
  // -E -s -B: the user's own Python settings and packages stay out, and nothing is left beside the
  // script.
  std::vector<std::string> command = {python.string(), "-E",           "-s",        "-B",
                                      file.string(),   input.string(), png.string()};
  if (!drawing.empty()) command.push_back(svg.string());
  const int status = RunOnStderr(command);
  if (status != 0) {
    core::LogWarning("no picture: {} {} failed; tools/setup pictures makes its Python again",
                     python.string(), file.string());
    return false;
  }
  if (!drawing.empty()) Move(svg, drawing);
  Move(png, picture);
  return true;
}

}  // namespace rhumb::report
