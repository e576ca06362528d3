// Steering that may try its candidates in simulation.
//
//   solve -> roll out the best different candidates -> add them to what is known -> solve again, …
//
// What was tried becomes evidence like the rollouts of the grounding. The forecast then chooses, so
// a code that was lucky in its few episodes is not taken at its word: its neighbours count too.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "rhumb/eval/steering/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/primal_dual.h"
#include "rhumb/steer/problem.h"
#include "rhumb/steer/query/query.h"
#include "rhumb/steer/steer_options.h"

namespace rhumb::eval {

struct TrialTask {
  const steer::Query& query;
  const steer::Reference* reference = nullptr;  // of the query's changes
  const steer::SteerOptions& steer;
  int tries = 0;           // codes to roll out, at most
  std::uint64_t seed = 0;  // of random starts
  int first_start = -1;    // as in Steerer::Solve
  // Sees the iterates of the last solution; may be null.
  const steer::PrimalDual::Observer* observe = nullptr;
};

struct Trials {
  steer::Result result;               // by everything that is known at the end
  std::vector<RealisedAnswer> tried;  // in order; fewer than asked if no candidate is new
};

// Each code is rolled out for as many episodes as the grounding's were, in rounds of up to four.
// `run` applies to these rollouts, except for episodes; its first_code counts up with the tries.
// Without tries this is Steerer::Solve. Returns nothing if stopped. Throws an Error if the model is
// not grounded for the mode.
std::optional<Trials> SolveByTrying(const sim::Environment& environment, const net::Model& model,
                                    const TrialTask& task, rollout::CodeRunOptions run);

// [{"code", "predicted", "realised"}]
nlohmann::json ToJson(const std::vector<RealisedAnswer>& tried, const net::ModelDescription& model);

}  // namespace rhumb::eval
