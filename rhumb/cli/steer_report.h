// Output of `rhumb steer`: tables for people, one JSON document for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/eval/steering/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/query/query.h"

namespace rhumb::cli {

// Columns: asked, predicted with its interval and, if rolled out, realised. There is a row per
// answer and objective, and one for every other quantity in the query. `realised` has one entry
// per answer, or is empty without rollouts.
std::string FormatAnswers(const net::Model& model, const steer::Query& query,
                          const steer::Result& result, const std::vector<eval::Realised>& realised);

// Describes where an answer comes from: "steered in 34 steps, 0.27 spacings from the training
// codes". The distance shows how far to trust predictions, so it is omitted for training codes.
std::string DescribeOrigin(const steer::Answer& answer);

// Describes the tries behind an answer.
std::string DescribeTries(const std::vector<eval::RealisedAnswer>& tried);

// Describes the nearest behaviour, its realised values if rolled out, and the requirements that
// would have to change.
std::string FormatDiagnosis(const net::Model& model, const steer::Diagnosis& diagnosis,
                            const eval::Realised* realised);

// Makes the document of `--json`: query, status, answers, infeasibility. Rollouts add "realised"
// to the last two. `realised` has one entry per answer, or one for the nearest behaviour without
// answers.
nlohmann::json SteerDocument(const net::Model& model, const steer::Query& query,
                             const steer::Result& result,
                             const std::vector<eval::Realised>& realised);

}  // namespace rhumb::cli
