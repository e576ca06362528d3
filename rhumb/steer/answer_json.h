// Results of steering in a model's terms: as JSON, and in words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/steer/answer.h"

namespace rhumb::steer {

// {objective: value} of values [K].
nlohmann::json ByName(std::span<const double> values, const net::ModelDescription& model);
// {objective: [low, high]} of intervals [K].
nlohmann::json ByName(const std::vector<Interval>& intervals, const net::ModelDescription& model);

// A sentence: the reason, and the nearest values.
std::string Describe(const Diagnosis& diagnosis, const net::ModelDescription& model);

// The parts of `rhumb steer --json` that steering knows: status, answers, infeasibility.
nlohmann::json ToJson(const Result& result, const net::ModelDescription& model);

}  // namespace rhumb::steer
