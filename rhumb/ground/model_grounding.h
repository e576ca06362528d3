// `rhumb model ground`: rolls out codes of a model, so that values are forecast from what its own
// decoder realises, in each mode in which it will act.
//
//   model -> its codes of training episodes -> GroundCodes (OUT.work meanwhile) -> model OUT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rhumb/core/process/job.h"
#include "rhumb/ground/grounding_config.h"

namespace rhumb::ground {

struct GroundRequest {
  std::filesystem::path model;
  std::filesystem::path out;
  std::vector<std::string> modes = {"sampled", "mean"};
  GroundingConfig config;
  core::Job job;

  void Visit(core::FieldVisitor& v) {
    v("model", model, "folder of the model");
    v("out", out, "folder of the new model; empty: replace the model atomically");
    v("modes", modes, core::OneOf{"sampled", "mean"}, "modes in which the model will act");
    v.Group("config", config);
    v.Group("job", job);
  }
};

// If stopped, finished rollouts stay in OUT.work, and the same request resumes from them. Does
// nothing if this request has already made the model.
core::Outcome GroundModel(const GroundRequest& request);

}  // namespace rhumb::ground
