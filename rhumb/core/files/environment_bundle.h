// An artefact's environment, with every file needed to recreate it.
//
//   sim::FindBundle -> population -> dataset -> model -> zoo entry    each stores a copy
//
//   <artefact>/environment/mo-halfcheetah-v5.toml    the spec
//   <artefact>/environment/half_cheetah.xml          its MJCF, and all files the MJCF refers to
//
// An artefact can therefore be used on another machine without further files. This room handles
// names and bytes; sim interprets them.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/files/artifact.h"

namespace rhumb::core {

// An objective of a stored artefact.
struct Objective {
  std::string name;
  std::string unit;  // unit of the return, the sum over an episode
};

// [{"name", "unit"}, ...]. Reading throws nlohmann::json::exception for anything else.
nlohmann::json ToJson(const std::vector<Objective>& objectives);
std::vector<Objective> ObjectivesFromJson(const nlohmann::json& list);

// Path relative to one folder ("meshes/leg.obj", never with "..") -> bytes.
using FileMap = std::map<std::string, std::string, std::less<>>;

struct EnvironmentBundle {
  std::string id;       // "mo-halfcheetah-v5"
  std::string rewards;  // name of the reward preset; "" if unknown
  std::string spec;     // the spec's name among the files; "" if the files are unknown
  FileMap files;        // empty for data recorded by others

  bool has_files() const { return !files.empty(); }
  // SHA-256 over the names and bytes of all files; "" without files.
  std::string hash() const;
};

// Writes the files below environment/ in an artefact.
void WriteBundle(const EnvironmentBundle& bundle, const ArtifactWriter& writer);

// Writes the files below `folder`/environment, for folders that are not artefacts.
void WriteBundle(const EnvironmentBundle& bundle, const std::filesystem::path& folder);

// Returns {"id", "rewards", "spec", "hash"}, the part of the bundle kept in the artefact's own
// document.
nlohmann::json ToJson(const EnvironmentBundle& bundle);

// Returns the bundle without its files. Throws nlohmann::json::exception if `json` is not from
// ToJson.
EnvironmentBundle BundleFromJson(const nlohmann::json& json);

// Returns the bundle described by `json`, from ToJson, with the files listed in `artifact`. Throws
// Error if the files do not match the hash in `json`.
EnvironmentBundle ReadBundle(const nlohmann::json& json, const Artifact& artifact);

// Reads from `folder`, which is not an artefact. The bundle has no files if the folder has none.
EnvironmentBundle ReadBundle(const nlohmann::json& json, const std::filesystem::path& folder);

// Throws Error unless both are the same environment with the same rewards. Files are compared by
// hash if both sides have them. The names identify the two sides in the message:
// "cheetah.dataset", "the model".
void RequireSameEnvironment(const EnvironmentBundle& first, std::string_view first_name,
                            const EnvironmentBundle& second, std::string_view second_name);

}  // namespace rhumb::core
