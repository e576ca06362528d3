// What `rhumb reproduce` does: the stages of a scale, in an order in which they can run.
//
//   population -> dataset -> models/* -> models/ours.grounded -> measures/*/*.json
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "rhumb/cli/stage.h"

namespace rhumb::cli {

// The settings of one scale, key=value each. Data: all numbers that a scale differs by are here.
struct Scale {
  std::string name;
  int seeds = 1;                    // models of ours, each with a seed of its own
  std::vector<std::string> rivals;  // variants that are trained and measured beside
  std::vector<std::string> population, dataset, model, grounding, imitation, synthesis;
};

const std::vector<Scale>& Scales();

struct ReproduceRequest {
  std::string environment;  // an id, or the absolute path of a spec
  std::string rewards;      // "": the environment's default
  std::string scale;
  std::string device;
  std::uint64_t seed = 0;
  int threads = 1;
};

// `measures` are the commands that `rhumb evaluate` knows; stages of others are left out. An
// unknown scale is an Error.
std::vector<Stage> MakePlan(const ReproduceRequest& request, const std::set<std::string>& measures);

}  // namespace rhumb::cli
