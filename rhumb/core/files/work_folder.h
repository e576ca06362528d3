// OUT.work holds the state that a long job needs to resume after an interruption.
//
//   OUT.work/run.json                      identifies the run: everything its result depends on
//   OUT.work/NAME_00010.safetensors …      states, numbered by progress
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string_view>

namespace rhumb::core {

class WorkFolder {
 public:
  // Makes or reopens OUT.work. Throws Error, naming the difference, if the folder belongs to
  // another run. Removes it first if its run has already made the artefact at OUT.
  WorkFolder(const std::filesystem::path& out, const nlohmann::json& run);

  const std::filesystem::path& path() const { return path_; }

  // Call once the artefact OUT exists.
  void Remove() const;

 private:
  std::filesystem::path path_;
};

// Returns OUT.work.
std::filesystem::path WorkFolderOf(const std::filesystem::path& out);

// Removes OUT.work if the artefact OUT came from it. This happens if a run was killed after it
// finished its work and before it removed the folder.
void RemoveSpentWork(const std::filesystem::path& out);

// Throws Error, naming the difference, if the finished artefact `out` was made by a run with other
// values. `made` describes that run. A key that only one side has does not count: it may be of
// another version.
void RequireSameRun(const nlohmann::json& run, const nlohmann::json& made,
                    const std::filesystem::path& out);

// Returns the path of a numbered file: "state" 10 is state_00010.safetensors.
std::filesystem::path NumberedFile(const std::filesystem::path& folder, std::string_view kind,
                                   std::int64_t number);
// Returns the numbers of existing files; empty if the folder does not exist. Throws Error if the
// folder cannot be read.
std::set<std::int64_t> NumbersOf(const std::filesystem::path& folder, std::string_view kind);
// Removes all files of a kind except one.
void RemoveOthers(const std::filesystem::path& folder, std::string_view kind, std::int64_t number);

}  // namespace rhumb::core
