// Output of `rhumb steer`: tables for people; eval/steering/steer_document.h is for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/eval/steering/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/query/query.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::cli {

// What `rhumb steer` shows of one query.
struct SteerOutcome {
  const net::Model& model;
  net::RolloutMode mode;
  const steer::Query& query;
  const steer::Result& result;
  // One entry per answer, or one for the nearest behaviour without answers. Empty without rollouts.
  const std::vector<eval::Realised>& realised;
  const steer::Reference* reference = nullptr;  // the trajectory that changes refer to, or null
};

// Columns: asked, predicted with its interval, realised if rolled out, and what the map offers.
// There is a row per answer and objective, and one for every other quantity in the query. With a
// reference, there is a column for what it was, and "asked" is the number that is aimed at.
std::string FormatAnswers(const SteerOutcome& outcome);

// One row per query of a batch and quantity that it asks for: asked, predicted with its interval,
// and realised if rolled out. A query without answers has no values.
std::string FormatBatch(std::span<const SteerOutcome> outcomes);

// Remarks on the answers, one sentence each: fewer than asked for, a kept value that moved, a
// confidence without a requirement.
std::vector<std::string> RemarksOn(const SteerOutcome& outcome, const steer::SteerOptions& options);

// Describes where an answer comes from: "steered in 34 steps, 0.27 spacings from the codes that
// were tried". The distance shows how far to trust predictions, so it is omitted for known codes.
std::string DescribeOrigin(const steer::Answer& answer);
// "97 % likely to be as asked"; empty if unknown, or if there are only wishes.
std::string DescribeProbability(const steer::Answer& answer);

// Describes the tries behind an answer.
std::string DescribeTries(const std::vector<eval::RealisedAnswer>& tried);

// Describes the nearest behaviour, its realised values if rolled out, and the requirements that
// would have to change. The diagnosis asks that a behaviour keeps each requirement with probability
// `likelihood`; the text says where that fails.
std::string FormatDiagnosis(const SteerOutcome& outcome, double likelihood);

// Probability that a value lies in [low, high], if it is normal around `predicted` and `interval`
// holds it with probability `level`.
double LikelihoodOf(double predicted, const steer::Interval& interval, double level, double low,
                    double high);

// The rows of the table in the picture: {"name", "asked", "predicted", "realised"}, as text, of the
// best answer or the nearest behaviour. Quantities that were asked for come first.
nlohmann::json RowsOfPicture(const SteerOutcome& outcome);

}  // namespace rhumb::cli
