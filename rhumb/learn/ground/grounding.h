// `rhumb model ground`: heads for what the model's own decoder realises, in the modes it will act
// in.
//
//   model, dataset -> codes of training episodes -> GroundCodes (OUT.work meanwhile) -> model OUT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "rhumb/learn/ground/grounding_config.h"

namespace rhumb::learn::ground {

struct GroundRequest {
  std::filesystem::path model;
  std::filesystem::path data;  // the dataset the model was trained on
  std::filesystem::path out;   // "": the model itself, replaced in one step
  std::vector<std::string> modes = {"sampled", "mean"};
  std::string device = "cpu";  // or "cuda"
  int threads = 1;
  std::uint64_t seed = 0;
  GroundingConfig config;
  std::function<bool()> should_stop = [] { return false; };
  bool quiet = false;
};

// False where it was stopped: the roll-outs made so far are in OUT.work, and the same request goes
// on from them. A model that this request has made already is left as it is.
bool GroundModel(const GroundRequest& request);

}  // namespace rhumb::learn::ground
