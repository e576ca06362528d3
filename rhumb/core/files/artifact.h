// Artefact folders: the inputs and outputs of each pipeline stage, written completely or not at
// all.
//
//   ArtifactWriter -> hidden folder -> file(name)... -> Commit: manifest.json, sync, rename ->
//   Artifact
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "rhumb/core/files/temporary.h"

namespace rhumb::core {

// Whether a new artefact may replace an existing one.
enum class Existing { kRefuse, kReplace };

// Fills a hidden folder beside `path`; Commit moves the complete folder to `path`. Without a
// Commit the destructor removes it. The next writer of the same path removes leftovers of killed
// processes. Not thread-safe; several threads may write its files.
class ArtifactWriter {
 public:
  // `kind` names the artefact's type: "dataset", "model". Throws Error if an artefact exists at
  // `path` and may not be replaced. A replaced artefact stays loadable until the new one takes its
  // place in one step. Anything other than an artefact is never replaced.
  ArtifactWriter(const std::filesystem::path& path, std::string kind,
                 Existing existing = Existing::kRefuse);

  // Returns the path for writing file `name` ("model.json", "agents/3.safetensors"); its folder
  // exists. Throws Error if the name is absolute, contains '..' or is "manifest.json".
  std::filesystem::path file(std::string_view name) const;

  // Writes manifest.json, syncs everything to disk and moves the folder to its path. The manifest
  // holds `fields` (config, seed, parents, versions, device, ...), the version of Rhumb, the kind
  // and the time. It adds wall_seconds since the writer was made, unless `fields` has it, and
  // every file's size and SHA-256. Call once.
  void Commit(const nlohmann::json& fields);

 private:
  std::string kind_;
  Existing existing_;
  std::chrono::steady_clock::time_point start_;
  Temporary folder_;
};

// A finished artefact, opened for reading. Immutable, cheap to copy, thread-safe.
class Artifact {
 public:
  // Reads the manifest and compares file sizes. Throws Error, naming the culprit, if the folder is
  // not an artefact or has another kind, or if a file is missing or has another size. An empty
  // `kind` accepts any.
  static Artifact Open(const std::filesystem::path& path, std::string_view kind);

  // Reads every file and compares its SHA-256. Throws Error naming the first changed file.
  void Verify() const;

  // Returns the path of a file listed in the manifest; throws Error for any other name.
  std::filesystem::path file(std::string_view name) const;

  const std::filesystem::path& path() const { return path_; }
  std::string kind() const;
  const nlohmann::json& manifest() const { return *manifest_; }
  // SHA-256 of the manifest, which covers all files. Child artefacts record it for their parents.
  const std::string& hash() const { return hash_; }

 private:
  Artifact() = default;
  std::filesystem::path path_;
  std::shared_ptr<const nlohmann::json> manifest_;
  std::string hash_;
};

}  // namespace rhumb::core
