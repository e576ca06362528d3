// A code that may answer a query, and its risk. Realised values are taken as independent and normal
// around the forecast:
//
//   risk = sqrt(sum over goals ((q - g)^2 + var q) / s^2)   expected distance from the goals
//        + kBoundWeight sum over bounds E[max(0, c)]        expected violation of the bounds
//        + sum over wishes +-q / s
//        - log max(P, 1e-6), without wishes                 doubt that all of it is met
//
// P is the probability that all goals are reached and all bounds hold. Where it is next to nothing
// it says only how uncertain a forecast is, so the expected miss decides alone.
#pragma once

#include <span>
#include <vector>

#include "rhumb/steer/answer.h"
#include "rhumb/steer/forecaster.h"
#include "rhumb/steer/problem.h"

namespace rhumb::steer {

// An answer that may be chosen. Its `predicted` and `interval` stay empty until MakeAnswer.
struct Candidate : Answer {
  Forecast forecast;
  bool satisfies = false;
};

// Returns P for values [K] with standard deviations stds [K].
double ProbabilityOf(const Problem& problem, const Forecaster& forecaster,
                     std::span<const double> values, std::span<const double> stds);
double RiskOf(const Problem& problem, const Forecaster& forecaster, std::span<const double> values,
              std::span<const double> stds);

// Returns the violation of a bound, in standard deviations, if it must hold with probability
// `confidence`. With `confidence` 0 only the forecast counts.
double TightenedExcess(const Problem& problem, std::size_t bound, const Forecaster& forecaster,
                       std::span<const double> values, std::span<const double> stds,
                       double confidence);

// Returns whether the forecast reaches the goals and meets every bound, each with probability
// `confidence`. With `confidence` 0 only the forecast counts.
bool Satisfies(const Problem& problem, const Forecaster& forecaster, std::span<const double> values,
               std::span<const double> stds, double confidence);

// Added to the risk of a code that does not satisfy the query, so that all that do come first.
constexpr double kUnsatisfyingRisk = 1e6;

// Chooses the answers among the satisfying candidates. The candidate of least risk comes first.
// Then it repeatedly adds the code farthest from those chosen, among codes of similar risk. It
// skips codes closer than `apart` to a chosen one. The result is sorted by risk.
std::vector<const Candidate*> ChooseAnswers(std::span<const Candidate> candidates, int count,
                                            double apart);

}  // namespace rhumb::steer
