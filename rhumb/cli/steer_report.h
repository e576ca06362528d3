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

// Where an answer comes from: "steered in 34 steps, 0.27 spacings from the training codes". The
// distance says how far predictions can be trusted, so that of a known code is left out.
std::string DescribeOrigin(const steer::Answer& answer);

// How the answer was refined, and why that ended early where it did.
std::string DescribeRefinement(const eval::Refinement& refinement);

// The nearest behaviour, with what it realised where it was rolled out, and what would have to give
// way.
std::string FormatDiagnosis(const net::Model& model, const steer::Diagnosis& diagnosis,
                            const eval::Realised* realised);

// SPEC of `--json`: query, status, answers (with "realised" where rolled out), infeasibility
// (likewise). `realised` is by answer; without any, of the nearest behaviour.
nlohmann::json SteerDocument(const net::Model& model, const steer::Query& query,
                             const steer::Result& result,
                             const std::vector<eval::Realised>& realised);

}  // namespace rhumb::cli
