// Artefact folders: what each stage of the pipeline reads and writes, whole or not at all.
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

#include "rhumb/core/temporary.h"

namespace rhumb::core {

// What may stand at the path of a new artefact.
enum class Existing { kRefuse, kReplace };

// Fills a hidden folder beside `path` and makes it appear there, complete, at Commit. Without a
// Commit the destructor removes it, and what a killed process left is removed by the next writer of
// the same path. Not thread-safe; its files may be written by several threads.
class ArtifactWriter {
 public:
  // `kind` is what the folder will be: "dataset", "model". An artefact at `path` is an Error,
  // unless it may be replaced: then it stays, loadable, until the new one takes its place in one
  // step. Anything else at `path` is never replaced.
  ArtifactWriter(const std::filesystem::path& path, std::string kind,
                 Existing existing = Existing::kRefuse);

  // Where to write the file `name` ("model.json", "agents/3.safetensors"); its folder exists. A
  // name that is absolute, has '..' or is "manifest.json" is an Error.
  std::filesystem::path file(std::string_view name) const;

  // Writes manifest.json, which is `fields` (config, seed, parents, versions, device, ...) and the
  // version of Rhumb, the kind, the time, wall_seconds since the writer was made (unless in
  // `fields`) and the size and SHA-256 of every file; syncs all to disk and moves the folder to its
  // path. Once.
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
  // Reads the manifest and compares the sizes of the files. A folder that is none, another kind, a
  // file that is missing or of another size is an Error that names it. An empty `kind` takes any.
  static Artifact Open(const std::filesystem::path& path, std::string_view kind);

  // Reads every file and compares its SHA-256; a changed one is an Error that names it.
  void Verify() const;

  // The path of a file that the manifest lists; any other name is an Error.
  std::filesystem::path file(std::string_view name) const;

  const std::filesystem::path& path() const { return path_; }
  std::string kind() const;
  const nlohmann::json& manifest() const { return *manifest_; }
  // SHA-256 of the manifest, and with it of all files: what a child records of its parent.
  const std::string& hash() const { return hash_; }

 private:
  Artifact() = default;
  std::filesystem::path path_;
  std::shared_ptr<const nlohmann::json> manifest_;
  std::string hash_;
};

}  // namespace rhumb::core
