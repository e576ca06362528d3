#include "rhumb/core/files/artifact.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/hash.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/files/path.h"
#include "rhumb/core/text.h"
#include "rhumb/core/version.h"

namespace rhumb::core {
namespace fs = std::filesystem;
namespace {

constexpr const char* kManifest = "manifest.json";
constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{64} << 20;

// Returns true if an artefact at `path` shall be replaced, false if nothing exists there. Throws
// Error if something exists there that must not be replaced.
bool MustReplace(const fs::path& path, Existing existing) {
  std::error_code ignored;
  if (fs::symlink_status(path, ignored).type() == fs::file_type::not_found) return false;
  if (existing == Existing::kReplace) CheckMayReplace(path, /*is_folder=*/true);
  if (!fs::is_regular_file(path / kManifest, ignored)) {
    Fail("cannot write {}: it exists and is not an artefact; choose another path", path.string());
  }
  if (existing == Existing::kRefuse) {
    Fail("cannot write {}: it already exists; remove it or choose another path", path.string());
  }
  return true;
}

// Syncs everything below `folder` and returns {name: {bytes, sha256}}.
nlohmann::json SealFiles(const fs::path& folder) {
  nlohmann::json files = nlohmann::json::object();
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    RHUMB_CHECK(!entry.is_symlink(), "{} in an artefact is a link", entry.path().string());
    SyncToDisk(entry.path());
    if (entry.is_directory()) continue;
    files[entry.path().lexically_relative(folder).string()] = {
        {"bytes", entry.file_size()}, {"sha256", Sha256OfFile(entry.path())}};
  }
  return files;
}

nlohmann::json ParseManifest(const std::string& text, const fs::path& path) {
  nlohmann::json manifest = ParseJson(text, path.string());
  try {
    // Typed access throws if the manifest is JSON but not an artefact's.
    manifest.at("kind").get_ref<const std::string&>();
    for (const auto& [name, entry] :
         manifest.at("files").get_ref<const nlohmann::json::object_t&>()) {
      CheckGoesDown(name, path.string());
      entry.at("bytes").get_ref<const nlohmann::json::number_unsigned_t&>();
      entry.at("sha256").get_ref<const std::string&>();
    }
  } catch (const nlohmann::json::exception&) {
    Fail("{} is damaged: 'kind' or 'files' is missing or of the wrong type", path.string());
  }
  return manifest;
}

fs::path WithParents(const fs::path& path) {
  MakeFolder(fs::absolute(path).parent_path());
  return path;
}

}  // namespace

ArtifactWriter::ArtifactWriter(const fs::path& path, std::string kind, Existing existing)
    : kind_(std::move(kind)),
      existing_(existing),
      start_(std::chrono::steady_clock::now()),
      folder_(Temporary::MakeFolder(WithParents(path))) {
  MustReplace(folder_.final_path(), existing_);
}

fs::path ArtifactWriter::file(std::string_view name) const {
  CheckGoesDown(name, folder_.final_path().string());
  if (name == kManifest) Fail("{}: {} is written by Commit", folder_.final_path().string(), name);
  return WithParents(folder_.path() / name);
}

void ArtifactWriter::Commit(const nlohmann::json& fields) {
  RHUMB_CHECK(!folder_.path().empty(), "{} is committed twice", folder_.final_path().string());
  RHUMB_CHECK(fields.is_object(), "the fields of a manifest are not a JSON object");
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
  nlohmann::json manifest = fields;
  manifest["rhumb"] = kVersion;
  manifest["kind"] = kind_;
  manifest["created"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  manifest.emplace("wall_seconds", wall.count());
  manifest["files"] = SealFiles(folder_.path());
  WriteFileAtomically(folder_.path() / kManifest, DumpJson(manifest, 2) + "\n");
  if (MustReplace(folder_.final_path(), existing_)) {
    folder_.SwapWithFinal();
  } else {
    folder_.MoveToFinal();
  }
}

Artifact Artifact::Open(const fs::path& path, std::string_view kind) {
  std::error_code error;
  if (!fs::exists(path, error)) Fail("there is no folder {}", path.string());
  if (!fs::is_directory(path, error)) Fail("{} is a file, not a {} folder", path.string(), kind);
  const fs::path manifest_path = path / kManifest;
  if (!fs::exists(manifest_path, error)) {
    Fail("{} is not a {} folder of rhumb: {} is missing", path.string(), kind, kManifest);
  }
  const std::string text = ReadFile(manifest_path, kMaxManifestBytes);
  nlohmann::json manifest = ParseManifest(text, manifest_path);
  const std::string found = manifest["kind"];
  if (!kind.empty() && found != kind) Fail("{} is a {}, not a {}", path.string(), found, kind);
  for (const auto& [name, entry] : manifest["files"].items()) {
    const auto bytes = entry["bytes"].get<std::uintmax_t>();
    const fs::file_status status = fs::status(path / name, error);
    if (!fs::exists(status)) Fail("{} is damaged: {} is missing", path.string(), name);
    if (!fs::is_regular_file(status)) {
      Fail("{} is damaged: {} is not a regular file", path.string(), name);
    }
    const std::uintmax_t size = fs::file_size(path / name);
    if (size != bytes) {
      Fail("{} is damaged: {} has {} bytes, not {}", path.string(), name, size, bytes);
    }
  }
  Artifact artifact;
  artifact.path_ = path;
  artifact.manifest_ = std::make_shared<const nlohmann::json>(std::move(manifest));
  artifact.hash_ = Sha256(text);
  return artifact;
}

void Artifact::Verify() const {
  for (const auto& [name, entry] : (*manifest_)["files"].items()) {
    if (Sha256OfFile(path_ / name) != entry["sha256"].get_ref<const std::string&>()) {
      Fail("{} is damaged: the contents of {} have changed", path_.string(), name);
    }
  }
}

fs::path Artifact::file(std::string_view name) const {
  std::vector<std::string> known;
  for (const auto& [listed, entry] : (*manifest_)["files"].items()) known.push_back(listed);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    Fail("{} has no file '{}'{}", path_.string(), name, Suggestion(name, known));
  }
  return path_ / name;
}

std::string Artifact::kind() const { return (*manifest_)["kind"]; }

}  // namespace rhumb::core
