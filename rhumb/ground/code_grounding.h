// Rolls out codes, so that values are forecast from what the decoder realises.
//
//   codes -> chunks -> rollout::RollOutCodes -> work folder, chunk by chunk
//         -> rounds of ExploreRound, a chunk each, from everything rolled out before
//         -> means over episodes -> model.grounded, metrics "grounded"
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "rhumb/core/process/job.h"
#include "rhumb/ground/grounding_config.h"
#include "rhumb/net/model.h"
#include "rhumb/sim/environment.h"

namespace rhumb::ground {

// The codes and settings for grounding one mode.
struct CodesToGround {
  net::RolloutMode mode = net::RolloutMode::kSampled;
  std::vector<float> codes;            // [N, H]
  std::vector<std::int64_t> policies;  // [N], as in CodeTable, or empty
  std::vector<std::int64_t> owners;    // [N], as in TriedCodes, or empty
  int explored = 0;                    // further codes that exploration adds
  int episodes = 1;                    // per code
  std::uint64_t seed = 0;
};

struct GroundingOptions {
  std::filesystem::path work;  // a folder that keeps finished chunks, so they are not repeated
  core::Job job;               // its seed is unused: every mode has its own
};

// Grounds the model in each mode for all objectives, and replaces earlier groundings. Leaves out
// codes whose episodes all diverged. Falls and unsteady codes stay, because they are evidence.
// Equal arguments give equal bits, for any number of threads. If stopped, the finished chunks are
// in the work folder and the model is unchanged.
core::Outcome GroundCodes(const sim::Environment& environment, std::span<const CodesToGround> modes,
                          const GroundingOptions& options, net::Model& model);

// Errors of the forecasts by objective, in variances of its label: "mse" by rollouts, each code
// without its own, and "label_mse" by the label heads. The model must be grounded in this mode.
nlohmann::json DescribeForecasts(const net::Model& model, net::RolloutMode mode);

}  // namespace rhumb::ground
