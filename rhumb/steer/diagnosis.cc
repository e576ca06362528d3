#include "rhumb/steer/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace rhumb::steer {
namespace {

// How far from the data is looked, in the distance that answers may have.
constexpr double kNearShare = 0.5;

double LargestExcess(const Problem& problem, const Candidate& candidate) {
  double largest = 0;
  for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
    largest = std::max(largest, problem.Excess(i, candidate.forecast.values));
  }
  return largest;
}

const Candidate& FindNearest(const Problem& problem, std::span<const Candidate> found) {
  const Candidate* nearest = nullptr;
  double least_excess = 0, least_loss = 0;
  for (const Candidate& candidate : found) {
    const double excess = LargestExcess(problem, candidate);
    const double loss = problem.Loss(candidate.forecast.values);
    if (nearest == nullptr || excess < least_excess ||
        (excess == least_excess && loss < least_loss)) {
      nearest = &candidate;
      least_excess = excess;
      least_loss = loss;
    }
  }
  return *nearest;
}

// Whether the values fail goal or bound `item`, goals first.
bool Misses(const Problem& problem, std::size_t item, std::span<const double> values) {
  if (item >= problem.goals.size()) return problem.Excess(item - problem.goals.size(), values) > 0;
  const Goal& goal = problem.goals[item];
  return std::abs(goal.quantity.Evaluate(values) - goal.value) > goal.tolerance;
}

// Without the goals and bounds that must be met but for item `item`, goals first: that one is
// approached, the others are bounds.
Problem Relaxed(const Problem& problem, std::size_t item, Relaxation& relaxation) {
  Problem relaxed;
  for (std::size_t i = 0; i < problem.goals.size(); ++i) {
    const Goal& goal = problem.goals[i];
    if (!goal.must) continue;
    if (i == item) {
      relaxed.goals.push_back(goal);
      relaxation = {goal.words, goal.quantity.text, goal.value};
      continue;
    }
    for (const double sign : {-1.0, 1.0}) {
      relaxed.bounds.push_back(
          {goal.quantity, sign, goal.value + sign * goal.tolerance, goal.scale, goal.words});
    }
  }
  for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
    const Bound& bound = problem.bounds[i];
    if (problem.goals.size() + i != item) {
      relaxed.bounds.push_back(bound);
      continue;
    }
    relaxed.goals.push_back(
        {bound.quantity, bound.limit, bound.scale, kUnbounded, /*must=*/false, bound.words});
    relaxation = {bound.words, bound.quantity.text, bound.limit};
  }
  for (Goal& goal : relaxed.goals) goal.must = false;  // as near as the others allow
  return relaxed;
}

Relaxation Relax(Search& search, const Problem& problem, std::size_t item, const Effort& effort) {
  Relaxation relaxation;
  const Problem relaxed = Relaxed(problem, item, relaxation);
  const std::vector<Candidate> found = search.Run(relaxed, effort, {});
  const Candidate* best = nullptr;
  for (const Candidate& candidate : found) {
    if (!candidate.satisfies) continue;
    if (best == nullptr ||
        relaxed.Loss(candidate.forecast.values) < relaxed.Loss(best->forecast.values)) {
      best = &candidate;
    }
  }
  relaxation.possible = best != nullptr;
  if (best != nullptr) {
    relaxation.needed = relaxed.goals.front().quantity.Evaluate(best->forecast.values);
  }
  return relaxation;
}

}  // namespace

Diagnosis Diagnose(const Atlas& atlas, Search& search, const Problem& problem, Effort effort,
                   const Search::Seeds& seeds) {
  effort.border *= kNearShare;
  const std::vector<Candidate> found = search.Run(problem, effort, seeds);
  const Candidate& nearest = FindNearest(problem, found);
  Diagnosis diagnosis;
  diagnosis.code = nearest.code;
  diagnosis.nearest = nearest.forecast.values;
  std::vector<std::string> values;
  for (std::size_t k = 0; k < diagnosis.nearest.size(); ++k) {
    diagnosis.interval.push_back(
        atlas.forecaster.IntervalOf(static_cast<int>(k), nearest.forecast, atlas.options.interval));
    values.push_back(
        fmt::format("{} {:.4g}", atlas.model.description.objectives[k].name, diagnosis.nearest[k]));
  }
  // What stands in the way: what the nearest behaviour misses, and what would help by giving way.
  for (std::size_t item = 0; item < problem.goals.size() + problem.bounds.size(); ++item) {
    if (item < problem.goals.size() && !problem.goals[item].must) continue;
    const Relaxation& relaxation =
        diagnosis.relax.emplace_back(Relax(search, problem, item, effort));
    if (relaxation.possible || Misses(problem, item, diagnosis.nearest)) {
      diagnosis.binding.push_back(relaxation.text);
    }
  }
  diagnosis.reason = fmt::format(
      "{} {}; the nearest behaviour on this map has {}", fmt::join(diagnosis.binding, " and "),
      diagnosis.binding.size() == 1 ? "is out of reach" : "do not go together",
      fmt::join(values, ", "));
  return diagnosis;
}

}  // namespace rhumb::steer
