#include "rhumb/report/picture.h"

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/hash.h"
#include "rhumb/core/files/path.h"
#include "rhumb/core/files/temporary.h"
#include "rhumb/core/process/child_process.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"

namespace rhumb::report {
namespace {

namespace fs = std::filesystem;

// A build folder lies two levels below the folder that holds .deps.
fs::path Interpreter() {
  const char* chosen = std::getenv("RHUMB_PYTHON");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  return core::InstallationFolder().parent_path().parent_path() / ".deps/pictures/bin/python";
}

void CheckInterrupt(const fs::path& output) {
  if (!core::WasInterrupted()) return;
  core::FailInterrupted("interrupted while making {}; it was not written", output.string());
}

// Returns the command's stdout, or nothing if it fails. An interrupt kills the script, and no other
// script starts after it.
std::optional<std::string> Run(const std::vector<std::string>& command,
                               const nlohmann::json& document, const fs::path& output) {
  CheckInterrupt(output);
  try {
    core::CapturedRun run = core::RunCaptured(command, document.dump());
    if (run.end.ok()) return std::move(run.output);
  } catch (const Error& error) {
    core::LogWarning("{}", error.what());
  }
  CheckInterrupt(output);
  return std::nullopt;
}

fs::path ScriptFolder() { return core::InstallationFolder() / "share/rhumb/pictures"; }

bool Exists(const fs::path& file, std::string_view product) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) return true;
  core::LogInfo(
      "no {}: {} is missing; run tools/setup pictures, or set RHUMB_PYTHON to a Python with "
      "matplotlib, UMAP and Jinja2",
      product, file.string());
  return false;
}

}  // namespace

bool CanRunScripts(std::string_view product) { return Exists(Interpreter(), product); }

bool RunScript(std::string_view script, std::string_view product, const nlohmann::json& document,
               const std::vector<fs::path>& outputs) {
  const fs::path python = Interpreter();
  const fs::path file = ScriptFolder() / script;
  if (!Exists(python, product) || !Exists(file, product)) return false;
  // -E -s -B keep out the user's Python settings and packages, and leave nothing beside the
  // script. The document and the first output pass through memory, so a killed process leaves
  // nothing beside that output.
  const std::string ending = outputs.front().extension().string();
  const std::string format = ending == ".svg" || ending == ".pdf" ? ending : "";
  std::vector<std::string> command = {
      python.string(), "-E", "-s", "-B", file.string(), "/dev/stdin", "/dev/stdout" + format};
  std::vector<std::unique_ptr<core::Temporary>> others;
  for (const fs::path& output : std::span(outputs).subspan(1)) {
    others.emplace_back(new core::Temporary(core::Temporary::MakeFile(output)));
    command.push_back(others.back()->path().string());
  }
  const std::optional<std::string> first = Run(command, document, outputs.front());
  if (!first) {
    core::LogWarning("no {}: {} {} failed; tools/setup pictures reinstalls its Python", product,
                     python.string(), file.string());
    return false;
  }
  for (const std::unique_ptr<core::Temporary>& other : others) other->MoveToFinal();
  core::WriteFileAtomically(outputs.front(), *first);
  return true;
}

bool DrawPicture(std::string_view script, const nlohmann::json& document, const fs::path& picture) {
  return RunScript(script, "picture", document, {picture});
}

std::string HashOfScripts() {
  std::error_code error;
  nlohmann::json hashes = nlohmann::json::object();
  for (const fs::directory_entry& file : fs::directory_iterator(ScriptFolder(), error)) {
    if (file.is_regular_file()) {
      hashes[file.path().filename().string()] = core::Sha256OfFile(file.path());
    }
  }
  core::CheckListed(ScriptFolder(), error);
  return core::Sha256(hashes.dump());
}

}  // namespace rhumb::report
