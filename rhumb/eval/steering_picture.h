// What tools/pictures/steer.py draws: a query and its answer on the map of the training codes.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/eval/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/query.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::eval {

// The query in plain words, its numbers with 6 digits.
std::string DescribeBriefly(steer::Query query);

// The behaviour that an answer is shown beside: the recorded trajectory's code, or the training
// code in the middle of the map.
std::vector<float> CodeBefore(const net::Model& model, const steer::Reference* reference);

// The codes that steering passed on the way to the answer, its start first and the answer last, at
// most kPathPoints of them. Empty where it was not steered, or not in the first attempt of
// Solve(query, reference, seed).
constexpr std::size_t kPathPoints = 25;
std::vector<std::vector<float>> TraceAnswer(const steer::Steerer& steerer, net::RolloutMode mode,
                                            const steer::Query& query,
                                            const steer::Reference* reference, std::uint64_t seed,
                                            const steer::Answer& answer);

// `path` is TraceAnswer's; an empty one leads straight from `before` to the answer, which nobody
// went, and "steered" is false. `realised` is null where the answer was not rolled out.
//   {"environment", "objectives": [{"name", "unit"}], "landscape": {"places", "values"},
//    "query": {"text", "target": {quantity: value}, "require": [text]},
//    "before": {"place": [x, y], "predicted": [K]}, "path": [the same…], "steered",
//    "predicted": {objective: value}, "interval": {objective: [low, high]},
//    "realised": {objective: {"mean", "std", "episodes"}}}
nlohmann::json DescribeSteering(const steer::Steerer& steerer, const steer::Query& query,
                                const std::vector<float>& before,
                                std::span<const std::vector<float>> path,
                                const steer::Answer& answer, const eval::Realised* realised);

}  // namespace rhumb::eval
