// A code that may answer a query, and its risk. With realised values normal around the forecast,
//
//   risk = sqrt(sum over goals ((q - g)^2 + var q) / s^2)   how far off it may be
//        + kBoundWeight sum over bounds E[max(0, c)]        how much of a bound may be exceeded
//        + sum over wishes +-q / s
#pragma once

#include <span>
#include <vector>

#include "rhumb/steer/answer.h"
#include "rhumb/steer/forecaster.h"
#include "rhumb/steer/problem.h"

namespace rhumb::steer {

struct Candidate {
  std::vector<float> code;  // [H]
  Forecast forecast;
  Origin origin = Origin::kSteered;
  int iterations = 0;
  double distance = 0;  // to the data, in spacings
  double risk = 0;
  bool satisfies = false;
};

double RiskOf(const Problem& problem, const Forecaster& forecaster, const Forecast& forecast);

// By how much a bound is exceeded, in standard deviations, when it must be met with the probability
// `confidence` (0: the forecast alone counts).
double TightenedExcess(const Problem& problem, std::size_t bound, const Forecaster& forecaster,
                       const Forecast& forecast, double confidence);

// Whether the forecast reaches the goals and meets every bound, each with the probability
// `confidence` (0: the forecast alone counts).
bool Satisfies(const Problem& problem, const Forecaster& forecaster, const Forecast& forecast,
               double confidence);

// Which of the satisfying ones are the answers: the least risk, then, one by one, the code farthest
// from those already taken, of hardly more risk; codes nearer than `apart` to one of these are no
// other answer. In the order of their risk.
std::vector<const Candidate*> ChooseAnswers(std::span<const Candidate> candidates, int count,
                                            double apart);

}  // namespace rhumb::steer
