#include "rhumb/pipeline/reproduction.h"

#include <system_error>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/text.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/spec.h"

namespace rhumb::pipeline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxRunBytes = 1 << 20, kMaxTextBytes = std::uint64_t{1} << 30;

// The run's own copy of an environment file, so that its folder can be moved.
std::string InFolder(const std::string& name) { return "environment/" + name; }

json Describe(const ReproductionChoice& choice) {
  json run = {{"environment", core::ToJson(choice.environment)},
              {"scale", choice.scale},
              {"seed", choice.seed}};
  if (!choice.population.empty()) run["population"] = choice.population;
  return run;
}

// Writes reproduce.json, or compares it if it is there. Returns it.
json BeginRun(const fs::path& folder, const json& run) {
  const fs::path file = folder / kRunFile;
  if (!fs::exists(file)) {
    if (!fs::is_empty(folder)) {
      Fail("{} is not empty, and `rhumb reproduce` did not make it; choose another --out",
           folder.string());
    }
    core::WriteFileAtomically(file, run.dump(2) + "\n");
    return run;
  }
  json there = core::ReadJson(file, kMaxRunBytes);
  for (const auto& [key, value] : run.items()) {
    const json old = there.is_object() && there.contains(key) ? there[key] : json(nullptr);
    if (old != value) {
      Fail("{} has another reproduction, whose {} is {}, not {}; choose another --out",
           folder.string(), key, old.dump(), value.dump());
    }
  }
  return there;
}

Reproduction Resolve(const fs::path& folder, json run, core::EnvironmentBundle environment) {
  const sim::EnvironmentSpec spec = sim::ParseSpec(environment.files, environment.spec);
  Reproduction made{
      .folder = folder, .run = {}, .environment = std::move(environment), .request = {}};
  try {
    made.request = {.spec = InFolder(made.environment.spec),
                    .files = {},
                    .rewards = made.environment.rewards,
                    .objectives = core::NamesOf(spec.objectives(made.environment.rewards)),
                    .attributes = AttributesOf(spec),
                    .scale = run.at("scale"),
                    .device = "cpu",
                    .seed = run.at("seed"),
                    .population = run.value("population", std::vector<std::string>())};
  } catch (const json::exception&) {
    Fail("{} is damaged: it has no scale or no seed", (folder / kRunFile).string());
  }
  for (const auto& [name, bytes] : made.environment.files) {
    made.request.files.push_back(InFolder(name));
  }
  made.run = std::move(run);
  return made;
}

}  // namespace

void UpdateFile(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  if (fs::exists(file, ignored) && core::ReadFile(file, kMaxTextBytes) == text) return;
  core::WriteFileAtomically(file, text);
}

void Reproduction::SaveRun() const {
  core::WriteFileAtomically(folder / kRunFile, run.dump(2) + "\n");
}

core::EnvironmentBundle EnvironmentOf(const fs::path& folder) {
  const fs::path file = folder / kRunFile;
  if (!fs::exists(file)) Fail("{} has no run to continue", folder.string());
  const json run = core::ReadJson(file, kMaxRunBytes);
  try {
    const core::EnvironmentBundle known = core::BundleFromJson(run.at("environment"));
    return sim::ReadBundle(folder / InFolder(known.spec), known.rewards);
  } catch (const json::exception&) {
    Fail("{} is damaged: it names no environment", file.string());
  }
}

Reproduction OpenReproduction(const fs::path& folder, const ReproductionChoice& choice) {
  core::MakeFolder(folder);
  Reproduction opened = Resolve(folder, BeginRun(folder, Describe(choice)), choice.environment);
  for (const auto& [name, bytes] : opened.environment.files) {
    core::MakeFolder((folder / InFolder(name)).parent_path());
    UpdateFile(folder / InFolder(name), bytes);
  }
  return opened;
}

Reproduction ReadReproduction(const fs::path& folder) {
  core::EnvironmentBundle environment = EnvironmentOf(folder);
  json run = core::ReadJson(folder / kRunFile, kMaxRunBytes);
  if (core::ToJson(environment) != run["environment"]) {
    Fail("{} is damaged: the robot in environment/ is not the one of {}", folder.string(),
         kRunFile);
  }
  return Resolve(folder, std::move(run), std::move(environment));
}

}  // namespace rhumb::pipeline
