#include "rhumb/data/dataset_index.h"

#include <cmath>
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

template <class Description, class Visit>
void VisitIndex(Description& description, Visit visit) {
  visit("time_limit", description.time_limit);
  visit("quantities", description.quantities);
  visit("observation_size", description.observation_size);
  visit("action_size", description.action_size);
  visit("qpos_size", description.qpos_size);
  visit("qvel_size", description.qvel_size);
  visit("policy_outputs", description.policy_outputs);
  visit("action_low", description.action_low);
  visit("action_high", description.action_high);
}

template <class Normalisation, class Visit>
void VisitNumbers(Normalisation& normalisation, Visit visit) {
  visit("observation_mean", normalisation.observation_mean);
  visit("observation_std", normalisation.observation_std);
  visit("return_mean", normalisation.return_mean);
  visit("return_std", normalisation.return_std);
}

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

void RequireSize(std::size_t size, std::size_t wanted, std::string_view what,
                 std::string_view place) {
  if (size != wanted) Fail("{}: {} has {} numbers, not {}", place, what, size, wanted);
}

json EpisodesToJson(const std::vector<EpisodeRecord>& episodes) {
  json columns;
  for (const char* column : {"policy", "steps", "seed", "returns"}) columns[column] = json::array();
  for (const EpisodeRecord& episode : episodes) {
    columns["policy"].push_back(episode.policy);
    columns["steps"].push_back(episode.steps);
    columns["seed"].push_back(episode.seed);
    columns["returns"].push_back(episode.returns);
  }
  return columns;
}

std::vector<EpisodeRecord> EpisodesFromJson(const json& columns, std::string_view place) {
  std::vector<EpisodeRecord> episodes(columns.at("policy").size());
  const auto read = [&](const std::string& name, auto EpisodeRecord::*member) {
    const auto& column = columns.at(name).get_ref<const json::array_t&>();
    RequireSize(column.size(), episodes.size(), "episodes." + name, place);
    for (std::size_t i = 0; i < column.size(); ++i) {
      core::ReadValue(column[i], name.c_str(), episodes[i].*member);
    }
  };
  read("policy", &EpisodeRecord::policy);
  read("steps", &EpisodeRecord::steps);
  read("seed", &EpisodeRecord::seed);
  read("returns", &EpisodeRecord::returns);
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
  VisitNumbers(index.normalisation, [&](std::string_view key, const std::vector<double>& values) {
    RequireSize(values.size(), key.starts_with("return") ? objectives : observation, key, place);
  });
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
  CheckNames(core::NamesOf(description.objectives), "objective", place);
  CheckNames(description.quantities, "quantity", place);
  for (const int i : description.unseen) {
    if (i < 0 || i >= description.observation_size) {
      Fail("{}: an observation has no number {}, which is called unseen", place, i);
    }
  }
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
  json document = {{"environment", core::ToJson(description.environment)},
                   {"objectives", core::ToJson(description.objectives)}};
  VisitIndex(description, core::JsonWriter{document});
  if (!description.unseen.empty()) document["unseen"] = description.unseen;
  return document;
}

DatasetDescription DescriptionFromJson(const json& document, std::string_view place) {
  DatasetDescription description;
  try {
    description.environment = core::BundleFromJson(document.at("environment"));
    description.objectives = core::ObjectivesFromJson(document.at("objectives"));
    VisitIndex(description, core::JsonReader{document});
    if (document.contains("unseen")) {
      core::ReadValue(document.at("unseen"), "unseen", description.unseen);
    }
  } catch (const json::exception& error) {
    Fail("{} is damaged: {}", place, error.what());
  }
  CheckDescription(description, place);
  return description;
}

json ToJson(const DatasetIndex& index) {
  json policies = json::array();
  for (const Policy& policy : index.policies) policies.push_back(ToJson(policy));
  json normalisation = {{"split", NameOf(Split::kTrain)}};
  VisitNumbers(index.normalisation, core::JsonWriter{normalisation});
  return {{"format", kFormat},
          {"description", ToJson(index.description)},
          {"policies", std::move(policies)},
          {"episodes", EpisodesToJson(index.episodes)},
          {"normalisation", std::move(normalisation)}};
}

DatasetIndex ReadDatasetIndex(const core::Artifact& artifact) {
  const std::filesystem::path file = artifact.file("dataset.json");
  const std::string place = file.string();
  const json document = core::ReadJson(file, kMaxIndexBytes);
  DatasetIndex index;
  try {
    int format = 0;
    core::ReadValue(document.at("format"), "format", format);
    if (format != kFormat) {
      Fail("{} has format {}; this version of Rhumb reads {}", place, format, kFormat);
    }
    index.description = DescriptionFromJson(document.at("description"), place);
    index.description.environment =
        core::ReadBundle(document.at("description").at("environment"), artifact);
    for (const json& policy : document.at("policies")) {
      index.policies.push_back(PolicyFromJson(policy));
    }
    index.episodes = EpisodesFromJson(document.at("episodes"), place);
    VisitNumbers(index.normalisation, core::JsonReader{document.at("normalisation")});
  } catch (const json::exception& error) {
    Fail("{} is damaged: {}", place, error.what());
  }
  CheckIndex(index, place);
  return index;
}

}  // namespace rhumb::data
