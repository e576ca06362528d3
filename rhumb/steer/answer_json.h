// Steering results with the model's names and units, as JSON and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/steer/answer.h"

namespace rhumb::steer {

// Returns {objective: value} for values [K].
nlohmann::json ByName(std::span<const double> values, const net::ModelDescription& model);
// Returns {objective: [low, high]} for intervals [K].
nlohmann::json ByName(const std::vector<Interval>& intervals, const net::ModelDescription& model);

// Returns one sentence with the reason and the nearest values.
std::string Describe(const Diagnosis& diagnosis, const net::ModelDescription& model);

// Returns the steering part of `rhumb steer --json`: status, answers, infeasibility.
nlohmann::json ToJson(const Result& result, const net::ModelDescription& model);

}  // namespace rhumb::steer
