// The data that tools/pictures/steer.py draws: a query and its answer on the map of training codes.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/eval/steering/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/query/query.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::eval {

// The query in plain words, with 6-digit numbers.
std::string DescribeBriefly(steer::Query query);

// The behaviour shown next to an answer: the recorded trajectory's code, or the training code in
// the middle of the map.
std::vector<float> CodeBefore(const net::Model& model, const steer::Reference* reference);

constexpr std::size_t kPathPoints = 25;

// `path` comes from steer::PathRecorder and has at most kPathPoints points. An empty path is drawn
// as a straight line from `before` to the answer, and "steered" is false. `realised` is null if the
// answer was not rolled out.
//   {"environment", "objectives": [{"name", "unit"}], "landscape": {"places", "values"},
//    "query": {"text", "target": {quantity: value}, "require": [text]},
//    "before": {"place": [x, y], "predicted": [K]}, "path": [the same…], "steered",
//    "predicted": {objective: value}, "interval": {objective: [low, high]},
//    "realised": {objective: {"mean", "std", "episodes"}}}
nlohmann::json DescribeSteering(const steer::Steerer& steerer, const steer::Query& query,
                                const std::vector<float>& before,
                                std::span<const std::vector<float>> path,
                                const steer::Answer& answer, const eval::Realised* realised);

// Adds the result's status and, under "others", the answers after the first, each as {"place",
// "predicted"}.
void AddOtherAnswers(const steer::Steerer& steerer, const steer::Result& result,
                     nlohmann::json& document);

}  // namespace rhumb::eval
