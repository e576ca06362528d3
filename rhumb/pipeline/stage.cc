#include "rhumb/pipeline/stage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/descriptor.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/hash.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/files/temporary.h"
#include "rhumb/core/process/child_process.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/version.h"

namespace rhumb::pipeline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxStampBytes = 1 << 20, kMaxLogBytes = 1 << 28,
                        kMaxDocumentBytes = std::uint64_t{1} << 30;

fs::path Beside(const fs::path& folder, const Stage& stage, const char* ending) {
  return folder / (stage.output + ending);
}

void WriteStamp(const fs::path& folder, const Stage& stage, const Stamp& stamp) {
  const json document = {
      {"hash", stamp.hash}, {"command", stamp.command}, {"wall_seconds", stamp.wall_seconds}};
  core::WriteFileAtomically(Beside(folder, stage, ".stamp"), document.dump(2) + "\n");
}

std::string HashOf(const Stage& stage, const fs::path& folder) {
  json inputs = json::object();
  for (const std::string& input : stage.inputs) inputs[input] = HashOfContent(folder / input);
  const json whole = {{"words", stage.words}, {"inputs", inputs}, {"rhumb", core::kVersion}};
  return core::Sha256(whole.dump());
}

bool IsWhole(const Stage& stage, const fs::path& output) {
  if (stage.makes_document()) return fs::is_regular_file(output);
  try {
    core::Artifact::Open(output, "");
    return true;
  } catch (const core::FileError&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

// A command's messages, in a file beside its output. The destructor removes the file.
class CommandLog {
 public:
  explicit CommandLog(fs::path file)
      : file_(std::move(file)),
        descriptor_(::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
                           S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)) {
    if (descriptor() < 0) Fail("cannot write {}: {}", file_.string(), std::strerror(errno));
  }
  ~CommandLog() {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }

  int descriptor() const { return descriptor_.get(); }
  void Show() const { fmt::print(stderr, "{}", core::ReadFile(file_, kMaxLogBytes)); }

 private:
  fs::path file_;
  core::Descriptor descriptor_;
};

// Runs a command. Returns its exit code, or 128 + the signal, as shells do. Hands an interrupt on
// once: a second signal would end the command before it has saved. If we are killed, the command
// gets SIGINT and ends at its last checkpoint.
int RunCommand(const fs::path& program, const std::vector<std::string>& words,
               const fs::path& folder, int standard_output, int standard_error) {
  if (core::WasInterrupted()) return core::kInterrupted;
  std::vector<std::string> command = {program.string()};
  command.insert(command.end(), words.begin(), words.end());
  core::ChildProcess child(command, {.folder = folder,
                                     .output = standard_output,
                                     .error = standard_error,
                                     .death_signal = SIGINT});
  return child.Wait(SIGINT).shell_status();
}

std::vector<std::string> CommandToRun(const Stage& stage) {
  return stage.join_words.empty() ? stage.command() : stage.join_words;
}

// Runs the command and returns its exit code. Messages go to `voice`; so does stdout if the command
// makes an artefact.
int MakeOutput(const Stage& stage, const fs::path& folder, const fs::path& program, int voice) {
  const std::vector<std::string> words = CommandToRun(stage);
  if (!stage.makes_document()) return RunCommand(program, words, folder, voice, voice);
  core::Temporary file = core::Temporary::MakeFile(folder / stage.output);
  const int code = RunCommand(program, words, folder, file.descriptor(), voice);
  if (code == core::kSuccess) {
    core::SyncToDisk(file.path());
    file.MoveToFinal();
  }
  return code;
}

[[noreturn]] void FailAt(const Stage& stage, const fs::path& folder, const fs::path& program,
                         int code) {
  if (code == core::kInterrupted) {
    core::FailInterrupted("interrupted while making {}; the same command continues from there",
                          stage.output);
  }
  std::vector<std::string> command = CommandToRun(stage);
  command.insert(command.begin(), program.filename().string());
  throw core::CommandFailed{
      code, fmt::format("cannot make {}: exit code {} of `{}` in {}", stage.output, code,
                        FormatCommand(command), folder.string())};
}

}  // namespace

std::vector<std::string> Stage::command() const {
  std::vector<std::string> whole = words;
  whole.insert(whole.end(), machine_words.begin(), machine_words.end());
  return whole;
}

// A large artefact need not be read: its manifest has the hashes of its files.
std::string HashOfContent(const fs::path& path) {
  if (fs::is_directory(path)) return core::Artifact::Open(path, "").hash();
  return core::Sha256OfFile(path);
}

std::optional<Stamp> ReadStamp(const fs::path& folder, const Stage& stage) {
  try {
    const json document = core::ReadJson(Beside(folder, stage, ".stamp"), kMaxStampBytes);
    return Stamp{document.at("hash"), document.at("command"), document.at("wall_seconds")};
  } catch (const core::FileError&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

bool IsUpToDate(const Stage& stage, const fs::path& folder) {
  const std::optional<Stamp> stamp = ReadStamp(folder, stage);
  return stamp && stamp->hash == HashOf(stage, folder) && IsWhole(stage, folder / stage.output);
}

void RemoveLeftovers(const Stage& stage, const fs::path& folder) {
  std::error_code ignored;
  fs::remove(Beside(folder, stage, ".log"), ignored);
  // The stamp is written once more when the output is whole, and a folder may be swapped.
  for (const char* ending : {"", ".stamp", ".work"}) {
    core::RemoveStale(Beside(folder, stage, ending));
  }
}

void RunStage(const Stage& stage, const fs::path& folder, const fs::path& program, Voice voice) {
  const fs::path output = folder / stage.output, work = output.string() + ".work";
  const std::string hash = HashOf(stage, folder);
  const std::optional<Stamp> before = ReadStamp(folder, stage);

  // Remove the stale output before the new stamp is written. Only the command that started the work
  // folder may continue it.
  const bool goes_on =
      before && before->hash == hash && before->command == stage.command() && fs::exists(work);
  fs::create_directories(output.parent_path());
  if (fs::is_directory(output)) core::RemoveFolderAtOnce(output);
  fs::remove(output);
  if (!goes_on && fs::exists(work)) {
    core::LogInfo("{} was started by a different command; starting again", stage.output);
    core::RemoveFolderAtOnce(work);
  }
  Stamp stamp = {hash, stage.command(), goes_on ? before->wall_seconds : 0};
  for (const std::string& part : stage.parts) {
    if (const auto made = ReadStamp(folder, {.output = part})) {
      stamp.wall_seconds += made->wall_seconds;
    }
  }
  WriteStamp(folder, stage, stamp);

  const auto start = std::chrono::steady_clock::now();
  std::optional<CommandLog> log;
  if (voice == Voice::kKept) log.emplace(Beside(folder, stage, ".log"));
  const int code = MakeOutput(stage, folder, program, log ? log->descriptor() : STDERR_FILENO);
  if (log && code != core::kSuccess) log->Show();
  stamp.wall_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  WriteStamp(folder, stage, stamp);
  if (code != core::kSuccess) FailAt(stage, folder, program, code);
  RHUMB_CHECK(IsWhole(stage, output), "{} succeeded, but {} is missing",
              FormatCommand(stage.command()), output.string());
}

bool TakeOutput(const Stage& stage, const fs::path& from, const fs::path& folder) {
  const fs::path source = from / stage.output, target = folder / stage.output;
  const std::optional<Stamp> stamp = ReadStamp(from, stage);
  if (!stamp || !IsWhole(stage, source) || stamp->hash != HashOf(stage, folder)) return false;
  core::MakeFolder(target.parent_path());
  if (stage.makes_document()) {
    core::WriteFileAtomically(target, core::ReadFile(source, kMaxDocumentBytes));
  } else {
    const core::Artifact artifact = core::Artifact::Open(source, "");
    artifact.Verify();
    core::Temporary copy = core::Temporary::MakeFolder(target);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source)) {
      const fs::path path = copy.path() / entry.path().lexically_relative(source);
      if (entry.is_directory()) {
        core::MakeFolder(path);
      } else {
        core::CopyFile(entry.path(), path);
      }
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(copy.path())) {
      core::SyncToDisk(entry.path());
    }
    // An output that is there is stale, or the caller would not ask.
    if (fs::is_directory(target)) core::RemoveFolderAtOnce(target);
    copy.MoveToFinal();
  }
  WriteStamp(folder, stage, *stamp);
  return true;
}

std::string FormatCommand(const std::vector<std::string>& words) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::strchr("_-+=.,:/@%", c) != nullptr;
  };
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
      line += word;
      continue;
    }
    // Inside single quotes, all characters but the quote are literal.
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace rhumb::pipeline
