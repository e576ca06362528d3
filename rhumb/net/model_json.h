// model.json: what a model is and where it comes from, readable without Rhumb.
//
//   {"format", "variant", "architecture": {…}, "environment": {…}, "objectives": [{…}, …],
//    "shaping_labels", "grounded": {"sampled": {…}, "mean": {…}}, "provenance", "metrics"}
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rhumb/net/model.h"

namespace rhumb::net {

nlohmann::json ModelToJson(const Model& model);

// A model with everything that its document says and its arrays do not: the description, what the
// networks are like, in which modes it is grounded, provenance and metrics. What is missing, of the
// wrong type or out of range is an Error that names it and `place`.
Model ModelFromJson(const nlohmann::json& document, const std::string& place);

// An Error where the document speaks of other sizes, or other groundings, than the model has.
void CheckSizes(const nlohmann::json& document, const Model& model, const std::string& place);

}  // namespace rhumb::net
