#include "rhumb/steer/candidate.h"

#include <algorithm>
#include <cmath>

namespace rhumb::steer {
namespace {

// Further answers may exceed the best one's risk by this much, in standard deviations.
constexpr double kRiskOfOthers = 0.25;

constexpr double kLeastProbability = 1e-6;

// P(x <= limit) for a normal x with mean 0.
double ProbabilityBelow(double limit, double x_std) {
  if (x_std <= 0) return limit >= 0 ? 1 : 0;
  return 0.5 * std::erfc(-limit / (x_std * std::sqrt(2.0)));
}

// E[max(0, x)] for a normal x.
double ExpectedExcess(double mean, double x_std) {
  if (x_std <= 0) return std::max(0.0, mean);
  const double z = mean / x_std;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
  return x_std * density + mean * 0.5 * std::erfc(-z / std::sqrt(2.0));
}

double DistanceBetween(const Candidate& a, const Candidate& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.code.size(); ++i) {
    const double difference = static_cast<double>(a.code[i]) - static_cast<double>(b.code[i]);
    squares += difference * difference;
  }
  return std::sqrt(squares);
}

}  // namespace

double ProbabilityOf(const Problem& problem, const Forecaster& forecaster,
                     std::span<const double> values, std::span<const double> stds) {
  double probability = 1;
  for (const Goal& goal : problem.goals) {
    if (!goal.must || !goal.in_loss) continue;
    const double off = goal.expression.Evaluate(values) - goal.value;
    const double goal_std = forecaster.StdOf(goal.expression, values, stds);
    probability *= ProbabilityBelow(goal.tolerance - off, goal_std) -
                   ProbabilityBelow(-goal.tolerance - off, goal_std);
  }
  for (const Bound& bound : problem.bounds) {
    const double excess = bound.sign * (bound.expression.Evaluate(values) - bound.limit);
    probability *= ProbabilityBelow(-excess, forecaster.StdOf(bound.expression, values, stds));
  }
  return probability;
}

double RiskOf(const Problem& problem, const Forecaster& forecaster, std::span<const double> values,
              std::span<const double> stds) {
  double squares = 0, rest = 0;
  for (const Goal& goal : problem.goals) {
    if (!goal.in_loss) continue;
    const double off = goal.expression.Evaluate(values) - goal.value;
    const double goal_std = forecaster.StdOf(goal.expression, values, stds);
    squares += (off * off + goal_std * goal_std) / (goal.std * goal.std);
  }
  for (const Wish& wish : problem.wishes) {
    rest += wish.sign * wish.expression.Evaluate(values) / wish.std;
  }
  for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
    const Bound& bound = problem.bounds[i];
    const double excess_std = forecaster.StdOf(bound.expression, values, stds) / bound.std;
    rest += kBoundWeight * ExpectedExcess(problem.Excess(i, values), excess_std);
  }
  // A wish is to be pushed as far as the bounds allow, and doubt would hold it back.
  if (!problem.wishes.empty()) return std::sqrt(squares) + rest;
  const double probability = ProbabilityOf(problem, forecaster, values, stds);
  return std::sqrt(squares) + rest - std::log(std::max(kLeastProbability, probability));
}

double TightenedExcess(const Problem& problem, std::size_t bound, const Forecaster& forecaster,
                       std::span<const double> values, std::span<const double> stds,
                       double confidence) {
  const Bound& one = problem.bounds[bound];
  return problem.Excess(bound, values) + forecaster.Margin(one, values, stds, confidence) / one.std;
}

bool Satisfies(const Problem& problem, const Forecaster& forecaster, std::span<const double> values,
               std::span<const double> stds, double confidence) {
  if (!problem.Reached(values)) return false;
  for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
    if (!(TightenedExcess(problem, i, forecaster, values, stds, confidence) <= 0)) return false;
  }
  return std::all_of(problem.wishes.begin(), problem.wishes.end(), [&](const Wish& wish) {
    return !std::isnan(wish.expression.Evaluate(values));
  });
}

std::vector<const Candidate*> ChooseAnswers(std::span<const Candidate> candidates, int count,
                                            double apart) {
  std::vector<const Candidate*> left, chosen;
  const auto is_safer = [](const Candidate* a, const Candidate* b) { return a->risk < b->risk; };
  for (const Candidate& candidate : candidates) {
    if (candidate.satisfies) left.push_back(&candidate);
  }
  if (left.empty()) return chosen;
  chosen.push_back(*std::min_element(left.begin(), left.end(), is_safer));
  std::erase_if(left, [&](const Candidate* one) {
    return !(one->risk <= chosen.front()->risk + kRiskOfOthers);
  });
  std::vector<double> distances(left.size(), kUnbounded);  // to the nearest chosen one
  while (chosen.size() < static_cast<std::size_t>(count)) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      distances[i] = std::min(distances[i], DistanceBetween(*left[i], *chosen.back()));
    }
    const auto farthest = std::max_element(distances.begin(), distances.end());
    if (*farthest <= apart) break;
    chosen.push_back(left[static_cast<std::size_t>(farthest - distances.begin())]);
  }
  std::stable_sort(chosen.begin(), chosen.end(), is_safer);
  return chosen;
}

}  // namespace rhumb::steer
