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
  std::filesystem::path data;  // the dataset the model was trained on
  std::filesystem::path out;   // "": the model itself, replaced in one step
  std::string name;            // lower-case letters, digits and _
  std::string expression;      // data/attribute.h: "mean(torso_height)"
  std::string unit;
  bool roll_out = false;       // ground the attribute too, where the model is grounded
  std::string device = "cpu";  // or "cuda": where grounded heads are fitted
  core::Job job;
};

// If stopped, the roll-outs made so far are in OUT.work, and the same request goes
// on from them. A name that is taken or is no word, an expression that cannot be computed, one that
// does not vary, another dataset than the model's, and a grounded model without `roll_out` are
// Errors; the model stays as it was.
core::Outcome AddAttribute(const AddAttributeRequest& request);

}  // namespace rhumb::learn::ground
