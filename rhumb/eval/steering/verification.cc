#include "rhumb/eval/steering/verification.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace rhumb::eval {

using nlohmann::json;

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

}  // namespace rhumb::eval
