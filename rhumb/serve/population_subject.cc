#include "rhumb/serve/population_subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/serve/scene.h"

namespace rhumb::serve {

using nlohmann::json;

PopulationSubject::PopulationSubject(const std::string& folder)
    : progress_(folder),
      name_(LastPart(progress_.out())),
      argument_(folder),
      environment_(progress_.environment()) {
  model_.description.environment = progress_.environment();
  model_.description.time_limit = environment_.time_limit();
  for (const sim::ObjectiveSpec& objective : environment_.objectives()) {
    net::ModelObjective& one = model_.description.objectives.emplace_back();
    one.name = objective.name;
    one.unit = objective.unit;
  }
  model_.description.shaping_labels = environment_.objective_count();
  description_ = core::DumpJson(Describe());
  scene_ = core::DumpJson(DescribeScene(environment_));
}

Behaviour PopulationSubject::First(net::RolloutMode mode) const {
  for (const population::AgentSoFar& agent : progress_.Look()) {
    if (agent.policies.empty()) continue;
    return StagePolicy(agent.id, agent.policies.back().iteration, mode);
  }
  Behaviour nobody;
  nobody.label = "no policy yet";
  return nobody;
}

Behaviour PopulationSubject::StagePolicy(int agent, int iteration, net::RolloutMode mode) const {
  auto policy = std::make_shared<net::GaussianPolicy>(progress_.ReadPolicy(agent, iteration));
  if (policy->observation_size() != environment_.observation_size() ||
      policy->action_size() != environment_.action_size() ||
      policy->deviation.size() != static_cast<std::size_t>(policy->action_size())) {
    Fail("the policy of agent {} and iteration {} does not fit '{}'", agent, iteration,
         environment_.id());
  }
  Behaviour behaviour;
  behaviour.label = fmt::format("agent {}, iteration {}", agent, iteration);
  behaviour.policy = std::move(policy);
  behaviour.agent = agent;
  behaviour.iteration = iteration;
  // Training samples its actions.
  if (mode != net::RolloutMode::kSampled) return behaviour;
  for (const population::AgentSoFar& one : progress_.Look()) {
    if (one.id != agent) continue;
    const auto found =
        std::ranges::find(one.policies, iteration, &population::KeptPolicy::iteration);
    if (found != one.policies.end()) behaviour.predicted = found->returns;
  }
  return behaviour;
}

std::optional<std::string> PopulationSubject::Part(std::string_view part) const {
  if (part.empty()) return description_;
  if (part == "scene") return scene_;
  if (part == "policies") return core::DumpJson(ListPolicies());
  return std::nullopt;
}

json PopulationSubject::Describe() const {
  json objectives = json::array();
  for (const net::ModelObjective& objective : model_.description.objectives) {
    objectives.push_back({{"name", objective.name},
                          {"unit", objective.unit},
                          {"expression", ""},
                          {"min", 0},
                          {"max", 0},
                          {"mean", 0},
                          {"std", 1},
                          {"attainable", json::object()}});
  }
  return {{"name", name_},
          {"kind", kind()},
          {"argument", argument_},
          {"environment", environment_.id()},
          {"rewards", environment_.rewards()},
          {"title", environment_.spec().title},
          {"modes", {"sampled", "mean"}},
          {"main_mode", "sampled"},
          {"shaping", environment_.objective_count()},
          {"time_limit", environment_.time_limit()},
          {"control_step_s", environment_.control_step()},
          {"code_size", 0},
          {"objectives", std::move(objectives)}};
}

json PopulationSubject::ListPolicies() const {
  json agents = json::array();
  for (const population::AgentSoFar& agent : progress_.Look()) {
    json policies = json::array();
    for (const population::KeptPolicy& policy : agent.policies) {
      policies.push_back({{"iteration", policy.iteration},
                          {"returns", policy.returns.empty() ? json() : json(policy.returns)}});
    }
    agents.push_back(
        {{"agent", agent.id}, {"weights", agent.weights}, {"policies", std::move(policies)}});
  }
  return {{"training", progress_.IsTraining()}, {"agents", std::move(agents)}};
}

}  // namespace rhumb::serve
