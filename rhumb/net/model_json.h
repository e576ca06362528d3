// model.json: the model's description and provenance, readable without Rhumb.
//
//   {"format", "variant", "architecture": {…}, "environment": {…}, "objectives": [{…}, …],
//    "shaping_labels", "grounded": {"sampled": {…}, "mean": {…}}, "provenance", "metrics"}
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rhumb/net/model.h"

namespace rhumb::net {

nlohmann::json ModelToJson(const Model& model);
nlohmann::json ToJson(const ModelObjective& objective);

// Reads everything but the arrays: description, architecture, grounded modes, provenance and
// metrics. Throws Error with the key and `place` if a value is missing, of the wrong type or out of
// range.
Model ModelFromJson(const nlohmann::json& document, const std::string& place);

// Throws Error if the document and the model disagree on sizes or grounded modes.
void CheckSizes(const nlohmann::json& document, const Model& model, const std::string& place);

}  // namespace rhumb::net
