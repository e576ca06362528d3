#include "rhumb/population/population_description.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"

namespace rhumb::population {
namespace {

using nlohmann::json;

constexpr const char* kFile = "population.json";
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

json ToJson(const LearningCurves& curves) {
  return {{"iteration", curves.iterations},
          {"returns", curves.returns},
          {"episode_length", curves.episode_length},
          {"deviation", curves.deviation},
          {"skipped_minibatches", curves.skipped_minibatches},
          {"diverged_episodes", curves.diverged_episodes}};
}

LearningCurves ReadCurves(const json& document, std::size_t objectives, const std::string& place) {
  LearningCurves curves;
  document.at("iteration").get_to(curves.iterations);
  document.at("returns").get_to(curves.returns);
  document.at("episode_length").get_to(curves.episode_length);
  document.at("deviation").get_to(curves.deviation);
  document.at("skipped_minibatches").get_to(curves.skipped_minibatches);
  document.at("diverged_episodes").get_to(curves.diverged_episodes);
  const std::size_t count = curves.iterations.size();
  if (count == 0 || curves.returns.size() != count || curves.episode_length.size() != count ||
      curves.deviation.size() != count) {
    Fail("{}: the curves have {}, {}, {} and {} entries; they must have the same number, above 0",
         place, count, curves.returns.size(), curves.episode_length.size(),
         curves.deviation.size());
  }
  for (const std::vector<double>& returns : curves.returns) {
    if (returns.size() != objectives) {
      Fail("{}: a return has {} numbers for {} objectives", place, returns.size(), objectives);
    }
  }
  return curves;
}

Agent ReadAgent(const json& document, std::size_t objectives, const std::string& file) {
  Agent agent;
  document.at("id").get_to(agent.id);
  const std::string place = fmt::format("{}: agent {}", file, agent.id);
  document.at("weights").get_to(agent.weights);
  document.at("file").get_to(agent.file);
  document.at("kept_iterations").get_to(agent.kept_iterations);
  if (agent.weights.size() != objectives) {
    Fail("{} has {} weights for {} objectives", place, agent.weights.size(), objectives);
  }
  for (const double weight : agent.weights) {
    if (!std::isfinite(weight)) Fail("{}: a weight is {}", place, weight);
  }
  for (std::size_t i = 0; i < agent.kept_iterations.size(); ++i) {
    const int before = i == 0 ? 0 : agent.kept_iterations[i - 1];
    if (agent.kept_iterations[i] <= before) {
      Fail("{} has iteration {} after {}", place, agent.kept_iterations[i], before);
    }
  }
  agent.curves = ReadCurves(document.at("curves"), objectives, place);
  return agent;
}

}  // namespace

json ToJson(const PopulationDescription& description) {
  json objectives = json::array(), agents = json::array();
  for (const Objective& objective : description.objectives) {
    objectives.push_back({{"name", objective.name}, {"unit", objective.unit}});
  }
  for (const Agent& agent : description.agents) {
    agents.push_back({{"id", agent.id},
                      {"weights", agent.weights},
                      {"file", agent.file},
                      {"kept_iterations", agent.kept_iterations},
                      {"curves", ToJson(agent.curves)}});
  }
  return {{"environment", core::ToJson(description.environment)},
          {"objectives", std::move(objectives)},
          {"observation_size", description.observation_size},
          {"action_size", description.action_size},
          {"time_limit", description.time_limit},
          {"weights", description.weights},
          {"iterations", description.iterations},
          {"agents", std::move(agents)}};
}

PopulationDescription ReadDescription(const core::Artifact& artifact) {
  const std::filesystem::path file = artifact.file(kFile);
  const std::string place = file.string();
  const json document = core::ReadJson(file, kMaxBytes);
  PopulationDescription description;
  try {
    description.environment = core::ReadBundle(document.at("environment"), artifact);
    for (const json& objective : document.at("objectives")) {
      description.objectives.push_back({objective.at("name"), objective.at("unit")});
    }
    document.at("observation_size").get_to(description.observation_size);
    document.at("action_size").get_to(description.action_size);
    document.at("time_limit").get_to(description.time_limit);
    document.at("weights").get_to(description.weights);
    document.at("iterations").get_to(description.iterations);
    for (const json& agent : document.at("agents")) {
      description.agents.push_back(ReadAgent(agent, description.objectives.size(), place));
    }
  } catch (const json::exception& problem) {
    Fail("{} does not describe a population: {}", place, problem.what());
  }
  const auto by_id = [](const Agent& a, const Agent& b) { return a.id < b.id; };
  std::sort(description.agents.begin(), description.agents.end(), by_id);
  for (std::size_t i = 0; i < description.agents.size(); ++i) {
    const int id = description.agents[i].id;
    const bool is_twice = i > 0 && id == description.agents[i - 1].id;
    if (is_twice || id < 0 || static_cast<std::size_t>(id) >= description.weights.size()) {
      Fail("{}: agent {} is listed twice or has no weight vector", place, id);
    }
  }
  return description;
}

void FinishPopulation(core::ArtifactWriter& writer, const PopulationDescription& description,
                      const json& manifest) {
  core::WriteBundle(description.environment, writer);
  core::WriteFileAtomically(writer.file(kFile), ToJson(description).dump(1));
  writer.Commit(manifest);
}

}  // namespace rhumb::population
