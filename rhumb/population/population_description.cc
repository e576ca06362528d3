#include "rhumb/population/population_description.h"

#include <algorithm>
#include <cmath>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"

namespace rhumb::population {
namespace {

using nlohmann::json;

constexpr const char* kFile = "population.json";
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

template <class Curves, class Visit>
void VisitCurves(Curves& curves, Visit visit) {
  visit("iteration", curves.iterations);
  visit("returns", curves.returns);
  visit("episode_length", curves.episode_length);
  visit("deviation", curves.deviation);
  visit("skipped_minibatches", curves.skipped_minibatches);
  visit("diverged_episodes", curves.diverged_episodes);
}

template <class Agent, class Visit>
void VisitAgent(Agent& agent, Visit visit) {
  visit("id", agent.id);
  visit("weights", agent.weights);
  visit("file", agent.file);
  visit("kept_iterations", agent.kept_iterations);
}

template <class Description, class Visit>
void VisitDescription(Description& description, Visit visit) {
  visit("observation_size", description.observation_size);
  visit("action_size", description.action_size);
  visit("time_limit", description.time_limit);
  visit("weights", description.weights);
  visit("iterations", description.iterations);
}

LearningCurves ReadCurves(const json& document, std::size_t objectives, const std::string& place) {
  LearningCurves curves;
  VisitCurves(curves, core::JsonReader{document});
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
  VisitAgent(agent, core::JsonReader{document});
  const std::string place = fmt::format("{}: agent {}", file, agent.id);
  if (const json parent = document.value("parent", json()); !parent.is_null()) {
    core::ReadValue(parent, "parent", agent.parent);
    if (agent.parent < 0 || agent.parent >= agent.id) {
      Fail("{} has the parent {}; parents have lower numbers", place, agent.parent);
    }
  }
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
  json agents = json::array();
  for (const Agent& agent : description.agents) {
    json& entry = agents.emplace_back();
    VisitAgent(agent, core::JsonWriter{entry});
    entry["parent"] = agent.parent < 0 ? json() : json(agent.parent);
    VisitCurves(agent.curves, core::JsonWriter{entry["curves"]});
  }
  json document = {{"environment", core::ToJson(description.environment)},
                   {"objectives", core::ToJson(description.objectives)},
                   {"agents", std::move(agents)}};
  VisitDescription(description, core::JsonWriter{document});
  return document;
}

PopulationDescription ReadDescription(const core::Artifact& artifact) {
  const std::filesystem::path file = artifact.file(kFile);
  const std::string place = file.string();
  const json document = core::ReadJson(file, kMaxBytes);
  PopulationDescription description;
  try {
    description.environment = core::ReadBundle(document.at("environment"), artifact);
    description.objectives = core::ObjectivesFromJson(document.at("objectives"));
    VisitDescription(description, core::JsonReader{document});
    for (const json& agent : document.at("agents")) {
      description.agents.push_back(ReadAgent(agent, description.objectives.size(), place));
    }
  } catch (const json::exception& problem) {
    Fail("{} does not describe a population: {}", place, problem.what());
  }
  std::ranges::sort(description.agents, {}, &Agent::id);
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
