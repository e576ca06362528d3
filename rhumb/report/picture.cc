#include "rhumb/report/picture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "rhumb/core/child_process.h"
#include "rhumb/core/error.h"
#include "rhumb/core/exit_code.h"
#include "rhumb/core/file.h"
#include "rhumb/core/hash.h"
#include "rhumb/core/interrupt.h"
#include "rhumb/core/log.h"
#include "rhumb/core/path.h"
#include "rhumb/core/temporary.h"

namespace rhumb::report {
namespace {

namespace fs = std::filesystem;

// A build folder lies two levels below the folder that holds .deps.
fs::path Interpreter() {
  const char* chosen = std::getenv("RHUMB_PYTHON");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  return core::InstallationFolder().parent_path().parent_path() / ".deps/pictures/bin/python";
}

// Whether the command, its output on our stderr, ended well. An interrupt ends the command and
// ours.
bool RunOnStderr(const std::vector<std::string>& command, const fs::path& output) {
  bool is_ok = false;
  try {
    core::ChildProcess child(command, {.output = STDERR_FILENO});
    is_ok = child.Wait(SIGKILL).ok();
  } catch (const Error& error) {
    core::LogWarning("{}", error.what());
  }
  if (!is_ok && core::WasInterrupted()) {
    throw core::CommandFailed{
        core::kInterrupted,
        fmt::format("interrupted while {} was made; it was not written", output.string())};
  }
  return is_ok;
}

fs::path ScriptFolder() { return core::InstallationFolder() / "share/rhumb/pictures"; }

bool Exists(const fs::path& file, std::string_view product) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) return true;
  core::LogInfo(
      "no {}: {} is missing; tools/setup pictures gets it, or set RHUMB_PYTHON to a Python with "
      "matplotlib, UMAP and Jinja2",
      product, file.string());
  return false;
}

void Move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) Fail("cannot write {}: {}", to.string(), error.message());
}

}  // namespace

bool CanRunScripts(std::string_view product) { return Exists(Interpreter(), product); }

bool RunScript(std::string_view script, std::string_view product, const nlohmann::json& document,
               const std::vector<fs::path>& outputs) {
  const fs::path python = Interpreter();
  const fs::path file = ScriptFolder() / script;
  if (!Exists(python, product) || !Exists(file, product)) return false;
  const core::Temporary folder = core::Temporary::MakeFolder(outputs.front());
  const fs::path input = folder.path() / "input.json";
  core::WriteFileAtomically(input, document.dump());
  // -E -s -B: the user's own Python settings and packages stay out, and nothing is left beside the
  // script.
  std::vector<std::string> command = {python.string(), "-E",          "-s", "-B",
                                      file.string(),   input.string()};
  std::vector<fs::path> written;
  for (const fs::path& output : outputs) {
    const std::string name = fmt::format("output-{}", written.size());
    written.push_back((folder.path() / name).replace_extension(output.extension()));
    command.push_back(written.back().string());
  }
  if (!RunOnStderr(command, outputs.front())) {
    core::LogWarning("no {}: {} {} failed; tools/setup pictures makes its Python again", product,
                     python.string(), file.string());
    return false;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) Move(written[i], outputs[i]);
  return true;
}

bool DrawPicture(std::string_view script, const nlohmann::json& document, const fs::path& picture) {
  return RunScript(script, "picture", document, {picture});
}

std::string HashOfScripts() {
  std::error_code ignored;
  nlohmann::json hashes = nlohmann::json::object();
  for (const fs::directory_entry& file : fs::directory_iterator(ScriptFolder(), ignored)) {
    if (file.is_regular_file()) {
      hashes[file.path().filename().string()] = core::Sha256OfFile(file.path());
    }
  }
  return core::Sha256(hashes.dump());
}

}  // namespace rhumb::report
