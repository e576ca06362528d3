#include "rhumb/steer/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace rhumb::steer {
namespace {

// A goal or a bound that was asked for: the goals that must be reached, then the bounds that stand
// for none of them.
struct Item {
  bool is_goal = true;
  std::size_t index = 0;
};

std::vector<Item> ItemsOf(const Problem& problem) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < problem.goals.size(); ++i) {
    if (problem.goals[i].must) items.push_back({true, i});
  }
  for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
    if (!problem.bounds[i].firm) items.push_back({false, i});
  }
  return items;
}

// Judges forecasts by one problem and confidence.
class Judge {
 public:
  Judge(const Problem& problem, const Forecaster& forecaster, double confidence)
      : problem_(problem), forecaster_(forecaster), confidence_(confidence) {}

  bool Misses(const Item& item, const Forecast& forecast) const {
    if (!item.is_goal) return Excess(item.index, forecast) > 0;
    const Goal& goal = problem_.goals[item.index];
    return !(std::abs(goal.quantity.Evaluate(forecast.values) - goal.value) <= goal.tolerance);
  }

  // The candidate that exceeds the bounds least, and of these the one with the least loss.
  const Candidate& FindNearest(std::span<const Candidate> found) const {
    const auto is_nearer = [&](const Candidate& a, const Candidate& b) {
      const double left = LargestExcess(a.forecast), right = LargestExcess(b.forecast);
      if (left != right) return left < right;
      return DistanceToGoals(a.forecast) < DistanceToGoals(b.forecast);
    };
    return *std::min_element(found.begin(), found.end(), is_nearer);
  }

 private:
  double Excess(std::size_t bound, const Forecast& forecast) const {
    return TightenedExcess(problem_, bound, forecaster_, forecast, confidence_);
  }

  double LargestExcess(const Forecast& forecast) const {
    double largest = 0;
    for (std::size_t i = 0; i < problem_.bounds.size(); ++i) {
      if (problem_.bounds[i].firm) continue;
      const double excess = Excess(i, forecast);
      largest = std::isnan(excess) ? kUnbounded : std::max(largest, excess);
    }
    return largest;
  }

  double DistanceToGoals(const Forecast& forecast) const {
    double squares = 0;
    for (const Goal& goal : problem_.goals) {
      if (!goal.must) continue;
      const double off = goal.quantity.Evaluate(forecast.values) - goal.value;
      squares += off * off / (goal.scale * goal.scale);
    }
    return std::isnan(squares) ? kUnbounded : squares;
  }

  const Problem& problem_;
  const Forecaster& forecaster_;
  double confidence_;
};

// The problem in which `relaxed` is approached and all other items are bounds.
Problem RelaxedProblem(const Problem& problem, const Item& relaxed) {
  Problem result;
  for (const Item& item : ItemsOf(problem)) {
    const bool gives_way = item.is_goal == relaxed.is_goal && item.index == relaxed.index;
    if (item.is_goal) {
      Goal goal = problem.goals[item.index];
      if (gives_way) {
        goal.must = false;
        goal.in_loss = true;
        result.goals.push_back(std::move(goal));
        continue;
      }
      for (const double sign : {-1.0, 1.0}) {
        result.bounds.push_back({goal.quantity, sign, goal.value + sign * goal.tolerance,
                                 goal.scale, goal.words, /*firm=*/true});
      }
      continue;
    }
    const Bound& bound = problem.bounds[item.index];
    if (gives_way) {
      result.goals.push_back({bound.quantity, bound.limit, bound.scale, 0, /*must=*/false,
                              /*in_loss=*/true, bound.words});
    } else {
      result.bounds.push_back(bound);
    }
  }
  return result;
}

Relaxation Relax(const Atlas& atlas, Search& search, const Problem& problem, const Item& item,
                 const Effort& effort) {
  const Problem relaxed = RelaxedProblem(problem, item);
  const Goal& goal = relaxed.goals.front();
  const std::vector<Candidate> found = search.Run(relaxed, effort, {});
  const Candidate* best = nullptr;
  for (const Candidate& candidate : found) {
    if (!candidate.satisfies) continue;
    if (best == nullptr ||
        relaxed.Loss(candidate.forecast.values) < relaxed.Loss(best->forecast.values)) {
      best = &candidate;
    }
  }
  Relaxation relaxation{goal.words, goal.quantity.text, goal.value, best != nullptr};
  if (best == nullptr) return relaxation;
  relaxation.needed = goal.quantity.Evaluate(best->forecast.values);
  if (!item.is_goal) {  // the bound must let the margin in, too
    const Bound& bound = problem.bounds[item.index];
    relaxation.needed +=
        bound.sign * atlas.forecaster.Margin(bound, best->forecast.values, best->forecast.scales,
                                             search.ConfidencePerBound(problem));
  }
  return relaxation;
}

}  // namespace

Diagnosis Diagnose(const Atlas& atlas, Search& search, const Problem& problem,
                   std::span<const Candidate> found, const Effort& effort) {
  const Judge judge(problem, atlas.forecaster, search.ConfidencePerBound(problem));
  const Candidate& nearest = judge.FindNearest(found);
  Diagnosis diagnosis;
  diagnosis.code = nearest.code;
  diagnosis.nearest = nearest.forecast.values;
  std::vector<std::string> values;
  for (std::size_t k = 0; k < diagnosis.nearest.size(); ++k) {
    if (atlas.forecaster.calibrated()) {
      diagnosis.interval.push_back(atlas.forecaster.IntervalOf(
          static_cast<int>(k), nearest.forecast, atlas.options.interval));
    }
    values.push_back(
        fmt::format("{} {:.4g}", atlas.model.description.objectives[k].name, diagnosis.nearest[k]));
  }
  // What stands in the way: what the nearest behaviour misses, and what would help by giving way.
  for (const Item& item : ItemsOf(problem)) {
    const Relaxation& relaxation =
        diagnosis.relax.emplace_back(Relax(atlas, search, problem, item, effort));
    if (relaxation.possible || judge.Misses(item, nearest.forecast)) {
      diagnosis.binding.push_back(relaxation.text);
    }
  }
  diagnosis.reason = fmt::format(
      "{} {}; the nearest behaviour on this map has {}",
      diagnosis.binding.empty() ? "what is asked for"
                                : fmt::format("{}", fmt::join(diagnosis.binding, " and ")),
      diagnosis.binding.size() <= 1 ? "is out of reach" : "do not go together",
      fmt::join(values, ", "));
  return diagnosis;
}

}  // namespace rhumb::steer
