#include "rhumb/data/dataset_index.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/text.h"

namespace rhumb::data {
namespace {

using nlohmann::json;

constexpr int kFormat = 2;
constexpr std::uint64_t kMaxIndexBytes = std::uint64_t{1} << 30;
constexpr int kMaxSize = 1 << 20;

// Objectives and quantities must be valid names in expressions.
void CheckNames(const std::vector<std::string>& names, const char* what, std::string_view place) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (!core::IsName(name)) {
      Fail("{}: '{}' is not a valid {} name: {}", place, name, what, core::kNameRule);
    }
    if (!seen.insert(name).second) Fail("{}: two {}s are called '{}'", place, what, name);
  }
}

void CheckSize(int size, int low, const char* what, std::string_view place) {
  if (size < low || size > kMaxSize) {
    Fail("{}: {} is {}, it must be from {} to {}", place, what, size, low, kMaxSize);
  }
}

void RequireSize(std::size_t size, std::size_t wanted, const std::string& what,
                 std::string_view place) {
  if (size != wanted) Fail("{}: {} has {} numbers, not {}", place, what, size, wanted);
}

json EpisodesToJson(const std::vector<EpisodeRecord>& episodes) {
  json columns = {{"policy", json::array()},
                  {"steps", json::array()},
                  {"seed", json::array()},
                  {"returns", json::array()}};
  for (const EpisodeRecord& episode : episodes) {
    columns["policy"].push_back(episode.policy);
    columns["steps"].push_back(episode.steps);
    columns["seed"].push_back(episode.seed);
    columns["returns"].push_back(episode.returns);
  }
  return columns;
}

std::vector<EpisodeRecord> EpisodesFromJson(const json& columns, std::string_view place) {
  const auto& policy = columns.at("policy").get_ref<const json::array_t&>();
  const auto& steps = columns.at("steps").get_ref<const json::array_t&>();
  const auto& seed = columns.at("seed").get_ref<const json::array_t&>();
  const auto& returns = columns.at("returns").get_ref<const json::array_t&>();
  RequireSize(steps.size(), policy.size(), "episodes.steps", place);
  RequireSize(seed.size(), policy.size(), "episodes.seed", place);
  RequireSize(returns.size(), policy.size(), "episodes.returns", place);
  std::vector<EpisodeRecord> episodes(policy.size());
  for (std::size_t i = 0; i < episodes.size(); ++i) {
    policy[i].get_to(episodes[i].policy);
    steps[i].get_to(episodes[i].steps);
    seed[i].get_to(episodes[i].seed);
    returns[i].get_to(episodes[i].returns);
  }
  return episodes;
}

void CheckIndex(const DatasetIndex& index, std::string_view place) {
  const std::size_t objectives = index.description.objectives.size();
  const auto observation = static_cast<std::size_t>(index.description.observation_size);
  for (const Policy& policy : index.policies) {
    for (const auto* values : {&policy.weights, &policy.mean_return, &policy.std_return}) {
      if (!values->empty()) RequireSize(values->size(), objectives, "a policy", place);
    }
  }
  for (std::size_t i = 0; i < index.episodes.size(); ++i) {
    const EpisodeRecord& episode = index.episodes[i];
    const std::string what = fmt::format("episode {}", i);
    RequireSize(episode.returns.size(), objectives, "the return of " + what, place);
    if (episode.policy < 0 || static_cast<std::size_t>(episode.policy) >= index.policies.size()) {
      Fail("{}: {} belongs to policy {}, but there are only {}", place, what, episode.policy,
           index.policies.size());
    }
    // Sums of steps, and their products with sizes, must fit in 64 bits.
    if (episode.steps < 1 || episode.steps > (std::int64_t{1} << 31)) {
      Fail("{}: {} has {} steps", place, what, episode.steps);
    }
  }
  RequireSize(index.normalisation.observation_mean.size(), observation, "observation_mean", place);
  RequireSize(index.normalisation.observation_std.size(), observation, "observation_std", place);
  RequireSize(index.normalisation.return_mean.size(), objectives, "return_mean", place);
  RequireSize(index.normalisation.return_std.size(), objectives, "return_std", place);
}

}  // namespace

StepShape DatasetDescription::shape() const {
  return {.observation = observation_size,
          .action = action_size,
          .objectives = static_cast<int>(objectives.size()),
          .quantities = static_cast<int>(quantities.size()),
          .qpos = qpos_size,
          .qvel = qvel_size,
          .policy_outputs = policy_outputs};
}

std::int64_t DatasetIndex::transitions() const {
  std::int64_t sum = 0;
  for (const EpisodeRecord& episode : episodes) sum += episode.steps;
  return sum;
}

void CheckDescription(const DatasetDescription& description, std::string_view place) {
  CheckSize(description.observation_size, 1, "observation_size", place);
  CheckSize(description.action_size, 1, "action_size", place);
  CheckSize(description.qpos_size, 0, "qpos_size", place);
  CheckSize(description.qvel_size, 0, "qvel_size", place);
  CheckSize(static_cast<int>(description.objectives.size()), 1, "the number of objectives", place);
  std::vector<std::string> names;
  for (const Objective& objective : description.objectives) names.push_back(objective.name);
  CheckNames(names, "objective", place);
  CheckNames(description.quantities, "quantity", place);
  const auto actions = static_cast<std::size_t>(description.action_size);
  RequireSize(description.action_low.size(), actions, "action_low", place);
  RequireSize(description.action_high.size(), actions, "action_high", place);
  for (std::size_t i = 0; i < actions; ++i) {
    const double low = description.action_low[i], high = description.action_high[i];
    if (!std::isfinite(low) || !std::isfinite(high) || low > high) {
      Fail("{}: action {} ranges from {} to {}", place, i, low, high);
    }
  }
}

json ToJson(const DatasetDescription& description) {
  json objectives = json::array();
  for (const Objective& objective : description.objectives) {
    objectives.push_back({{"name", objective.name}, {"unit", objective.unit}});
  }
  return {{"environment", core::ToJson(description.environment)},
          {"time_limit", description.time_limit},
          {"objectives", std::move(objectives)},
          {"quantities", description.quantities},
          {"observation_size", description.observation_size},
          {"action_size", description.action_size},
          {"qpos_size", description.qpos_size},
          {"qvel_size", description.qvel_size},
          {"policy_outputs", description.policy_outputs},
          {"action_low", description.action_low},
          {"action_high", description.action_high}};
}

DatasetDescription DescriptionFromJson(const json& document, std::string_view place) {
  DatasetDescription description;
  try {
    description.environment = core::BundleFromJson(document.at("environment"));
    document.at("time_limit").get_to(description.time_limit);
    for (const json& objective : document.at("objectives")) {
      description.objectives.push_back({objective.at("name"), objective.at("unit")});
    }
    document.at("quantities").get_to(description.quantities);
    document.at("observation_size").get_to(description.observation_size);
    document.at("action_size").get_to(description.action_size);
    document.at("qpos_size").get_to(description.qpos_size);
    document.at("qvel_size").get_to(description.qvel_size);
    document.at("policy_outputs").get_to(description.policy_outputs);
    document.at("action_low").get_to(description.action_low);
    document.at("action_high").get_to(description.action_high);
  } catch (const json::exception& error) {
    Fail("{} is damaged: {}", place, error.what());
  }
  CheckDescription(description, place);
  return description;
}

json ToJson(const DatasetIndex& index) {
  json policies = json::array();
  for (const Policy& policy : index.policies) policies.push_back(ToJson(policy));
  return {{"format", kFormat},
          {"description", ToJson(index.description)},
          {"policies", std::move(policies)},
          {"episodes", EpisodesToJson(index.episodes)},
          {"normalisation",
           {{"split", NameOf(Split::kTrain)},
            {"observation_mean", index.normalisation.observation_mean},
            {"observation_std", index.normalisation.observation_std},
            {"return_mean", index.normalisation.return_mean},
            {"return_std", index.normalisation.return_std}}}};
}

DatasetIndex ReadDatasetIndex(const core::Artifact& artifact) {
  const std::filesystem::path file = artifact.file("dataset.json");
  const std::string place = file.string();
  const json document = core::ReadJson(file, kMaxIndexBytes);
  DatasetIndex index;
  try {
    if (const int format = document.at("format"); format != kFormat) {
      Fail("{} has format {}; this version of Rhumb reads {}", place, format, kFormat);
    }
    index.description = DescriptionFromJson(document.at("description"), place);
    index.description.environment =
        core::ReadBundle(document.at("description").at("environment"), artifact);
    for (const json& policy : document.at("policies")) {
      index.policies.push_back(PolicyFromJson(policy));
    }
    index.episodes = EpisodesFromJson(document.at("episodes"), place);
    const json& normalisation = document.at("normalisation");
    normalisation.at("observation_mean").get_to(index.normalisation.observation_mean);
    normalisation.at("observation_std").get_to(index.normalisation.observation_std);
    normalisation.at("return_mean").get_to(index.normalisation.return_mean);
    normalisation.at("return_std").get_to(index.normalisation.return_std);
  } catch (const json::exception& error) {
    Fail("{} is damaged: {}", place, error.what());
  }
  CheckIndex(index, place);
  return index;
}

}  // namespace rhumb::data
