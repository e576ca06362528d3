#include "rhumb/rollout/takeover.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/rollout/code_runner.h"

namespace rhumb::rollout {
namespace {

// All candidates of all trials, one after another.
struct Candidates {
  std::vector<float> acting, codes;  // [N, H] each
  std::vector<double> states;        // [N, S]
  std::vector<std::vector<CodeChange>> changes;
};

Candidates Flatten(std::span<const TakeoverTrial> trials, int blend_steps) {
  Candidates all;
  for (const TakeoverTrial& trial : trials) {
    RHUMB_CHECK(!trial.codes.empty(), "a trial without codes");
    for (const std::vector<float>& code : trial.codes) {
      all.acting.insert(all.acting.end(), trial.acting.begin(), trial.acting.end());
      all.codes.insert(all.codes.end(), code.begin(), code.end());
      all.states.insert(all.states.end(), trial.state.begin(), trial.state.end());
      all.changes.push_back({{0, code, blend_steps}});
    }
  }
  return all;
}

}  // namespace

std::optional<std::vector<std::size_t>> ChooseTakeovers(const sim::Environment& environment,
                                                        const net::Model& model,
                                                        std::span<const TakeoverTrial> trials,
                                                        const TakeoverOptions& options) {
  std::vector<std::size_t> chosen(trials.size(), 0);
  std::int64_t left =
      std::min<std::int64_t>(environment.time_limit() - options.step, kTakeoverSteps);
  if (options.steps > 0) left = std::min<std::int64_t>(left, options.steps);
  if (left <= 0 || trials.empty()) return chosen;
  Candidates all = Flatten(trials, options.blend_steps);
  CodeRunOptions run{.mode = options.mode,
                     .first_code = options.first_code,
                     .batch = options.batch,
                     .label = options.label,
                     .job = options.job};

  run.steps = static_cast<int>(left);
  run.states = all.states;
  run.changes = std::move(all.changes);
  const auto taken_over = RollOutCodes(environment, model, all.acting, run);
  if (!taken_over) return std::nullopt;

  run.changes.clear();
  run.states = {};
  std::optional<CodeRun> before;
  if (options.step > 0) {
    run.steps = run.save_at =
        static_cast<int>(std::min<std::int64_t>(options.step, kTakeoverSteps));
    before = RollOutCodes(environment, model, all.codes, run);
    if (!before) return std::nullopt;
    run.states = before->states;
    run.save_at = 0;
    run.steps = static_cast<int>(left);
  }
  const auto all_along = RollOutCodes(environment, model, all.codes, run);
  if (!all_along) return std::nullopt;

  // Falls first, then the distance. The values of a run that diverged are not numbers, so it is
  // never better.
  using Cost = std::pair<bool, double>;
  const auto width = static_cast<std::size_t>(taken_over->objectives);
  std::size_t row = 0;
  for (std::size_t trial = 0; trial < trials.size(); ++trial) {
    Cost least{true, std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < trials[trial].codes.size(); ++i, ++row) {
      if (before && before->saved[row] == 0) continue;  // it falls before
      double distance = 0;
      for (int k = 0; k < model.description.shaping_labels; ++k) {
        const std::size_t at = row * width + static_cast<std::size_t>(k);
        const double off = (taken_over->values[at] - all_along->values[at]) /
                           model.description.objectives[static_cast<std::size_t>(k)].std;
        distance += off * off;
      }
      if (std::isnan(distance)) continue;
      const Cost cost{taken_over->lengths[row] < all_along->lengths[row], distance};
      if (!(cost < least)) continue;
      least = cost;
      chosen[trial] = i;
    }
  }
  return chosen;
}

}  // namespace rhumb::rollout
