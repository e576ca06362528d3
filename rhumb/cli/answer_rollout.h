// Rollouts for `rhumb steer`: of its answers, or of the nearest candidates if there are no
// answers.
#pragma once

#include <vector>

#include "rhumb/eval/steering/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::cli {

struct RolledOutResult {
  // Without answers, `nearest` is the one nearest in simulation.
  steer::Result result;
  // One entry per answer, or one for the nearest behaviour without answers. Empty if not rolled
  // out.
  std::vector<eval::Realised> realised;
  double milliseconds = 0;
};

// `run.episodes` is the number of --rollouts; 0 for none. Rolls out all answers, or the nearest
// behaviour without answers. Throws CommandFailed when interrupted, as does RollOutBatch.
RolledOutResult RollOutAnswers(const rollout::CodeRunOptions& run, const steer::Steerer& steerer,
                               const steer::Query& query, const steer::Reference* reference,
                               steer::Result result);

// Rolls out the answers of all queries in one batch. Returns one entry per query.
std::vector<RolledOutResult> RollOutBatch(const rollout::CodeRunOptions& run,
                                          const net::Model& model,
                                          const std::vector<steer::Query>& queries,
                                          std::vector<steer::Result> results);

}  // namespace rhumb::cli
