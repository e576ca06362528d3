#include "rhumb/population/population_merge.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "rhumb/core/error.h"
#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/file.h"
#include "rhumb/population/population_description.h"

namespace rhumb::population {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Part {
  core::Artifact artifact;
  PopulationDescription description;

  std::string name() const { return artifact.path().string(); }
};

// A value for an error message; empty if it is too long, such as a whole spec.
std::string Shown(const json& value) {
  constexpr std::size_t kMaxCharacters = 60;
  const std::string text = value.dump();
  return text.size() <= kMaxCharacters ? " (" + text + ")" : "";
}

void RequireEqual(const std::string& key, const json& ours, const json& theirs, const Part& first,
                  const Part& part) {
  if (ours == theirs) return;
  // In a group of settings, name the one that differs.
  if (ours.is_object() && theirs.is_object()) {
    for (const auto& [name, value] : ours.items()) {
      RequireEqual(key + "." + name, value, theirs.value(name, json()), first, part);
    }
  }
  Fail("{} and {} are parts of different runs: {} differs{}{}", first.name(), part.name(), key,
       Shown(ours), Shown(theirs));
}

void RequireSameRun(const Part& first, const Part& part) {
  core::RequireSameEnvironment(first.description.environment, first.name(),
                               part.description.environment, part.name());
  for (const char* key : {"weights", "seed", "config"}) {
    RequireEqual(key, first.artifact.manifest().value(key, json()),
                 part.artifact.manifest().value(key, json()), first, part);
  }
  for (const Agent& ours : first.description.agents) {
    for (const Agent& theirs : part.description.agents) {
      if (ours.id == theirs.id) {
        Fail("agent {} is both in {} and in {}", ours.id, first.name(), part.name());
      }
    }
  }
}

// One value if the parts agree, else a list with one value per part.
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
  double seconds = 0;  // total over the parts
  for (const Part& part : parts) {
    manifest["parents"][part.name()] = part.artifact.hash();
    seconds += part.artifact.manifest().value("wall_seconds", 0.0);
  }
  manifest["wall_seconds"] = seconds;
  return manifest;
}

// Copies the agents' policies and scalars. The description is written anew.
void CopyAgents(const Part& part, const core::ArtifactWriter& writer) {
  part.artifact.Verify();
  for (const auto& [name, entry] : part.artifact.manifest()["files"].items()) {
    if (!name.starts_with("agents/") && !name.starts_with("tensorboard/")) continue;
    core::CopyFile(part.artifact.file(name), writer.file(name));
  }
}

}  // namespace

MergedPopulation MergePopulations(const std::vector<fs::path>& parts, const fs::path& out) {
  if (parts.size() < 2) Fail("merging needs at least 2 populations, not {}", parts.size());
  std::vector<Part> read;
  for (const fs::path& path : parts) {
    const core::Artifact artifact = core::Artifact::Open(path, "population");
    const Part part{artifact, ReadDescription(artifact)};
    for (const Part& other : read) RequireSameRun(other, part);
    read.push_back(part);
  }
  PopulationDescription whole = read.front().description;
  for (std::size_t i = 1; i < read.size(); ++i) {
    const std::vector<Agent>& more = read[i].description.agents;
    whole.agents.insert(whole.agents.end(), more.begin(), more.end());
  }
  std::ranges::sort(whole.agents, {}, &Agent::id);

  MergedPopulation merged;
  for (const Agent& agent : whole.agents) merged.agents.push_back(agent.id);
  for (int id = 0; id < static_cast<int>(whole.weights.size()); ++id) {
    if (!std::binary_search(merged.agents.begin(), merged.agents.end(), id)) {
      merged.missing.push_back(id);
    }
  }
  core::ArtifactWriter writer(out, "population");
  for (const Part& part : read) CopyAgents(part, writer);
  FinishPopulation(writer, whole, MakeManifest(read, merged.agents));
  return merged;
}

}  // namespace rhumb::population
