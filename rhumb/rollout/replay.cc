#include "rhumb/rollout/replay.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/files/path.h"
#include "rhumb/sim/batch.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::rollout {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxReplayBytes = 1u << 30;

std::vector<double> ReadNumbers(const json& value, const std::string& place) {
  if (!value.is_array()) Fail("{} must be a list of numbers", place);
  std::vector<double> numbers;
  numbers.reserve(value.size());
  for (const json& element : value) {
    if (!element.is_number()) {
      Fail("{}[{}] is {}, it must be a finite number", place, numbers.size(),
           core::InWords(element));
    }
    numbers.push_back(element.get<double>());
  }
  return numbers;
}

void RequireSize(std::size_t size, std::size_t wanted, const std::string& what,
                 const sim::Environment& environment) {
  if (size != wanted) {
    Fail("{} has {} numbers, '{}' takes {}", what, size, environment.id(), wanted);
  }
}

}  // namespace

ReplayRequest ReadReplay(const std::filesystem::path& file) {
  const json document = core::ReadJson(file, kMaxReplayBytes);
  ReplayRequest request;
  request.place = file.string();
  if (!document.is_object()) Fail("{}: a replay is a JSON object", request.place);
  const json& environment = core::MemberOf(document, "env", request.place);
  if (!environment.is_string()) Fail("{}: 'env' must be a string", request.place);
  request.environment = environment.get<std::string>();
  if (const auto rewards = document.find("rewards"); rewards != document.end()) {
    if (!rewards->is_string()) Fail("{}: 'rewards' must be the name of a preset", request.place);
    request.rewards = rewards->get<std::string>();
  }
  request.qpos =
      ReadNumbers(core::MemberOf(document, "qpos", request.place), request.place + ": qpos");
  request.qvel =
      ReadNumbers(core::MemberOf(document, "qvel", request.place), request.place + ": qvel");
  const json& actions = core::MemberOf(document, "actions", request.place);
  if (!actions.is_array()) Fail("{}: 'actions' must be a list of lists", request.place);
  for (std::size_t t = 0; t < actions.size(); ++t) {
    request.actions.push_back(
        ReadNumbers(actions[t], fmt::format("{}: actions[{}]", request.place, t)));
  }
  return request;
}

core::EnvironmentBundle FindReplayBundle(const ReplayRequest& request) {
  const std::filesystem::path name(request.environment);
  if (name.extension() != ".toml") return sim::FindBundle(request.environment, request.rewards);
  // The file may come from elsewhere, so a spec that it names must lie in the same folder.
  const std::filesystem::path folder = std::filesystem::absolute(request.place).parent_path();
  return sim::ReadBundle(core::ResolveInside(folder, request.environment, request.place),
                         request.rewards);
}

ReplayResult Replay(const sim::Environment& environment, const ReplayRequest& request) {
  const mjModel* model = environment.model();
  RequireSize(request.qpos.size(), static_cast<std::size_t>(model->nq), request.place + ": qpos",
              environment);
  RequireSize(request.qvel.size(), static_cast<std::size_t>(model->nv), request.place + ": qvel",
              environment);
  for (std::size_t t = 0; t < request.actions.size(); ++t) {
    RequireSize(request.actions[t].size(), static_cast<std::size_t>(environment.action_size()),
                fmt::format("{}: actions[{}]", request.place, t), environment);
  }

  sim::Batch batch(environment, {.restart = false});
  batch.Start(0, request.qpos, request.qvel);
  ReplayResult result;
  const auto keep_row = [](std::span<const double> row) {
    return std::vector<double>(row.begin(), row.end());
  };
  for (const double value : batch.observations()) {
    if (!std::isfinite(value)) {
      Fail("{}: the start state gives no finite observation", request.place);
    }
  }
  result.observations.push_back(keep_row(batch.observations()));
  for (const std::vector<double>& action : request.actions) {
    batch.StepControls(action);
    const sim::StepOutcome& outcome = batch.outcomes()[0];
    result.observations.push_back(keep_row(batch.observations()));
    result.rewards.push_back(keep_row(batch.rewards()));
    result.terminated.push_back(outcome.terminated);
    result.truncated.push_back(outcome.truncated);
    result.diverged = outcome.diverged;
    if (outcome.diverged) break;
  }
  return result;
}

json ToJson(const ReplayResult& result) {
  return {{"observations", result.observations},
          {"rewards", result.rewards},
          {"terminated", result.terminated},
          {"truncated", result.truncated},
          {"diverged", result.diverged}};
}

}  // namespace rhumb::rollout
