#include "rhumb/rollout/trajectory.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/text.h"

namespace rhumb::rollout {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxTrajectoryBytes = 1u << 28;

Trajectory ReadEpisode(const std::filesystem::path& folder, std::optional<std::int64_t> episode,
                       const net::Model& model) {
  const data::Dataset dataset = data::Dataset::Open(folder);
  const auto count = static_cast<std::int64_t>(dataset.index().episodes.size());
  if (!episode) {
    Fail("{} is a dataset; choose one of its episodes, 0 to {}", folder.string(), count - 1);
  }
  if (*episode < 0 || *episode >= count) {
    Fail("episode {} is not in {}, which has the episodes 0 to {}", *episode, folder.string(),
         count - 1);
  }
  const std::array<std::int64_t, 1> one = {*episode};
  return {LoadContexts(dataset, model, one), LabelEpisodes(model.description, dataset, one)};
}

// Returns "" if an optional key is missing.
std::string FindWord(const json& document, const char* key, bool required,
                     const std::string& place) {
  if (!required && !document.contains(key)) return "";
  const json& word = core::MemberOf(document, key, place);
  if (!word.is_string()) Fail("{}: '{}' is {}, not a text", place, key, core::InWords(word));
  return word.get<std::string>();
}

void CheckEnvironment(const json& document, const net::ModelDescription& model,
                      const std::string& place) {
  core::EnvironmentBundle recorded;
  recorded.id = FindWord(document, "env", true, place);
  recorded.rewards = FindWord(document, "rewards", false, place);
  if (recorded.rewards.empty()) recorded.rewards = model.environment.rewards;
  core::RequireSameEnvironment(recorded, place, model.environment, "the model");
  const std::string hash = FindWord(document, "env_hash", false, place);
  if (!hash.empty() && model.environment.has_files() && hash != model.environment.hash()) {
    Fail("{} was recorded on another version of {}: its spec or MJCF differs from the model's",
         place, recorded.id);
  }
}

const json& FindRows(const json& document, const char* key, const std::string& place) {
  const json& rows = core::MemberOf(document, key, place);
  if (!rows.is_array()) Fail("{}: '{}' must be a list of lists of numbers", place, key);
  return rows;
}

// Returns the first `count` rows, but checks all rows.
data::Rows ReadRows(const json& rows, std::size_t count, int columns, const std::string& place) {
  std::vector<float> numbers;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    core::AppendFloats(rows[t], static_cast<std::size_t>(columns), fmt::format("{}[{}]", place, t),
                       numbers);
  }
  data::Rows result(static_cast<std::int64_t>(count), columns);
  std::copy_n(numbers.begin(), count * static_cast<std::size_t>(columns), result.data());
  return result;
}

std::vector<double> ReadReturns(const json& document,
                                std::span<const net::ModelObjective> objectives,
                                const std::string& place) {
  std::vector<double> values(objectives.size(), std::numeric_limits<double>::quiet_NaN());
  const auto returns = document.find("returns");
  if (returns == document.end()) return values;
  if (!returns->is_object()) Fail("{}: 'returns' must be numbers by objective", place);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto found = returns->find(objectives[k].name);
    if (found == returns->end()) continue;
    if (!found->is_number()) {
      Fail("{}: returns.{} is {}; it must be a number", place, objectives[k].name,
           core::InWords(*found));
    }
    values[k] = found->get<double>();
  }
  return values;
}

bool ReadTerminated(const json& document, const std::string& place) {
  const auto found = document.find("terminated");
  if (found == document.end()) return false;
  if (!found->is_boolean()) {
    Fail("{}: 'terminated' is {}; it must be true or false", place, core::InWords(*found));
  }
  return found->get<bool>();
}

Trajectory ReadFile(const std::filesystem::path& file, const net::Model& model) {
  const std::string place = file.string();
  const json document = core::ReadJson(file, kMaxTrajectoryBytes);
  if (!document.is_object())
    Fail("{}: a trajectory must be an object with 'env', 'observations' and 'actions'", place);
  if (!document.contains("actions") &&
      (document.contains("answers") || document.contains("code"))) {
    Fail("{} holds a code, not a trajectory; `rhumb play MODEL --code {} --record FILE` makes one",
         place, file.filename().string());
  }
  CheckEnvironment(document, model.description, place);
  const json& observations = FindRows(document, "observations", place);
  const json& actions = FindRows(document, "actions", place);
  const std::size_t steps = actions.size();
  if (observations.size() != steps && observations.size() != steps + 1) {
    Fail("{}: {} observations do not fit {} actions; there must be as many or one more", place,
         observations.size(), steps);
  }
  if (steps < static_cast<std::size_t>(std::max(1, model.description.context))) {
    Fail("{} has {} steps; a context of the model takes {}", place, steps,
         model.description.context);
  }

  Trajectory trajectory{
      MakeSteps(ReadRows(observations, steps, model.observation_size(), place + ": observations"),
                ReadRows(actions, steps, model.action_size(), place + ": actions")),
      ReadReturns(document, model.description.objectives, place)};
  trajectory.whole = ReadTerminated(document, place) ||
                     trajectory.steps.count() >= std::int64_t{model.description.time_limit};
  return trajectory;
}

}  // namespace

data::Transitions MakeSteps(data::Rows observations, data::Rows actions) {
  data::Transitions steps;
  steps.starts = {0};
  steps.lengths = {observations.count()};
  steps.episodes = {0};
  steps.policies = {0};
  steps[data::Field::kObservations] = std::move(observations);
  steps[data::Field::kActions] = std::move(actions);
  return steps;
}

Trajectory ReadTrajectory(const std::filesystem::path& source, std::optional<std::int64_t> episode,
                          const net::Model& model) {
  if (std::filesystem::is_directory(source)) return ReadEpisode(source, episode, model);
  if (episode) Fail("episode {} needs a dataset; {} is not a folder", *episode, source.string());
  return ReadFile(source, model);
}

std::vector<float> EncodeTrajectory(const net::Model& model, const Trajectory& trajectory,
                                    const EncodeOptions& options) {
  const std::vector<float> means = EncodePosteriors(model, trajectory.steps, options).means;
  const auto code_size = static_cast<std::size_t>(model.code_size());
  std::vector<double> sums(code_size, 0.0);
  for (std::size_t i = 0; i < means.size(); ++i) sums[i % code_size] += means[i];
  std::vector<float> code;
  for (const double sum : sums) code.push_back(static_cast<float>(sum / options.draws));
  return code;
}

void WriteTrajectory(const std::filesystem::path& file, const sim::Environment& environment,
                     const data::Episode& episode, std::span<const std::string> objectives,
                     std::span<const double> values) {
  RHUMB_CHECK(objectives.size() == values.size(), "{} values of {} objectives", values.size(),
              objectives.size());
  json document = {
      {"env", environment.id()},
      {"env_hash", environment.bundle().hash()},
      {"rewards", environment.rewards()},
      {"observations", core::RowsToJson(episode.observations, environment.observation_size())},
      {"actions", core::RowsToJson(episode.actions, environment.action_size())},
      {"returns", core::ByName(values, objectives)},
      {"terminated", !episode.terminations.empty() && episode.terminations.back() != 0}};
  // Most robots have neither actuator states nor mocap bodies nor goals.
  const data::EpisodeStart& start = episode.start;
  const auto add = [&](const char* key, const std::vector<double>& numbers) {
    if (!numbers.empty()) document[key] = numbers;
  };
  add("qpos", start.qpos);
  add("qvel", start.qvel);
  add("act", start.act);
  add("mocap_pos", start.mocap_pos);
  add("mocap_quat", start.mocap_quat);
  if (!start.drawn.empty()) {
    document["drawn"] = core::ByName(start.drawn, environment.drawn_names());
  }
  core::WriteFileAtomically(file, document.dump() + "\n");
}

}  // namespace rhumb::rollout
