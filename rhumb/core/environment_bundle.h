// The environment that an artefact belongs to, with every file that is needed to make it again.
//
//   sim::FindBundle -> population -> dataset -> model -> zoo entry    each stores a copy
//
//   <artefact>/environment/mo-halfcheetah-v5.toml    the spec
//   <artefact>/environment/half_cheetah.xml          its MJCF, and all that the MJCF refers to
//
// So an artefact can be moved to another machine and used with nothing beside it. This room knows
// names and bytes; sim gives them a meaning.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "rhumb/core/artifact.h"

namespace rhumb::core {

// Path relative to one folder ("meshes/leg.obj", never with "..") -> bytes.
using FileMap = std::map<std::string, std::string, std::less<>>;

struct EnvironmentBundle {
  std::string id;       // "mo-halfcheetah-v5"
  std::string rewards;  // name of the reward preset; "" where unknown
  std::string spec;     // which of the files is the spec; "" where the files are unknown
  FileMap files;        // empty for data that somebody else recorded

  bool has_files() const { return !files.empty(); }
  // SHA-256 over the names and bytes of all files; "" without files.
  std::string hash() const;
};

// Writes the files below environment/ of an artefact.
void WriteBundle(const EnvironmentBundle& bundle, const ArtifactWriter& writer);

// The same below `folder`/environment, where there is no artefact.
void WriteBundle(const EnvironmentBundle& bundle, const std::filesystem::path& folder);

// {"id", "rewards", "spec", "hash"}: what the artefact's own document keeps of the bundle.
nlohmann::json ToJson(const EnvironmentBundle& bundle);

// The bundle without its files. Throws nlohmann::json::exception where `json` is not of ToJson.
EnvironmentBundle BundleFromJson(const nlohmann::json& json);

// The bundle that `json`, of ToJson, describes, with the files that `artifact` lists. Files that do
// not have the hash of the document are an Error.
EnvironmentBundle ReadBundle(const nlohmann::json& json, const Artifact& artifact);

// The same of `folder`, where there is no artefact; without files where it has none.
EnvironmentBundle ReadBundle(const nlohmann::json& json, const std::filesystem::path& folder);

// The one identity check: an Error unless both are the same environment with the same rewards.
// Files are compared by their hash where both sides have them. The names say in the message what is
// compared: "cheetah.dataset", "the model".
void RequireSameEnvironment(const EnvironmentBundle& first, std::string_view first_name,
                            const EnvironmentBundle& second, std::string_view second_name);

}  // namespace rhumb::core
