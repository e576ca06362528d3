// A code that may answer a query, and how it is judged.
//
//   risk = sqrt(sum over goals ((q - g)^2 + var q) / s^2)                  (how far off it may be)
//        + 5 sum over bounds E[c]+                                          (how much may be
//        exceeded)
//        + sum over wishes +-q / s
//   for realised values that are normal around the forecast
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

// Whether the forecast reaches the goals and meets every bound, each with the probability
// `confidence` (0: the forecast alone counts).
bool Satisfies(const Problem& problem, const Forecaster& forecaster, const Forecast& forecast,
               double confidence);

// Which of the satisfying ones are the answers: the least risk first, then, one by one, the code
// farthest from those already taken; codes nearer than `apart` to one of these are no other answer.
std::vector<const Candidate*> ChooseAnswers(std::span<const Candidate> candidates, int count,
                                            double apart);

}  // namespace rhumb::steer
