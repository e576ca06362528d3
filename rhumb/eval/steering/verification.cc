#include "rhumb/eval/steering/verification.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "rhumb/core/error.h"
#include "rhumb/core/math/normal_quantile.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/math/running_statistics.h"
#include "rhumb/steer/answer_json.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

// t of each objective. Uncalibrated heads give no interval.
std::vector<double> PredictionDeviations(const steer::Answer& answer, double interval_level,
                                         const net::ModelDescription& model) {
  std::vector<double> deviations;
  for (std::size_t k = 0; k < model.objectives.size(); ++k) {
    const double width =
        answer.interval.empty() ? 0 : answer.interval[k].high - answer.interval[k].low;
    deviations.push_back(width > 0 ? width / 2 / core::NormalQuantile((1 + interval_level) / 2)
                                   : model.objectives[k].std);
  }
  return deviations;
}

core::RunningStatistics StatisticsOf(const Realised& realised) {
  std::vector<double> squares = realised.std;
  for (double& value : squares) value *= (realised.episodes - 1) * value;
  core::RunningStatistics statistics(static_cast<int>(realised.mean.size()));
  statistics.Restore(realised.episodes, realised.mean, std::move(squares));
  return statistics;
}

// Pools the episodes of both.
Realised Pool(const Realised& a, const Realised& b) {
  Realised whole = a.episodes == 0 ? b : a;
  whole.episodes = a.episodes + b.episodes;
  whole.diverged = a.diverged + b.diverged;
  if (a.episodes > 0 && b.episodes > 0) {
    core::RunningStatistics statistics = StatisticsOf(a);
    statistics.Merge(StatisticsOf(b));
    whole.mean = statistics.mean();
    whole.std = statistics.sample_std();
  }
  return whole;
}

// The round of the answer's code; adds a new one if the code has not been rolled out.
RefinementRound& FindRound(Refinement& refinement, const steer::Answer& answer) {
  for (RefinementRound& round : refinement.rounds) {
    if (round.answer.code == answer.code) return round;
  }
  RefinementRound& round = refinement.rounds.emplace_back();
  round.answer = answer;
  return round;
}

// Fewer than two episodes give no standard deviation, so nothing is learned from them.
void Learn(const RefinementRound& round, std::span<const double> deviations,
           std::vector<double>& bias) {
  if (round.realised.episodes < 2) return;
  for (std::size_t k = 0; k < bias.size(); ++k) {
    const double prior = deviations[k] * deviations[k];
    const double spread = round.realised.std[k];
    const double weight = prior / (prior + spread * spread / round.realised.episodes);
    const double residual = round.realised.mean[k] - round.answer.predicted[k];
    bias[k] += weight * (residual - bias[k]);
  }
}

// The query that moves the realised values to those that `query` asks for.
steer::Query Shift(const steer::Query& query, const net::ModelDescription& model,
                   std::span<const double> predicted, std::span<const double> bias) {
  std::vector<double> corrected(predicted.begin(), predicted.end());
  for (std::size_t k = 0; k < corrected.size(); ++k) corrected[k] += bias[k];
  const auto shift_of = [&](const std::string& text) {
    const auto expression = steer::QueryExpression::Parse(text, model, "the query");
    const double shift = expression.Evaluate(corrected) - expression.Evaluate(predicted);
    // A ratio's denominator may vanish outside the range where it was checked.
    return std::isfinite(shift) ? shift : 0.0;
  };
  steer::Query shifted = query;
  for (steer::Target& target : shifted.targets) target.value -= shift_of(target.quantity);
  for (steer::Requirement& requirement : shifted.requirements) {
    const double shift = shift_of(requirement.quantity);
    requirement.low -= shift;
    requirement.high -= shift;
  }
  for (steer::Change& change : shifted.changes) change.offset -= shift_of(change.quantity);
  return shifted;
}

}  // namespace

std::optional<std::vector<Realised>> Verify(const sim::Environment& environment,
                                            const net::Model& model, std::span<const float> codes,
                                            const rollout::CodeRunOptions& options) {
  const std::optional<rollout::CodeRun> run =
      rollout::RollOutCodes(environment, model, codes, options);
  if (!run) return std::nullopt;
  return RealisedOf(*run);
}

std::vector<Realised> RealisedOf(const rollout::CodeRun& run) {
  const std::vector<double> means = run.Means(), deviations = run.Deviations();
  const auto row_of = [&](const std::vector<double>& rows, int code) {
    const auto first = rows.begin() + std::ptrdiff_t{code} * run.objectives;
    return std::vector<double>(first, first + run.objectives);
  };
  std::vector<Realised> realised;
  for (int code = 0; code < run.codes; ++code) {
    Realised& one = realised.emplace_back();
    one.mean = row_of(means, code);
    one.std = row_of(deviations, code);
    const auto first = run.diverged.begin() + std::ptrdiff_t{code} * run.episodes;
    one.diverged = static_cast<int>(std::count(first, first + run.episodes, 1));
    one.episodes = run.episodes - one.diverged;
  }
  return realised;
}

std::optional<RealisedAnswer> FindNearest(const sim::Environment& environment,
                                          const net::Model& model, const steer::Problem& problem,
                                          std::span<const steer::Answer> alternatives,
                                          const rollout::CodeRunOptions& options) {
  std::vector<float> codes;
  for (const steer::Answer& one : alternatives) {
    codes.insert(codes.end(), one.code.begin(), one.code.end());
  }
  const auto realised = Verify(environment, model, codes, options);
  if (!realised) return std::nullopt;
  const auto nearness_of = [&](const Realised& one) {
    return steer::Nearness{problem.LargestExcess(one.mean), problem.DistanceToGoals(one.mean)};
  };
  const auto is_nearer = [&](const Realised& a, const Realised& b) {
    return nearness_of(a) < nearness_of(b);
  };
  const auto best = std::min_element(realised->begin(), realised->end(), is_nearer);
  return RealisedAnswer{alternatives[static_cast<std::size_t>(best - realised->begin())], *best};
}

json ToJson(const Realised& realised, const net::ModelDescription& model) {
  json named = json::object();
  for (std::size_t k = 0; k < realised.mean.size(); ++k) {
    named[model.objectives[k].name] = {
        {"mean", realised.mean[k]}, {"std", realised.std[k]}, {"episodes", realised.episodes}};
  }
  return named;
}

std::vector<int> SplitIntoRounds(int episodes) {
  RHUMB_CHECK(episodes >= 1, "{} episodes", episodes);
  const int rounds = std::max(1, episodes / kEpisodesOfRound);
  std::vector<int> split(static_cast<std::size_t>(rounds), episodes / rounds);
  for (int i = 0; i < episodes % rounds; ++i) ++split[static_cast<std::size_t>(i)];
  return split;
}

std::optional<Refinement> Refine(const sim::Environment& environment, const net::Model& model,
                                 const RefinementTask& task, int episodes,
                                 const rollout::CodeRunOptions& options) {
  RHUMB_CHECK(!task.solved.answers.empty() && task.solved.status != steer::Status::kRefused,
              "there is no answer to refine");
  const net::ModelDescription& description = model.description;
  const steer::Problem problem = steer::MakeProblem(task.query, model, task.reference);
  std::vector<double> bias(description.objectives.size(), 0.0);
  steer::Result solved = task.solved;
  rollout::CodeRunOptions run = options;
  run.first_code = core::stream_key::kRefinedCodes;
  Refinement refinement;
  for (const int count : SplitIntoRounds(episodes)) {
    if (!refinement.rounds.empty()) {
      solved = task.solve(Shift(task.query, description, solved.answers.front().predicted, bias));
    }
    if (solved.answers.empty() || solved.status == steer::Status::kRefused) {
      refinement.ended_by = solved.status;
      break;
    }
    const steer::Answer& answer = solved.answers.front();
    run.episodes = count;
    const auto realised = Verify(environment, model, answer.code, run);
    if (!realised) return std::nullopt;
    ++run.first_code;

    RefinementRound& round = FindRound(refinement, answer);
    round.realised = Pool(round.realised, realised->front());
    round.miss = round.realised.episodes > 0 ? problem.Miss(round.realised.mean)
                                             : std::numeric_limits<double>::infinity();
    Learn(round, PredictionDeviations(answer, solved.interval_level, description), bias);
    round.bias = bias;
  }
  const auto best = std::min_element(
      refinement.rounds.begin(), refinement.rounds.end(),
      [](const RefinementRound& a, const RefinementRound& b) { return a.miss < b.miss; });
  refinement.best = static_cast<int>(best - refinement.rounds.begin());
  return refinement;
}

json ToJson(const Refinement& refinement, const net::ModelDescription& model) {
  json rounds = json::array();
  for (const RefinementRound& round : refinement.rounds) {
    rounds.push_back({{"code", round.answer.code},
                      {"predicted", steer::ByName(round.answer.predicted, model)},
                      {"realised", ToJson(round.realised, model)},
                      {"miss", round.miss},
                      {"bias", steer::ByName(round.bias, model)}});
  }
  json document = {{"rounds", rounds}, {"best", refinement.best}};
  if (refinement.ended_by) document["ended_by"] = steer::NameOf(*refinement.ended_by);
  return document;
}

}  // namespace rhumb::eval
