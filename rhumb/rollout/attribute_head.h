// Adds attributes to a trained model: values of whole episodes that steering can then use. Encoder
// and decoder are unchanged.
//
//   expressions -> labels of the training episodes -> one linear head per attribute -> model
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/core/process/job.h"
#include "rhumb/net/model.h"

namespace rhumb::rollout {

// Attribute i has names[i], expressions[i] and, unless `units` is empty, units[i].
struct AddAttributesRequest {
  std::filesystem::path model;
  std::filesystem::path data;
  std::filesystem::path out;
  std::vector<std::string> names;
  std::vector<std::string> expressions;
  std::vector<std::string> units;
  core::Job job;

  void Visit(core::FieldVisitor& v) {
    v("model", model, "folder of the model");
    v("data", data, "folder of the dataset that the model was trained on");
    v("out", out, "folder of the new model; empty replaces the model");
    v("names", names, "names of the attributes: lower-case letters, digits and _");
    v("expressions", expressions, "expressions of the attributes, such as mean(torso_height)");
    v("units", units, "units of the attributes' values");
    v.Group("job", job);
  }
};

// A model with new heads, not yet written.
struct AttributedModel {
  net::Model model;
  std::filesystem::path out;
  core::Existing existing = core::Existing::kRefuse;
  std::shared_ptr<const nlohmann::json> run;  // everything the result depends on; never null
};

// Fits the heads on the training codes. Existing groundings are unchanged and lack the new
// attributes.
//
// Throws an Error for a taken or malformed name, an expression that cannot be computed or does not
// vary, or a dataset other than the model's.
AttributedModel FitAttributes(const AddAttributesRequest& request);

void WriteAttributed(const AttributedModel& attributed, const core::Job& job, double wall_seconds);

// Calls FitAttributes and WriteAttributed for an ungrounded model; throws an Error for a grounded
// one.
void AddAttributes(const AddAttributesRequest& request);

}  // namespace rhumb::rollout
