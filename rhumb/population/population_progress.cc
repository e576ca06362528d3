#include "rhumb/population/population_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/files/work_folder.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::population {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxRunBytes = 1 << 26, kMaxPolicyBytes = 1 << 28;

// OUT of OUT, OUT/ and OUT.work.
fs::path OutOf(const fs::path& folder) {
  fs::path out = folder.lexically_normal();
  if (!out.has_filename()) out = out.parent_path();
  return out.extension() == ".work" ? out.replace_extension() : out;
}

fs::path AgentFolder(const fs::path& out, int agent) {
  return core::WorkFolderOf(out) / AgentName(agent);
}

bool HasManifest(const fs::path& out) {
  std::error_code ignored;
  return fs::exists(out / "manifest.json", ignored);
}

// Null if OUT.work is not the work of a population.
json ReadRun(const fs::path& out) {
  try {
    json run = core::ReadJson(core::WorkFolderOf(out) / "run.json", kMaxRunBytes);
    const bool fits = run.is_object() && run.contains("environment") && run.contains("weights") &&
                      run.contains("agents");
    return fits ? run : json();
  } catch (const Error&) {
    return {};
  }
}

core::EnvironmentBundle EnvironmentOf(const json& run, const fs::path& out) {
  const fs::path work = core::WorkFolderOf(out);
  core::EnvironmentBundle stored = core::ReadBundle(run.at("environment"), work);
  if (stored.has_files()) return stored;
  // A version before this one did not store the files.
  core::EnvironmentBundle known = sim::FindBundle(stored.id, stored.rewards);
  if (known.hash() != run["environment"]["hash"]) {
    Fail("{} was trained in another version of '{}' than the bundled one", work.string(),
         stored.id);
  }
  return known;
}

}  // namespace

std::string AgentName(int agent) { return fmt::format("agent_{:03}", agent); }

bool PopulationProgress::IsPopulation(const fs::path& folder) {
  const fs::path out = OutOf(folder);
  if (!HasManifest(out)) return !ReadRun(out).is_null();
  try {
    return core::ReadJson(out / "manifest.json", kMaxRunBytes).value("kind", "") == "population";
  } catch (const std::exception&) {
    return false;  // its reader says why
  }
}

PopulationProgress::PopulationProgress(const fs::path& folder) : out_(OutOf(folder)) {
  if (const auto finished = Finished()) {
    environment_ = finished->description().environment;
    return;
  }
  const json run = ReadRun(out_);
  if (run.is_null()) {
    Fail("{} is not a population, and {} is not one in training", out_.string(),
         core::WorkFolderOf(out_).string());
  }
  try {
    environment_ = EnvironmentOf(run, out_);
    const auto weights = run["weights"].get<std::vector<std::vector<double>>>();
    for (const int id : run["agents"].get<std::vector<int>>()) {
      agents_.push_back({id, weights.at(static_cast<std::size_t>(id)), {}});
    }
  } catch (const json::exception& problem) {
    Fail("{}: run.json does not describe a population: {}", core::WorkFolderOf(out_).string(),
         problem.what());
  } catch (const std::out_of_range&) {
    Fail("{}: run.json lists an agent without weights", core::WorkFolderOf(out_).string());
  }
}

std::shared_ptr<const PopulationReader> PopulationProgress::Finished() const {
  const std::scoped_lock lock(mutex_);
  if (!finished_ && HasManifest(out_)) finished_ = std::make_shared<const PopulationReader>(out_);
  return finished_;
}

bool PopulationProgress::IsTraining() const { return Finished() == nullptr; }

std::vector<AgentSoFar> PopulationProgress::Look() const {
  const auto finished = Finished();
  if (!finished) return LookAtWork();
  std::vector<AgentSoFar> agents;
  for (const Agent& agent : finished->description().agents) {
    AgentSoFar& one = agents.emplace_back(AgentSoFar{agent.id, agent.weights, {}});
    for (const int iteration : agent.kept_iterations) {
      const auto& known = agent.curves.iterations;
      const auto found = std::ranges::find(known, iteration);
      one.policies.push_back(
          {iteration, found == known.end()
                          ? std::vector<double>()
                          : agent.curves.returns[static_cast<std::size_t>(found - known.begin())]});
    }
  }
  return agents;
}

std::vector<AgentSoFar> PopulationProgress::LookAtWork() const {
  std::vector<AgentSoFar> agents = agents_;
  for (AgentSoFar& agent : agents) {
    const fs::path folder = AgentFolder(out_, agent.id);
    for (const std::int64_t number : core::NumbersOf(folder, kPolicyFile)) {
      const std::pair key(agent.id, static_cast<int>(number));
      const std::scoped_lock lock(mutex_);
      auto known = returns_.find(key);
      if (known == returns_.end()) {
        std::vector<double> returns;
        try {
          const net::SafetensorsFile file(core::NumberedFile(folder, kPolicyFile, number),
                                          kMaxPolicyBytes);
          if (file.Has("returns")) returns = file.Doubles("returns");
        } catch (const Error&) {
          // No episode ended in that iteration, or the population was finished just now.
        }
        if (returns.size() != agent.weights.size()) returns.clear();
        known = returns_.emplace(key, std::move(returns)).first;
      }
      agent.policies.push_back({key.second, known->second});
    }
  }
  return agents;
}

net::GaussianPolicy PopulationProgress::ReadPolicy(int agent, int iteration) const {
  // Files may move from OUT.work to OUT meanwhile, so OUT has the last word.
  if (IsTraining()) {
    const fs::path file = core::NumberedFile(AgentFolder(out_, agent), kPolicyFile, iteration);
    std::error_code ignored;
    if (fs::exists(file, ignored)) {
      return net::GaussianPolicy::Read(net::SafetensorsFile(file, kMaxPolicyBytes), "");
    }
  }
  if (const auto finished = Finished()) {
    const std::vector<Agent>& agents = finished->description().agents;
    for (std::size_t i = 0; i < agents.size(); ++i) {
      if (agents[i].id != agent || !std::ranges::count(agents[i].kept_iterations, iteration)) {
        continue;
      }
      return finished->ReadPolicy(*finished->OpenAgent(i), iteration);
    }
  }
  Fail("{} has no policy of agent {} and iteration {}", out_.string(), agent, iteration);
}

}  // namespace rhumb::population
