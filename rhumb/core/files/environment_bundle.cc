#include "rhumb/core/files/environment_bundle.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/hash.h"

namespace rhumb::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "environment/";
constexpr std::uint64_t kMaxFileBytes = std::uint64_t{256} << 20;

std::string Describe(const EnvironmentBundle& bundle) {
  if (bundle.id.empty()) return "an unknown environment";
  if (bundle.rewards.empty()) return fmt::format("'{}'", bundle.id);
  return fmt::format("'{}' with the rewards '{}'", bundle.id, bundle.rewards);
}

// Reads the files `names` of the environment; throws Error unless they match the document.
EnvironmentBundle ReadFiles(const nlohmann::json& json, const fs::path& folder,
                            const std::vector<std::string>& names) {
  EnvironmentBundle bundle = BundleFromJson(json);
  for (const std::string& name : names) {
    bundle.files[name] = ReadFile(folder / kFolder / name, kMaxFileBytes);
  }
  if (bundle.hash() != json.at("hash").get_ref<const std::string&>()) {
    Fail("{} is damaged: the files in {} are not those of its environment '{}'", folder.string(),
         kFolder, bundle.id);
  }
  if (bundle.has_files() && !bundle.files.contains(bundle.spec)) {
    Fail("{} is damaged: {}{} is missing", folder.string(), kFolder, bundle.spec);
  }
  return bundle;
}

}  // namespace

std::string EnvironmentBundle::hash() const {
  if (files.empty()) return "";
  // Sizes precede names and bytes, so different files never give the same text.
  std::string text;
  for (const auto& [name, bytes] : files) {
    text += fmt::format("{} {} ", name.size(), bytes.size());
    text += name;
    text += bytes;
  }
  return Sha256(text);
}

void WriteBundle(const EnvironmentBundle& bundle, const ArtifactWriter& writer) {
  for (const auto& [name, bytes] : bundle.files) {
    WriteFileAtomically(writer.file(std::string(kFolder) + name), bytes);
  }
}

void WriteBundle(const EnvironmentBundle& bundle, const fs::path& folder) {
  for (const auto& [name, bytes] : bundle.files) {
    const fs::path file = folder / kFolder / name;
    MakeFolder(file.parent_path());
    WriteFileAtomically(file, bytes);
  }
}

nlohmann::json ToJson(const std::vector<Objective>& objectives) {
  nlohmann::json list = nlohmann::json::array();
  for (const Objective& objective : objectives) {
    list.push_back({{"name", objective.name}, {"unit", objective.unit}});
  }
  return list;
}

std::vector<Objective> ObjectivesFromJson(const nlohmann::json& list) {
  std::vector<Objective> objectives;
  for (const nlohmann::json& objective : list) {
    objectives.push_back({objective.at("name"), objective.at("unit")});
  }
  return objectives;
}

nlohmann::json ToJson(const EnvironmentBundle& bundle) {
  return {{"id", bundle.id},
          {"rewards", bundle.rewards},
          {"spec", bundle.spec},
          {"hash", bundle.hash()}};
}

EnvironmentBundle BundleFromJson(const nlohmann::json& json) {
  EnvironmentBundle bundle;
  json.at("id").get_to(bundle.id);
  json.at("rewards").get_to(bundle.rewards);
  json.at("spec").get_to(bundle.spec);
  json.at("hash").get_ref<const std::string&>();
  return bundle;
}

EnvironmentBundle ReadBundle(const nlohmann::json& json, const Artifact& artifact) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : artifact.manifest()["files"].items()) {
    if (name.starts_with(kFolder)) names.push_back(name.substr(kFolder.size()));
  }
  return ReadFiles(json, artifact.path(), names);
}

EnvironmentBundle ReadBundle(const nlohmann::json& json, const fs::path& folder) {
  const fs::path top = folder / kFolder;
  if (!fs::is_directory(top)) return BundleFromJson(json);
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top)) {
    if (entry.is_symlink()) Fail("{} is a symbolic link, which is refused", entry.path().string());
    if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(top).string());
  }
  return ReadFiles(json, folder, names);
}

void RequireSameEnvironment(const EnvironmentBundle& first, std::string_view first_name,
                            const EnvironmentBundle& second, std::string_view second_name) {
  if (first.id != second.id || first.rewards != second.rewards) {
    Fail("{} belongs to {}, {} to {}", first_name, Describe(first), second_name, Describe(second));
  }
  if (first.has_files() && second.has_files() && first.hash() != second.hash()) {
    Fail("{} and {} belong to different versions of {}: their specs or MJCF files differ",
         first_name, second_name, Describe(first));
  }
}

}  // namespace rhumb::core
