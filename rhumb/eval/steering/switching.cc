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
#include "rhumb/rollout/takeover.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

constexpr int kDrawsPerCode = 20;
constexpr std::size_t kPairsAtOnce = 256;  // that are tried together; bounds the memory of states
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

// Codes that answer a query, the best first.
using Answers = std::vector<std::vector<float>>;

// Answers of 2 * pairs random queries; counts the queries without one.
std::vector<Answers> DrawAnswers(const Setting& setting, int& unsolved) {
  const net::Model& model = setting.model;
  steer::SteerOptions options = setting.config.steer;
  options.answers = std::max(options.answers, setting.config.tries);
  const steer::Steerer steerer(model, setting.config.mode, options);
  const net::CodeTable* rolled_out = RolledOutCodes(model, setting.config.mode);
  const net::CodeTable& known = rolled_out != nullptr ? *rolled_out : model.training;
  if (known.count() < 2) Fail("the model has {} known codes; a pair needs 2", known.count());
  const int wanted = 2 * setting.config.pairs;
  std::vector<Answers> drawn;
  for (int draw = 0; std::ssize(drawn) < wanted; ++draw) {
    if (draw == kDrawsPerCode * wanted) {
      Fail("only {} of {} queries at known codes were solved; the map is too poor", drawn.size(),
           draw);
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
    Answers& answers = drawn.emplace_back();
    const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(setting.config.tries));
    for (const steer::Answer& answer :
         std::span(result.answers).first(std::min(count, result.answers.size()))) {
      answers.push_back(answer.code);
    }
  }
  return drawn;
}

// One code per pair, [pairs, H].
std::vector<float> CodesOf(std::span<const Answers> answers, std::span<const std::size_t> chosen) {
  std::vector<float> codes;
  for (std::size_t pair = 0; pair < answers.size(); ++pair) {
    const std::vector<float>& code = answers[pair][chosen[pair]];
    codes.insert(codes.end(), code.begin(), code.end());
  }
  return codes;
}

// What the pairs' runs did, and their states at mid-episode if they were saved.
struct Played {
  std::vector<Half> halves;
  rollout::CodeRun run;
};

// How the pairs are played.
struct PlayOptions {
  std::string label;
  std::vector<std::vector<rollout::CodeChange>> changes = {};  // [pairs] or empty
  int first_code = 0;
  bool saves_states = false;
};

// Plays one code per pair.
std::optional<Played> Play(const Setting& setting, std::span<const float> codes, PlayOptions how) {
  std::vector<Half> halves(static_cast<std::size_t>(setting.config.pairs),
                           {0, std::vector<double>(setting.rewards.size(), kNaN)});
  rollout::CodeRunOptions options{
      .mode = setting.config.mode,
      .first_code = core::stream_key::kSwitchedCodes + how.first_code,
      .batch = setting.config.batch,
      .changes = std::move(how.changes),
      .save_at = how.saves_states ? static_cast<int>(setting.middle) : 0,
      .label = std::move(how.label),
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
  std::optional<rollout::CodeRun> run =
      rollout::RollOutCodes(setting.environment, setting.model, codes, options);
  if (!run) return std::nullopt;
  return Played{std::move(halves), std::move(*run)};
}

// Returns each pair's answer that takes over best from the first code's state at mid-episode.
std::optional<std::vector<std::size_t>> ChooseSeconds(const Setting& setting,
                                                      std::span<const float> first,
                                                      std::span<const Answers> answers,
                                                      const Played& before, int blend) {
  const auto width = static_cast<std::size_t>(setting.model.code_size());
  const std::size_t size = before.run.states.size() / answers.size();
  std::vector<std::size_t> chosen(answers.size(), 0);
  int tried = 0;  // codes
  for (std::size_t begin = 0; begin < answers.size(); begin += kPairsAtOnce) {
    std::vector<rollout::TakeoverTrial> trials;
    std::vector<std::size_t> pairs;
    for (std::size_t pair = begin; pair < std::min(begin + kPairsAtOnce, answers.size()); ++pair) {
      if (before.run.saved[pair] == 0) continue;
      const std::span<const float> acting = first.subspan(pair * width, width);
      const auto state = before.run.states.begin() + static_cast<std::ptrdiff_t>(pair * size);
      trials.push_back({{acting.begin(), acting.end()},
                        {state, state + static_cast<std::ptrdiff_t>(size)},
                        answers[pair]});
      pairs.push_back(pair);
    }
    const auto best =
        rollout::ChooseTakeovers(setting.environment, setting.model, trials,
                                 {.mode = setting.config.mode,
                                  .step = setting.middle,
                                  .blend_steps = blend,
                                  .first_code = core::stream_key::kTriedTakeovers + tried,
                                  .batch = setting.config.batch,
                                  .label = fmt::format("try, blend {}", blend),
                                  .job = setting.job});
    if (!best) return std::nullopt;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      chosen[pairs[i]] = (*best)[i];
      tried += static_cast<int>(trials[i].codes.size());
    }
  }
  return chosen;
}

bool Fell(const Setting& setting, const Half& half) {
  return half.length < setting.environment.time_limit();
}

bool ReachesMiddle(const Setting& setting, const Played& before, const Played& steady,
                   std::size_t pair) {
  return before.halves[pair].length > setting.middle && steady.halves[pair].length > setting.middle;
}

double Median(std::vector<double> numbers) { return Summarise(std::move(numbers)).median; }

// Compares runs with those of the chosen answers all along, for the pairs where those and the first
// code reach mid-episode.
SwitchReport Compare(const Setting& setting, std::string name, std::span<const std::size_t> chosen,
                     const Played& played, const Played& steady, const Played& before) {
  const std::vector<Half>&runs = played.halves, &second = steady.halves;
  SwitchReport report;
  report.name = std::move(name);
  std::vector<std::vector<double>> misses(setting.rewards.size()), changes(misses);
  for (std::size_t pair = 0; pair < runs.size(); ++pair) {
    if (!ReachesMiddle(setting, before, steady, pair)) continue;
    ++report.pairs;
    if (chosen[pair] > 0) ++report.others;
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
  if (setting.middle < 1) {
    Fail("episodes of {} steps have no middle to change at", environment.time_limit());
  }
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
  const std::vector<Answers> drawn = DrawAnswers(setting, measured.unsolved);
  const auto pairs = static_cast<std::size_t>(config.pairs);
  const std::span<const Answers> answers = std::span(drawn).last(pairs);
  const std::vector<std::size_t> best(pairs, 0);
  const std::vector<float> first = CodesOf(std::span(drawn).first(pairs), best);
  const std::vector<float> favourites = CodesOf(answers, best);
  const auto before =
      Play(setting, first, {.label = "first code all along", .saves_states = config.tries > 1});
  if (!before) return std::nullopt;
  const auto favourite = Play(setting, favourites, {.label = "second code all along"});
  if (!favourite) return std::nullopt;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    if (!ReachesMiddle(setting, *before, *favourite, pair)) {
      ++measured.early_falls;
    } else if (Fell(setting, favourite->halves[pair])) {
      ++measured.second_falls;
    }
  }
  for (const int blend : config.blends) {
    std::optional<std::vector<std::size_t>> chosen = best;
    std::optional<Played> other;
    if (config.tries > 1) {
      chosen = ChooseSeconds(setting, first, answers, *before, blend);
      if (!chosen) return std::nullopt;
      other = Play(setting, CodesOf(answers, *chosen), {.label = "chosen code all along"});
      if (!other) return std::nullopt;
    }
    std::vector<std::vector<rollout::CodeChange>> changes;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      changes.push_back({{setting.middle, answers[pair][(*chosen)[pair]], blend}});
    }
    const std::string name = fmt::format("blend {}", blend);
    const auto runs = Play(setting, first, {.label = name, .changes = std::move(changes)});
    if (!runs) return std::nullopt;
    measured.reports.push_back(
        Compare(setting, name, *chosen, *runs, other ? *other : *favourite, *before));
  }
  const auto again =
      Play(setting, favourites, {.label = "second code again", .first_code = config.pairs});
  if (!again) return std::nullopt;
  measured.reports.push_back(Compare(setting, "again", best, *again, *favourite, *before));
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
                       {"others", report.others},
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
