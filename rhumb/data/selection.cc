#include "rhumb/data/selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/files/hash.h"
#include "rhumb/core/math/running_statistics.h"

namespace rhumb::data {
namespace {

void LeaveOut(Policy& policy, Verdict verdict, std::string reason) {
  policy.verdict = verdict;
  policy.reason = std::move(reason);
}

void LeaveOutStationary(const SelectionConfig& config, std::span<Policy> policies) {
  // An agent is judged by its last checkpoint.
  std::map<int, const Policy*> last;
  for (const Policy& policy : policies) {
    if (!policy.kept()) continue;
    const Policy*& known = last[policy.agent];
    if (known == nullptr || policy.iteration > known->iteration) known = &policy;
  }
  double liveliest = 0;
  for (const auto& [agent, policy] : last) liveliest = std::max(liveliest, policy->motion);
  for (Policy& policy : policies) {
    if (!policy.kept()) continue;
    const double motion = last[policy.agent]->motion;
    if (motion >= config.stationary_fraction * liveliest) continue;
    LeaveOut(policy, Verdict::kStationary,
             fmt::format("its agent stands still: motion {:.3g}, the liveliest has {:.3g}", motion,
                         liveliest));
  }
}

// Standard deviation of the first objective over all episodes of the kept policies, pooled from the
// policies' means and standard deviations.
double TotalStd(std::span<const Policy> policies) {
  core::RunningStatistics all(1), own(1);
  for (const Policy& policy : policies) {
    if (!policy.kept()) continue;
    const double std = policy.std_return[0];
    const auto n = static_cast<double>(policy.measured_episodes);
    own.Restore(policy.measured_episodes, {policy.mean_return[0]}, {std * std * (n - 1)});
    all.Merge(own);
  }
  return all.std()[0];
}

void LeaveOutUnstable(const SelectionConfig& config, int time_limit, std::span<Policy> policies) {
  const double floor = config.variation_floor * TotalStd(policies);
  for (Policy& policy : policies) {
    if (!policy.kept()) continue;
    if (policy.mean_length <= config.min_length * time_limit) {
      LeaveOut(policy, Verdict::kFalls,
               fmt::format("mean length {:.0f} of {} steps, not above {}", policy.mean_length,
                           time_limit, config.min_length));
      continue;
    }
    const double mean = std::max(std::abs(policy.mean_return[0]), floor);
    const double variation = mean > 0 ? policy.std_return[0] / mean : 0;
    if (variation >= config.max_variation) {
      LeaveOut(policy, Verdict::kVariable,
               fmt::format("variation {:.2f} of the first objective, not below {}", variation,
                           config.max_variation));
    }
  }
}

// Of the weight vectors of agents that no other agent started from, the one nearest to the mean of
// all vectors; empty if there are fewer than three vectors.
std::vector<double> MiddleWeights(std::span<const Policy> policies) {
  std::set<int> parents;
  for (const Policy& policy : policies) parents.insert(policy.parent);
  std::set<std::vector<double>> distinct, of_leaves;
  for (const Policy& policy : policies) {
    if (!policy.kept() || policy.weights.empty()) continue;
    distinct.insert(policy.weights);
    if (!parents.contains(policy.agent)) of_leaves.insert(policy.weights);
  }
  if (distinct.size() < 3 || of_leaves.empty()) return {};
  std::vector<double> mean(distinct.begin()->size(), 0);
  for (const std::vector<double>& weights : distinct) {
    RHUMB_CHECK(weights.size() == mean.size(), "weight vectors of different sizes");
    for (std::size_t k = 0; k < mean.size(); ++k) {
      mean[k] += weights[k] / static_cast<double>(distinct.size());
    }
  }
  // Two neighbours of the middle of an even grid are equally near up to rounding. The set is in
  // ascending order, so the later one has the larger weight.
  constexpr double kTie = 1e-9;
  const std::vector<double>* middle = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& weights : of_leaves) {
    double distance = 0;
    for (std::size_t k = 0; k < mean.size(); ++k) {
      distance += (weights[k] - mean[k]) * (weights[k] - mean[k]);
    }
    if (distance > least + kTie) continue;
    least = distance;
    middle = &weights;
  }
  return *middle;
}

// The agents held out: those of the chosen weights, and their descendants. A parent has a lower
// number than its children.
std::set<int> HeldOutAgents(const SplitConfig& config, std::span<const Policy> policies) {
  std::set<int> held_out;
  if (!config.hold_out_weight) return held_out;
  std::map<int, const Policy*> agents;
  for (const Policy& policy : policies) agents.emplace(policy.agent, &policy);
  std::vector<double> weights;
  if (config.held_out_agent < 0) {
    weights = MiddleWeights(policies);
  } else {
    const auto found = agents.find(config.held_out_agent);
    if (found == agents.end() || found->second->weights.empty()) {
      Fail("split.held_out_agent is {}: there is no such agent with known weights",
           config.held_out_agent);
    }
    weights = found->second->weights;
  }
  if (weights.empty()) return held_out;
  for (const auto& [agent, policy] : agents) {
    if (policy->weights == weights || held_out.contains(policy->parent)) held_out.insert(agent);
  }
  return held_out;
}

// Uniform in [0, 1), a function of (agent, iteration) only.
double HashOf(const Policy& policy) {
  const std::string digest = core::Sha256(fmt::format("{}/{}", policy.agent, policy.iteration));
  return static_cast<double>(std::stoul(digest.substr(0, 8), nullptr, 16)) / 4294967296.0;
}

// Distance of each policy from the median policy, in its farthest objective, [policies]:
//   max_k |m_k - median_k| / std_k
std::vector<double> DistancesFromTheMiddle(std::span<Policy* const> policies) {
  std::vector<double> distances(policies.size(), 0);
  if (policies.empty()) return distances;
  for (std::size_t k = 0; k < policies[0]->mean_return.size(); ++k) {
    std::vector<double> sorted;
    for (const Policy* policy : policies) sorted.push_back(policy->mean_return[k]);
    std::sort(sorted.begin(), sorted.end());
    const double median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
    core::RunningStatistics statistics(1);
    for (const double& value : sorted) statistics.AddRow(std::span(&value, 1));
    const double spread = statistics.std()[0];
    if (!(spread > 0)) continue;  // equal for all policies: does not bound the box
    for (std::size_t i = 0; i < policies.size(); ++i) {
      distances[i] =
          std::max(distances[i], std::abs(policies[i]->mean_return[k] - median) / spread);
    }
  }
  return distances;
}

void DigHole(double share, std::span<Policy> policies) {
  std::vector<Policy*> kept;
  for (Policy& policy : policies) {
    if (policy.kept() && !policy.mean_return.empty()) kept.push_back(&policy);
  }
  // Absorb rounding, so that a share of a whole number of policies gives that number.
  const auto inside =
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(kept.size()) - 1e-9));
  if (inside == 0) return;
  const std::vector<double> distances = DistancesFromTheMiddle(kept);
  std::vector<double> sorted = distances;
  std::sort(sorted.begin(), sorted.end());
  const double radius = sorted[inside - 1];
  std::vector<Policy*> hole;
  std::size_t training = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]->split != Split::kTrain) continue;
    ++training;
    if (distances[i] <= radius) hole.push_back(kept[i]);
  }
  if (hole.empty() || hole.size() == training) {
    Fail(
        "split.hole is {}: of {} training policies, {} lie in the box around the median, which "
        "leaves no hole to learn around; choose another share",
        share, training, hole.size());
  }
  for (Policy* policy : hole) policy->split = Split::kHole;
}

}  // namespace

void SelectCheckpoints(const SelectionConfig& config, std::span<Policy> policies) {
  std::set<int> agents;
  for (const Policy& policy : policies) agents.insert(policy.agent);
  const auto dropped = std::min(static_cast<std::size_t>(config.drop_last_weights), agents.size());
  const std::set<int> dropped_agents(std::prev(agents.end(), static_cast<std::ptrdiff_t>(dropped)),
                                     agents.end());
  for (Policy& policy : policies) {
    if (!policy.kept()) continue;
    if (dropped_agents.contains(policy.agent)) {
      LeaveOut(policy, Verdict::kDroppedWeight,
               fmt::format("among the last {} weight vectors", dropped));
    } else if (policy.iteration <= config.skip_iterations) {
      LeaveOut(policy, Verdict::kEarly,
               fmt::format("among the first {} iterations", config.skip_iterations));
    } else if (policy.iteration % config.every != 0) {
      LeaveOut(policy, Verdict::kThinned,
               fmt::format("its iteration is not a multiple of {}", config.every));
    }
  }
}

void SelectBehaviours(const SelectionConfig& config, int time_limit, std::span<Policy> policies) {
  for (Policy& policy : policies) {
    if (policy.kept() && policy.measured_episodes == 0) {
      LeaveOut(policy, Verdict::kNoEpisodes, "no usable episode was recorded");
    }
  }
  LeaveOutStationary(config, policies);
  if (!config.keep_unstable) LeaveOutUnstable(config, time_limit, policies);
}

void AssignSplits(const SplitConfig& config, std::span<Policy> policies) {
  const std::set<int> held_out = HeldOutAgents(config, policies);
  std::vector<std::pair<double, Policy*>> rest;
  for (Policy& policy : policies) {
    const bool is_held_out = policy.kept() && held_out.contains(policy.agent);
    policy.split = is_held_out ? Split::kHeldOutWeight : Split::kTrain;
    if (policy.kept() && !is_held_out) rest.emplace_back(HashOf(policy), &policy);
  }
  std::sort(rest.begin(), rest.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  // At least one policy stays on either side.
  for (std::size_t i = 0; i + 1 < rest.size() && config.held_out_checkpoints > 0; ++i) {
    if (i > 0 && rest[i].first >= config.held_out_checkpoints) break;
    rest[i].second->split = Split::kHeldOutCheckpoint;
  }
  DigHole(config.hole, policies);
}

}  // namespace rhumb::data
