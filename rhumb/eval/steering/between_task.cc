#include "rhumb/eval/steering/between_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/net/steadiness.h"
#include "rhumb/rollout/code_runner.h"

namespace rhumb::eval {
namespace {

constexpr double kLeastApart = 0.3, kMostApart = 1.2;  // of a pair, in label deviations
constexpr double kLeastShare = 0.3, kMostShare = 0.7;  // t
constexpr double kNew = 0.02;                          // least distance to policies, of the range
constexpr double kTolerance = 0.02;                    // of a task's targets, same unit
constexpr int kAttempts = 1'000'000;                   // random pairs per draw
constexpr std::int64_t kLeastRound = 16;               // draws rolled out together

double RangeOf(const net::ModelObjective& objective) { return objective.max - objective.min; }

std::span<const net::ModelObjective> ShapingObjectives(const net::ModelDescription& model) {
  return std::span(model.objectives).first(static_cast<std::size_t>(model.shaping_labels));
}

// Whether no episode diverged, and all of them did nearly the same.
bool IsSteady(const Realised& realised, const net::ModelDescription& model) {
  return realised.diverged == 0 && net::IsSteady(realised.std, model);
}

bool IsNew(const Realised& realised, const Anchors& known, const net::ModelDescription& model) {
  return std::all_of(known.begin(), known.end(), [&](const Anchor& policy) {
    return LargestMiss(realised.mean, policy.values, model) > kNew;
  });
}

Task MakeTask(const Realised& realised, const net::ModelDescription& model, std::size_t number) {
  Task task;
  task.seed = number;
  const auto objectives = ShapingObjectives(model);
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    task.query.AddTarget(objectives[k].name, realised.mean[k], kTolerance * RangeOf(objectives[k]));
  }
  return task;
}

}  // namespace

CodeMixer::CodeMixer(const net::Model& model) : model_(model) {
  for (const net::ModelObjective& objective : ShapingObjectives(model.description)) {
    if (!(objective.std > 0 && RangeOf(objective) > 0)) {
      Fail("'{}' does not vary over the training labels, so no task lies between them",
           objective.name);
    }
  }
  const net::CodeTable& training = model.training;
  policies_ = training.policies;
  if (policies_.empty()) {
    policies_.resize(static_cast<std::size_t>(training.count()));
    std::iota(policies_.begin(), policies_.end(), 0);
  }
  owners_ = training.agents.empty() ? policies_ : training.agents;
  different_ = !training.agents.empty()     ? "agents"
               : !training.policies.empty() ? "policies"
                                            : "codes";
}

bool CodeMixer::Fits(int first, int second) const {
  if (owners_[static_cast<std::size_t>(first)] == owners_[static_cast<std::size_t>(second)]) {
    return false;
  }
  const std::span<const float> a = model_.training.values_of(first);
  const std::span<const float> b = model_.training.values_of(second);
  const auto objectives = ShapingObjectives(model_.description);
  double square = 0;
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    const double apart = (double{a[k]} - double{b[k]}) / objectives[k].std;
    square += apart * apart;
  }
  return square >= kLeastApart * kLeastApart && square <= kMostApart * kMostApart;
}

Mixture CodeMixer::Draw(std::uint64_t seed, std::int64_t draw) const {
  core::Stream noise(seed, core::Purpose::kMixture, static_cast<std::uint32_t>(draw));
  const auto count = static_cast<std::uint32_t>(model_.training.count());
  Mixture mixture;
  mixture.share = noise.Uniform(kLeastShare, kMostShare);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    mixture.first = static_cast<int>(noise.Below(count));
    mixture.second = static_cast<int>(noise.Below(count));
    if (Fits(mixture.first, mixture.second)) return mixture;
  }
  Fail(
      "none of {} random pairs of the {} training codes has different {} and labels {} to {} "
      "standard deviations apart",
      kAttempts, count, different_, kLeastApart, kMostApart);
}

void CodeMixer::AppendCode(const Mixture& mixture, std::vector<float>& codes) const {
  const std::span<const float> first = model_.training.code(mixture.first);
  const std::span<const float> second = model_.training.code(mixture.second);
  for (std::size_t h = 0; h < first.size(); ++h) {
    codes.push_back(static_cast<float>((1 - mixture.share) * first[h] + mixture.share * second[h]));
  }
}

std::pair<std::int64_t, std::int64_t> CodeMixer::PoliciesOf(const Mixture& mixture) const {
  return std::minmax({policies_[static_cast<std::size_t>(mixture.first)],
                      policies_[static_cast<std::size_t>(mixture.second)]});
}

double LargestMiss(std::span<const double> values, std::span<const double> asked,
                   const net::ModelDescription& model) {
  const auto objectives = ShapingObjectives(model);
  double miss = 0;
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    const double own = std::abs(values[k] - asked[k]) / RangeOf(objectives[k]);
    if (std::isnan(own)) return std::numeric_limits<double>::infinity();
    miss = std::max(miss, own);
  }
  return miss;
}

std::optional<BetweenTasks> MakeBetweenTasks(const sim::Environment& environment,
                                             const net::Model& model,
                                             const BetweenTaskOptions& options) {
  const CodeMixer mixer(model);
  const Anchors known = TrainingAnchors(model);
  const auto wanted = static_cast<std::size_t>(options.count);
  const auto size = static_cast<std::ptrdiff_t>(model.code_size());
  BetweenTasks made;
  made.different = mixer.different();
  std::vector<Mixture> mixtures;
  std::vector<float> codes;
  while (made.tasks.size() < wanted && made.draws < options.draws) {
    // Tasks are taken in the order of their draws, so the size of a round does not change them.
    const std::int64_t first = made.draws;
    const auto missing = static_cast<std::int64_t>(wanted - made.tasks.size());
    const std::int64_t end = std::min(options.draws, first + std::max(kLeastRound, 2 * missing));
    mixtures.clear();
    codes.clear();
    for (std::int64_t draw = first; draw < end; ++draw) {
      mixtures.push_back(mixer.Draw(options.job.seed, draw));
      mixer.AppendCode(mixtures.back(), codes);
    }
    const std::optional<std::vector<Realised>> realised = Verify(
        environment, model, codes,
        {.mode = options.mode,
         .episodes = options.episodes,
         .first_code = core::stream_key::kMixedCodes + static_cast<int>(first),
         .batch = options.batch,
         .label = fmt::format("mix codes ({} of {} tasks)", made.tasks.size(), options.count),
         .job = options.job});
    if (!realised) return std::nullopt;
    for (std::size_t i = 0; i < mixtures.size() && made.tasks.size() < wanted; ++i, ++made.draws) {
      if (!IsSteady((*realised)[i], model.description)) {
        ++made.unsteady;
      } else if (!IsNew((*realised)[i], known, model.description)) {
        ++made.known;
      } else {
        const auto code = codes.begin() + static_cast<std::ptrdiff_t>(i) * size;
        made.tasks.push_back(
            {.task = MakeTask((*realised)[i], model.description, made.tasks.size()),
             .draw = made.draws,
             .mixture = mixtures[i],
             .policies = mixer.PoliciesOf(mixtures[i]),
             .code = std::vector<float>(code, code + size),
             .realised = (*realised)[i]});
      }
    }
  }
  if (made.tasks.empty()) {
    Fail(
        "none of {} mixed codes makes a task: {} are unsteady or diverged, {} lie within {:g} % of "
        "the range of a training policy",
        made.draws, made.unsteady, made.known, 100 * kNew);
  }
  return made;
}

}  // namespace rhumb::eval
