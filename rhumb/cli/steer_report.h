// What `rhumb steer` says: tables for people, one document for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/eval/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/query.h"

namespace rhumb::cli {

// Asked, predicted with its interval and, where it was rolled out, realised: a row per answer and
// objective, and one for every other quantity that the query names. `realised` is by answer, and
// empty where nothing was rolled out.
std::string FormatAnswers(const net::Model& model, const steer::Query& query,
                          const steer::Result& result, const std::vector<eval::Realised>& realised);

// The nearest behaviour, and what would have to give way.
std::string FormatDiagnosis(const net::Model& model, const steer::Diagnosis& diagnosis);

// SPEC of `--json`: query, status, answers (with "realised" where rolled out), infeasibility.
nlohmann::json SteerDocument(const net::Model& model, const steer::Query& query,
                             const steer::Result& result,
                             const std::vector<eval::Realised>& realised);

}  // namespace rhumb::cli
