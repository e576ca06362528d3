// Rolls out the answers of steering in simulation.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/problem.h"

namespace rhumb::eval {

// The realised values of a code; vectors are per objective, [K], in the objectives' units.
struct Realised {
  std::vector<double> mean;  // over `episodes`; NaN if there are none
  std::vector<double> std;   // between the episodes; 0 for one episode
  int episodes = 0;          // usable episodes
  int diverged = 0;          // diverged episodes
};

// Returns one result per code of codes [N, H], or nothing if stopped.
std::optional<std::vector<Realised>> Verify(const sim::Environment& environment,
                                            const net::Model& model, std::span<const float> codes,
                                            const rollout::CodeRunOptions& options);

// An answer and its realised values.
struct RealisedAnswer {
  steer::Answer answer;
  Realised realised;
};

// Rolls out the alternatives of a diagnosis. Returns the alternative with the best steer::Nearness
// of its realised values, or nothing if stopped.
std::optional<RealisedAnswer> FindNearest(const sim::Environment& environment,
                                          const net::Model& model, const steer::Problem& problem,
                                          std::span<const steer::Answer> alternatives,
                                          const rollout::CodeRunOptions& options);

// One result per code of the run.
std::vector<Realised> RealisedOf(const rollout::CodeRun& run);

// {objective: {"mean", "std", "episodes"}}
nlohmann::json ToJson(const Realised& realised, const net::ModelDescription& model);

}  // namespace rhumb::eval
