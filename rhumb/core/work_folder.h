// OUT.work, where a long job keeps what it needs to go on after an interruption.
//
//   OUT.work/run.json                      what this run is: everything that its result depends on
//   OUT.work/NAME_00010.safetensors …      states, numbered by how far the job was
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string_view>

namespace rhumb::core {

class WorkFolder {
 public:
  // Makes or reopens OUT.work. A folder of another run is an Error that names what differs; one
  // whose run has made the artefact at OUT is spent, and removed.
  WorkFolder(const std::filesystem::path& out, const nlohmann::json& run);

  const std::filesystem::path& path() const { return path_; }

  // When the artefact OUT stands.
  void Remove() const;

 private:
  std::filesystem::path path_;
};

// Removes OUT.work where the artefact OUT says that it came from there: its run was killed between
// the end of its work and the removal.
void RemoveSpentWork(const std::filesystem::path& out);

// Numbered files of a kind in a folder: "state" 10 is state_00010.safetensors.
std::filesystem::path NumberedFile(const std::filesystem::path& folder, std::string_view kind,
                                   std::int64_t number);
// The numbers of which there is a file; none where there is no folder.
std::set<std::int64_t> NumbersOf(const std::filesystem::path& folder, std::string_view kind);
// Removes all of a kind but one.
void RemoveOthers(const std::filesystem::path& folder, std::string_view kind, std::int64_t number);

// With an Error that names the folder.
void MakeFolder(const std::filesystem::path& folder);

}  // namespace rhumb::core
