#include "rhumb/eval/steering/switching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/text.h"
#include "rhumb/eval/steering/code_choice.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

constexpr int kDrawsPerCode = 20;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The second half of one episode.
struct Half {
  std::int64_t length = 0;      // of the whole episode
  std::vector<double> returns;  // [S]; NaN if it diverged
};

// The measurement's constant parts.
struct Setting {
  const sim::Environment& environment;
  const net::Model& model;
  const SwitchConfig& config;
  const core::Job& job;
  std::vector<std::size_t> rewards;  // [S], columns of the shaping objectives
  std::int64_t middle = 0;
};

// Codes of random queries, [2 * pairs, H]; counts the queries without an answer.
std::vector<float> DrawCodes(const Setting& setting, int& unsolved) {
  const net::Model& model = setting.model;
  const steer::Steerer steerer(model, setting.config.mode, setting.config.steer);
  const net::CodeTable* rolled_out = RolledOutCodes(model, setting.config.mode);
  const net::CodeTable& known = rolled_out != nullptr ? *rolled_out : model.training;
  if (known.count() < 2) Fail("the model has {} known codes; a pair needs 2", known.count());
  const int wanted = 2 * setting.config.pairs;
  std::vector<float> codes;
  int made = 0;
  for (int draw = 0; made < wanted; ++draw) {
    if (draw == kDrawsPerCode * wanted) {
      Fail("only {} of {} queries at known codes were solved; the map is too poor", made, draw);
    }
    core::Stream noise(setting.job.seed, core::Purpose::kSteering, draw, 0,
                       core::stream_key::kSwitchedPairs);
    const int row = static_cast<int>(noise.Below(static_cast<std::uint32_t>(known.count())));
    steer::Query query;
    for (int k = 0; k < model.description.shaping_labels; ++k) {
      const auto index = static_cast<std::size_t>(k);
      query.AddTarget(model.description.objectives[index].name, known.values_of(row)[index]);
    }
    const steer::Result result = steerer.Solve(query, nullptr, setting.job.seed);
    if (result.status != steer::Status::kSolved) {
      ++unsolved;
      continue;
    }
    const std::vector<float>& code = result.answers.front().code;
    codes.insert(codes.end(), code.begin(), code.end());
    ++made;
  }
  return codes;
}

// Plays one code per pair, with its changes if any.
std::optional<std::vector<Half>> Play(const Setting& setting, std::span<const float> codes,
                                      std::vector<std::vector<rollout::CodeChange>> changes,
                                      int first_code, const std::string& label) {
  std::vector<Half> halves(static_cast<std::size_t>(setting.config.pairs),
                           {0, std::vector<double>(setting.rewards.size(), kNaN)});
  rollout::CodeRunOptions options{.mode = setting.config.mode,
                                  .first_code = core::stream_key::kSwitchedCodes + first_code,
                                  .batch = setting.config.batch,
                                  .changes = std::move(changes),
                                  .label = label,
                                  .job = setting.job};
  options.on_episode = [&](int code, int, const data::Episode& episode) {
    Half& half = halves[static_cast<std::size_t>(code)];
    half.length = episode.steps();
    const auto width = static_cast<std::size_t>(setting.environment.objective_count());
    for (std::size_t s = 0; s < half.returns.size(); ++s) {
      half.returns[s] = 0;
      for (auto t = static_cast<std::size_t>(setting.middle);
           t < static_cast<std::size_t>(episode.steps()); ++t) {
        half.returns[s] += episode.vector_rewards[t * width + setting.rewards[s]];
      }
    }
  };
  if (!rollout::RollOutCodes(setting.environment, setting.model, codes, options)) {
    return std::nullopt;
  }
  return halves;
}

bool Fell(const Setting& setting, const Half& half) {
  return half.length < setting.environment.time_limit();
}

double Median(std::vector<double> numbers) { return Summarise(std::move(numbers)).median; }

// Compares the runs of the pairs in `reached` with those of the second code all along.
SwitchReport Compare(const Setting& setting, std::string name, const std::vector<Half>& runs,
                     const std::vector<Half>& second, const std::vector<std::size_t>& reached) {
  SwitchReport report;
  report.name = std::move(name);
  report.pairs = static_cast<int>(reached.size());
  std::vector<std::vector<double>> misses(setting.rewards.size()), changes(misses);
  for (const std::size_t pair : reached) {
    if (Fell(setting, runs[pair])) ++report.falls;
    bool is_lost = false;
    for (std::size_t s = 0; s < misses.size(); ++s) {
      const net::ModelObjective& objective = setting.model.description.objectives[s];
      const double change = runs[pair].returns[s] - second[pair].returns[s];
      // Half an episode has half the return.
      const double scale = std::max(std::abs(second[pair].returns[s]), 0.05 * objective.std);
      is_lost |= !(std::abs(change) <= kLostShare * (objective.max - objective.min) / 2);
      misses[s].push_back(std::isnan(change) ? std::numeric_limits<double>::infinity()
                                             : std::abs(change) / scale);
      changes[s].push_back(std::isnan(change) ? -std::numeric_limits<double>::infinity()
                                              : change / scale);
    }
    if (is_lost) ++report.lost;
  }
  for (std::size_t s = 0; s < misses.size(); ++s) {
    report.misses.push_back(Summarise(std::move(misses[s])));
    report.changes.push_back(Median(std::move(changes[s])));
  }
  return report;
}

}  // namespace

std::optional<SwitchMeasurement> MeasureSwitching(const sim::Environment& environment,
                                                  const net::Model& model,
                                                  const SwitchConfig& config,
                                                  const core::Job& job) {
  Setting setting{environment, model, config, job, {}, environment.time_limit() / 2};
  SwitchMeasurement measured;
  measured.pairs = config.pairs;
  measured.switch_step = setting.middle;
  for (int k = 0; k < model.description.shaping_labels; ++k) {
    const net::ModelObjective& objective =
        model.description.objectives[static_cast<std::size_t>(k)];
    if (!objective.expression.empty()) {
      Fail("'{}' shaped the map and is an attribute; only returns can be split at mid-episode",
           objective.name);
    }
    setting.rewards.push_back(core::FindNamed(environment.objectives(), objective.name, "no"));
    measured.objectives.push_back(objective.name);
  }

  // The first half of the list are the pairs' first codes.
  const std::vector<float> codes = DrawCodes(setting, measured.unsolved);
  const std::span<const float> all(codes);
  const std::span<const float> first = all.first(codes.size() / 2), second = all.last(first.size());
  const auto steady = Play(setting, second, {}, 0, "second code all along");
  if (!steady) return std::nullopt;
  const auto before = Play(setting, first, {}, 0, "first code all along");
  if (!before) return std::nullopt;
  std::vector<std::size_t> reached;
  for (std::size_t pair = 0; pair < steady->size(); ++pair) {
    const bool both =
        (*before)[pair].length > setting.middle && (*steady)[pair].length > setting.middle;
    if (!both) {
      ++measured.early_falls;
      continue;
    }
    reached.push_back(pair);
    if (Fell(setting, (*steady)[pair])) ++measured.second_falls;
  }
  const auto width = static_cast<std::size_t>(model.code_size());
  for (const int blend : config.blends) {
    std::vector<std::vector<rollout::CodeChange>> changes;
    for (std::size_t pair = 0; pair < steady->size(); ++pair) {
      const std::span<const float> code = second.subspan(pair * width, width);
      changes.push_back({{setting.middle, {code.begin(), code.end()}, blend}});
    }
    const std::string name = fmt::format("blend {}", blend);
    const auto runs = Play(setting, first, std::move(changes), 0, name);
    if (!runs) return std::nullopt;
    measured.reports.push_back(Compare(setting, name, *runs, *steady, reached));
  }
  const auto again = Play(setting, second, {}, config.pairs, "second code again");
  if (!again) return std::nullopt;
  measured.reports.push_back(Compare(setting, "again", *again, *steady, reached));
  return measured;
}

json ToJson(const SwitchMeasurement& measured) {
  json reports = json::array();
  for (const SwitchReport& report : measured.reports) {
    json objectives = json::object();
    for (std::size_t s = 0; s < measured.objectives.size(); ++s) {
      objectives[measured.objectives[s]] = {{"miss_median", 100 * report.misses[s].median},
                                            {"miss_q90", 100 * report.misses[s].q90},
                                            {"change_median", 100 * report.changes[s]}};
    }
    const double count = std::max(report.pairs, 1);
    reports.push_back({{"name", report.name},
                       {"pairs", report.pairs},
                       {"falls", 100 * report.falls / count},
                       {"lost", 100 * report.lost / count},
                       {"objectives", std::move(objectives)}});
  }
  return {{"pairs", measured.pairs},
          {"switch_step", measured.switch_step},
          {"unsolved_draws", measured.unsolved},
          {"early_falls", measured.early_falls},
          {"second_falls", measured.second_falls},
          {"reports", std::move(reports)}};
}

}  // namespace rhumb::eval
