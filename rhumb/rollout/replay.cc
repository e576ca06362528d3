#include "rhumb/rollout/replay.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/files/path.h"
#include "rhumb/core/text.h"
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

// Returns nothing for a key that is missing.
std::vector<double> FindNumbers(const json& document, const char* key, const std::string& place) {
  const auto found = document.find(key);
  if (found == document.end()) return {};
  return ReadNumbers(*found, fmt::format("{}: {}", place, key));
}

std::string FindText(const json& document, const char* key, const char* meaning,
                     const std::string& place) {
  const auto found = document.find(key);
  if (found == document.end()) return "";
  if (!found->is_string()) Fail("{}: '{}' must be {}", place, key, meaning);
  return found->get<std::string>();
}

std::map<std::string, double> FindDrawn(const json& document, const std::string& place) {
  std::map<std::string, double> drawn;
  const auto found = document.find("drawn");
  if (found == document.end()) return drawn;
  if (!found->is_object()) Fail("{}: 'drawn' must be numbers by name", place);
  for (const auto& [name, value] : found->items()) {
    if (!value.is_number()) {
      Fail("{}: drawn.{} is {}; it must be a number", place, name, core::InWords(value));
    }
    drawn[name] = value.get<double>();
  }
  return drawn;
}

// The environment's drawn quantities, in its order.
std::vector<double> ResolveDrawn(const sim::Environment& environment,
                                 const ReplayRequest& request) {
  const std::vector<std::string> names = environment.drawn_names();
  for (const auto& [name, value] : request.drawn) {
    if (std::ranges::count(names, name) > 0) continue;
    Fail("{}: '{}' draws no quantity '{}'{}", request.place, environment.id(), name,
         names.empty() ? "" : core::Suggestion(name, names));
  }
  std::vector<double> values;
  for (const sim::Quantity& quantity : environment.quantities().subspan(sim::kBuiltInCount)) {
    if (quantity.kind != sim::QuantitySpec::Kind::kDrawn) continue;
    const auto found = request.drawn.find(quantity.name);
    values.push_back(found == request.drawn.end() ? quantity.distribution.mean() : found->second);
  }
  return values;
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
  request.rewards = FindText(document, "rewards", "the name of a preset", request.place);
  request.hash = FindText(document, "env_hash", "a text", request.place);
  request.qpos =
      ReadNumbers(core::MemberOf(document, "qpos", request.place), request.place + ": qpos");
  request.qvel =
      ReadNumbers(core::MemberOf(document, "qvel", request.place), request.place + ": qvel");
  request.act = FindNumbers(document, "act", request.place);
  request.mocap_pos = FindNumbers(document, "mocap_pos", request.place);
  request.mocap_quat = FindNumbers(document, "mocap_quat", request.place);
  request.drawn = FindDrawn(document, request.place);
  const json& actions = core::MemberOf(document, "actions", request.place);
  if (!actions.is_array()) Fail("{}: 'actions' must be a list of lists", request.place);
  for (std::size_t t = 0; t < actions.size(); ++t) {
    request.actions.push_back(
        ReadNumbers(actions[t], fmt::format("{}: actions[{}]", request.place, t)));
  }
  return request;
}

core::EnvironmentBundle FindReplayBundle(const ReplayRequest& request, const std::string& name) {
  const auto find = [&] {
    if (!name.empty()) return sim::FindBundle(name, request.rewards);
    if (std::filesystem::path(request.environment).extension() != ".toml") {
      return sim::FindBundle(request.environment, request.rewards);
    }
    // The file may come from elsewhere, so a spec that it names must lie in the same folder.
    const std::filesystem::path folder = std::filesystem::absolute(request.place).parent_path();
    return sim::ReadBundle(core::ResolveInside(folder, request.environment, request.place),
                           request.rewards);
  };
  core::EnvironmentBundle bundle = find();
  if (!request.hash.empty() && request.hash != bundle.hash()) {
    Fail("{} was recorded on another version of {}: its spec or MJCF differs", request.place,
         request.environment);
  }
  return bundle;
}

ReplayResult Replay(const sim::Environment& environment, const ReplayRequest& request) {
  const mjModel* model = environment.model();
  RequireSize(request.qpos.size(), static_cast<std::size_t>(model->nq), request.place + ": qpos",
              environment);
  RequireSize(request.qvel.size(), static_cast<std::size_t>(model->nv), request.place + ": qvel",
              environment);
  const auto require_if_given = [&](const std::vector<double>& numbers, mjtSize count,
                                    const char* name) {
    if (numbers.empty()) return;
    RequireSize(numbers.size(), static_cast<std::size_t>(count),
                fmt::format("{}: {}", request.place, name), environment);
  };
  require_if_given(request.act, model->na, "act");
  require_if_given(request.mocap_pos, 3 * model->nmocap, "mocap_pos");
  require_if_given(request.mocap_quat, 4 * model->nmocap, "mocap_quat");
  const std::vector<double> drawn = ResolveDrawn(environment, request);
  for (std::size_t t = 0; t < request.actions.size(); ++t) {
    RequireSize(request.actions[t].size(), static_cast<std::size_t>(environment.action_size()),
                fmt::format("{}: actions[{}]", request.place, t), environment);
  }

  sim::Batch batch(environment, {.restart = false});
  batch.Start(0, {.qpos = request.qpos,
                  .qvel = request.qvel,
                  .act = request.act,
                  .mocap_pos = request.mocap_pos,
                  .mocap_quat = request.mocap_quat,
                  .drawn = drawn});
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
