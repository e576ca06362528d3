// `rhumb model ground`: heads for what the model's own decoder realises, in the modes it will act
// in.
//
//   model, dataset -> codes of training episodes -> GroundCodes (OUT.work meanwhile) -> model OUT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rhumb/core/job.h"
#include "rhumb/learn/ground/grounding_config.h"

namespace rhumb::learn::ground {

struct GroundRequest {
  std::filesystem::path model;
  std::filesystem::path data;  // the dataset the model was trained on
  std::filesystem::path out;   // "": the model itself, replaced in one step
  std::vector<std::string> modes = {"sampled", "mean"};
  std::string device = "cpu";  // or "cuda"
  GroundingConfig config;
  core::Job job;
};

// If stopped, the roll-outs made so far are in OUT.work, and the same request goes
// on from them. A model that this request has made already is left as it is.
core::Outcome GroundModel(const GroundRequest& request);

}  // namespace rhumb::learn::ground
