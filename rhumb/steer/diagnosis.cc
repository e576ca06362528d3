#include "rhumb/steer/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace rhumb::steer {
namespace {

constexpr std::size_t kAlternatives = 12;

// A requested goal or bound: first the goals with `must`, then the bounds that do not replace a
// goal.
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

// Ranks forecasts by nearness to one problem at one confidence.
class NearnessRanking {
 public:
  NearnessRanking(const Problem& problem, const Forecaster& forecaster, double confidence)
      : problem_(problem), forecaster_(forecaster), confidence_(confidence) {}

  bool Misses(const Item& item, const Forecast& forecast) const {
    if (!item.is_goal) return Excess(item.index, forecast) > 0;
    const Goal& goal = problem_.goals[item.index];
    return !(std::abs(goal.expression.Evaluate(forecast.values) - goal.value) <= goal.tolerance);
  }

  // First the candidates likely to meet the bounds, then those that seem to, then the others.
  std::vector<const Candidate*> Sort(std::span<const Candidate> found) const {
    struct Place {
      bool seems_broken;
      Nearness nearness;
      const Candidate* candidate;
    };
    std::vector<Place> places;
    for (const Candidate& one : found) {
      const std::span<const double> values = one.forecast.values;
      const double excess =
          problem_.LargestExcess([&](std::size_t bound) { return Excess(bound, one.forecast); });
      places.push_back(
          {problem_.LargestExcess(values) > 0, {excess, problem_.DistanceToGoals(values)}, &one});
    }
    std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
      if (a.seems_broken != b.seems_broken) return b.seems_broken;
      return a.nearness < b.nearness;
    });
    std::vector<const Candidate*> sorted;
    for (const Place& place : places) sorted.push_back(place.candidate);
    return sorted;
  }

 private:
  double Excess(std::size_t bound, const Forecast& forecast) const {
    return TightenedExcess(problem_, bound, forecaster_, forecast.values, forecast.stds,
                           confidence_);
  }

  const Problem& problem_;
  const Forecaster& forecaster_;
  double confidence_;
};

// Returns the problem that approaches `relaxed` and turns all other items into bounds.
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
      AddFirmBounds(goal, result.bounds);
      continue;
    }
    const Bound& bound = problem.bounds[item.index];
    if (gives_way) {
      result.goals.push_back({bound.expression, bound.limit, bound.std, 0, /*must=*/false,
                              /*in_loss=*/true, bound.words});
    } else {
      result.bounds.push_back(bound);
    }
  }
  return result;
}

Relaxation Relax(const PreparedModel& prepared, Search& search, const Problem& problem,
                 const Item& item, const AttemptSettings& attempt, const Search::Seeds& seeds) {
  const Problem relaxed = RelaxedProblem(problem, item);
  const Goal& goal = relaxed.goals.front();
  const std::vector<Candidate> found = search.Run(relaxed, attempt, seeds);
  const Candidate* best = nullptr;
  for (const Candidate& candidate : found) {
    if (!candidate.satisfies) continue;
    if (best == nullptr ||
        relaxed.Loss(candidate.forecast.values) < relaxed.Loss(best->forecast.values)) {
      best = &candidate;
    }
  }
  Relaxation relaxation{goal.words, goal.expression.text, goal.value, best != nullptr};
  if (best == nullptr) return relaxation;
  relaxation.needed = goal.expression.Evaluate(best->forecast.values);
  if (!item.is_goal) {  // the bound must also admit the margin
    const Bound& bound = problem.bounds[item.index];
    relaxation.needed +=
        bound.sign * prepared.forecaster.Margin(bound, best->forecast.values, best->forecast.stds,
                                                search.ConfidencePerBound(problem, attempt));
  }
  return relaxation;
}

}  // namespace

Diagnosis Diagnose(const PreparedModel& prepared, Search& search, const Problem& problem,
                   std::span<const Candidate> found, AttemptSettings attempt,
                   const Search::Seeds& seeds) {
  std::vector<Candidate> likely(found.begin(), found.end());
  if (prepared.options.candidates && prepared.forecaster.has_rollouts()) {
    attempt.likelihood = kLikely;
    likely = search.Run(problem, attempt, seeds);
  }
  const NearnessRanking strict(problem, prepared.forecaster,
                               search.ConfidencePerBound(problem, attempt));
  const NearnessRanking lenient(problem, prepared.forecaster, search.ConfidencePerBound(problem));
  const std::vector<const Candidate*> sorted = strict.Sort(likely);
  const Candidate& nearest = *sorted.front();
  Diagnosis diagnosis;
  diagnosis.nearest = MakeAnswer(prepared, nearest);
  // Candidates likely to meet the bounds, then those that seem to, without duplicates.
  std::vector<Answer>& alternatives = diagnosis.alternatives;
  std::size_t share = kAlternatives / 2;
  for (const auto& list : {sorted, lenient.Sort(found)}) {
    for (std::size_t i = 0; i < list.size() && alternatives.size() < share; ++i) {
      const bool is_known =
          std::any_of(alternatives.begin(), alternatives.end(),
                      [&](const Answer& one) { return one.code == list[i]->code; });
      if (!is_known) alternatives.push_back(MakeAnswer(prepared, *list[i]));
    }
    share = kAlternatives;
  }
  // Binding items: those the nearest behaviour misses, and those whose relaxation would help.
  for (const Item& item : ItemsOf(problem)) {
    const Relaxation& relaxation =
        diagnosis.relax.emplace_back(Relax(prepared, search, problem, item, attempt, seeds));
    if (relaxation.possible || strict.Misses(item, nearest.forecast)) {
      diagnosis.binding.push_back(relaxation.text);
    }
  }
  diagnosis.reason = fmt::format(
      "{} {}",
      diagnosis.binding.empty() ? "the query"
                                : fmt::format("{}", fmt::join(diagnosis.binding, " and ")),
      diagnosis.binding.size() <= 1 ? "is out of reach" : "do not go together");
  return diagnosis;
}

}  // namespace rhumb::steer
