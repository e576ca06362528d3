// `rhumb model add-attribute`: a number of whole episodes that a trained model can be steered by
// from then on, though it was not trained for it. Encoder and decoder stay as they are.
//
//   expression -> labels of the training episodes -> a linear head on their codes -> model OUT
//   where the model is grounded: its codes rolled out again, with the attribute -> heads anew
#pragma once

#include <filesystem>
#include <string>

#include "rhumb/core/job.h"

namespace rhumb::learn::ground {

struct AddAttributeRequest {
  std::filesystem::path model;
  std::filesystem::path data;
  std::filesystem::path out;
  std::string name;
  std::string expression;
  std::string unit;
  bool roll_out = false;
  core::Job job;

  void Visit(core::FieldVisitor& v) {
    v("model", model, "folder of the model");
    v("data", data, "the dataset that the model was trained on");
    v("out", out, "folder of the new model; empty: the model itself, replaced in one step");
    v("name", name, "lower-case letters, digits and _");
    v("expression", expression, "data/attribute.h: mean(torso_height)");
    v("unit", unit, "of its value");
    v("roll_out", roll_out, "ground the attribute too, where the model is grounded");
    v.Group("job", job);
  }
};

// If stopped, the roll-outs made so far are in OUT.work, and the same request goes
// on from them. A name that is taken or is no word, an expression that cannot be computed, one that
// does not vary, another dataset than the model's, and a grounded model without `roll_out` are
// Errors; the model stays as it was.
core::Outcome AddAttribute(const AddAttributeRequest& request);

}  // namespace rhumb::learn::ground
