#include "rhumb/population/population_merge.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <system_error>

#include "rhumb/core/artifact.h"
#include "rhumb/core/error.h"
#include "rhumb/core/file.h"

namespace rhumb::population {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kDescription = "population.json";
constexpr std::uint64_t kMaxDescriptionBytes = std::uint64_t{1} << 30;
constexpr std::size_t kMaxShownCharacters = 60;

struct Part {
  core::Artifact artifact;
  json description;  // population.json without its agents
  std::map<int, json> agents;

  std::string name() const { return artifact.path().string(); }
};

Part ReadPart(const fs::path& path) {
  Part part{core::Artifact::Open(path, "population"), {}, {}};
  const fs::path file = part.artifact.file(kDescription);
  try {
    part.description = json::parse(core::ReadFile(file, kMaxDescriptionBytes));
    const std::size_t count = part.description.at("weights").size();
    for (const json& agent : part.description.at("agents")) {
      const int id = agent.at("id").get<int>();
      if (id < 0 || static_cast<std::size_t>(id) >= count ||
          !part.agents.emplace(id, agent).second) {
        Fail("{} is damaged: agent {} is in it twice or has no weight vector", file.string(), id);
      }
    }
    part.description.erase("agents");
  } catch (const json::exception&) {
    Fail("{} is damaged: it does not describe a population", file.string());
  }
  return part;
}

// A value for a sentence: long ones, such as a whole specification, are not shown.
std::string Shown(const json& value) {
  const std::string text = value.dump();
  return text.size() <= kMaxShownCharacters ? " (" + text + ")" : "";
}

void RequireEqual(const std::string& key, const json& ours, const json& theirs, const Part& first,
                  const Part& part) {
  if (ours == theirs) return;
  // A group of settings: the one that differs is named.
  if (ours.is_object() && theirs.is_object()) {
    for (const auto& [name, value] : ours.items()) {
      RequireEqual(key + "." + name, value, theirs.value(name, json()), first, part);
    }
  }
  Fail("{} and {} are parts of different runs: {} differs{}{}", first.name(), part.name(), key,
       Shown(ours), Shown(theirs));
}

void RequireSameRun(const Part& first, const Part& part) {
  for (const char* key : {"environment", "rewards", "weights", "seed", "config"}) {
    RequireEqual(key, first.artifact.manifest().value(key, json()),
                 part.artifact.manifest().value(key, json()), first, part);
  }
  for (const auto& [key, value] : first.description.items()) {
    RequireEqual(key, value, part.description.value(key, json()), first, part);
  }
  for (const auto& [id, agent] : part.agents) {
    if (first.agents.contains(id)) {
      Fail("agent {} is both in {} and in {}", id, first.name(), part.name());
    }
  }
}

// One value where the parts agree, else the list of theirs.
json Join(const std::vector<Part>& parts, const char* key) {
  json values = json::array();
  for (const Part& part : parts) values.push_back(part.artifact.manifest().value(key, json()));
  return std::set<json>(values.begin(), values.end()).size() == 1 ? values.front() : values;
}

json MakeManifest(const std::vector<Part>& parts, const std::vector<int>& agents) {
  json manifest = parts.front().artifact.manifest();
  for (const char* key : {"rhumb", "kind", "created", "files"}) manifest.erase(key);
  for (const char* key : {"device", "threads", "threads_per_agent", "versions"}) {
    manifest[key] = Join(parts, key);
  }
  manifest["agents"] = agents;
  manifest["parents"] = json::object();
  double seconds = 0;  // as if the parts had been trained one after another
  for (const Part& part : parts) {
    manifest["parents"][part.name()] = part.artifact.hash();
    seconds += part.artifact.manifest().value("wall_seconds", 0.0);
  }
  manifest["wall_seconds"] = seconds;
  return manifest;
}

void CopyFiles(const Part& part, const core::ArtifactWriter& writer) {
  part.artifact.Verify();
  for (const auto& [name, entry] : part.artifact.manifest()["files"].items()) {
    if (name == kDescription) continue;
    std::error_code error;
    fs::copy_file(part.artifact.file(name), writer.file(name), error);
    if (error) Fail("cannot copy {} of {}: {}", name, part.name(), error.message());
  }
}

}  // namespace

MergedPopulation MergePopulations(const std::vector<fs::path>& parts, const fs::path& out) {
  if (parts.size() < 2) Fail("merging needs at least 2 populations, not {}", parts.size());
  std::vector<Part> read;
  for (const fs::path& path : parts) {
    Part part = ReadPart(path);
    for (const Part& other : read) RequireSameRun(other, part);
    read.push_back(std::move(part));
  }
  std::map<int, json> agents;
  for (const Part& part : read) agents.insert(part.agents.begin(), part.agents.end());

  MergedPopulation merged;
  json description = read.front().description;
  description["agents"] = json::array();
  for (const auto& [id, agent] : agents) {
    merged.agents.push_back(id);
    description["agents"].push_back(agent);
  }
  for (int id = 0; id < static_cast<int>(description["weights"].size()); ++id) {
    if (!agents.contains(id)) merged.missing.push_back(id);
  }

  core::ArtifactWriter writer(out, "population");
  for (const Part& part : read) CopyFiles(part, writer);
  core::WriteFileAtomically(writer.file(kDescription), description.dump(1));
  writer.Commit(MakeManifest(read, merged.agents));
  return merged;
}

}  // namespace rhumb::population
