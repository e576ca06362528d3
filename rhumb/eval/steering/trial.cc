#include "rhumb/eval/steering/trial.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::eval {
namespace {

constexpr int kPerRound = 4;  // codes tried before the next solution

// The candidates of a solution, best first, without those that were tried.
std::vector<steer::Answer> NewCandidates(const steer::Result& result,
                                         const std::vector<RealisedAnswer>& tried, int count) {
  const std::vector<steer::Answer>& candidates =
      result.answers.empty() ? result.infeasibility->alternatives : result.answers;
  std::vector<steer::Answer> fresh;
  for (const steer::Answer& answer : candidates) {
    const bool is_known = std::any_of(tried.begin(), tried.end(), [&](const RealisedAnswer& one) {
      return one.answer.code == answer.code;
    });
    if (!is_known && static_cast<int>(fresh.size()) < count) fresh.push_back(answer);
  }
  return fresh;
}

// Codes whose episodes all diverged say nothing.
void AddEvidence(const RealisedAnswer& one, net::CodeTable& table) {
  if (one.realised.episodes == 0) return;
  table.codes.insert(table.codes.end(), one.answer.code.begin(), one.answer.code.end());
  for (const double value : one.realised.mean) table.values.push_back(static_cast<float>(value));
  for (const double value : one.realised.std) {
    table.deviations.push_back(static_cast<float>(value));
  }
  if (!table.policies.empty()) table.policies.push_back(-1);
}

}  // namespace

std::optional<Trials> SolveByTrying(const sim::Environment& environment, const net::Model& model,
                                    const TrialTask& task, rollout::CodeRunOptions run) {
  net::Model known = model;
  std::optional<net::Grounding>& grounding = known.grounded[static_cast<std::size_t>(run.mode)];
  if (!grounding && task.tries > 0) {
    Fail(
        "trying needs a model that is grounded for {} actions: run `rhumb model ground` first, or "
        "steer with --try 0",
        net::NameOf(run.mode));
  }
  Trials trials;
  while (static_cast<int>(trials.tried.size()) < task.tries) {
    const int left = task.tries - static_cast<int>(trials.tried.size());
    steer::SteerOptions options = task.steer;
    options.answers = std::max(options.answers, std::min(left, kPerRound));
    const steer::Steerer steerer(known, run.mode, options);
    const steer::Result result =
        steerer.Solve(task.query, task.reference, task.seed, task.first_start);
    const std::vector<steer::Answer> candidates =
        NewCandidates(result, trials.tried, std::min(left, kPerRound));
    if (candidates.empty()) break;
    std::vector<float> codes;
    for (const steer::Answer& answer : candidates) {
      codes.insert(codes.end(), answer.code.begin(), answer.code.end());
    }
    run.episodes = grounding->episodes;
    const auto realised = Verify(environment, model, codes, run);
    if (!realised) return std::nullopt;
    run.first_code += static_cast<int>(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      trials.tried.push_back({candidates[i], (*realised)[i]});
      AddEvidence(trials.tried.back(), grounding->rolled_out);
    }
  }
  trials.result = steer::Steerer(known, run.mode, task.steer)
                      .Solve(task.query, task.reference, task.seed, task.first_start, task.observe);
  return trials;
}

nlohmann::json ToJson(const std::vector<RealisedAnswer>& tried,
                      const net::ModelDescription& model) {
  nlohmann::json list = nlohmann::json::array();
  for (const RealisedAnswer& one : tried) {
    list.push_back({{"code", one.answer.code},
                    {"predicted", steer::ByName(one.answer.predicted, model)},
                    {"realised", ToJson(one.realised, model)}});
  }
  return list;
}

}  // namespace rhumb::eval
