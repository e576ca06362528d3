// Rollouts for `rhumb steer`: of its answers, or of the nearest candidates if there are no
// answers.
#pragma once

#include <optional>
#include <vector>

#include "rhumb/eval/steering/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::cli {

struct AnswerRolloutOptions {
  rollout::CodeRunOptions run;  // number of episodes from --rollouts; 0 for none
  int refine = 0;               // episodes for refining the first answer; 0 for none
  // Observes the descents of a refinement; may be null.
  const steer::PrimalDual::Observer* observe = nullptr;
};

struct RolledOutResult {
  // The refined answer comes first. Without answers, `nearest` is the one nearest in simulation.
  steer::Result result;
  // One entry per answer, or one for the nearest behaviour without answers. Empty if not rolled
  // out.
  std::vector<eval::Realised> realised;
  std::optional<eval::Refinement> refinement;
  double milliseconds = 0;
};

// Refines the first answer, unless it is refused, and rolls out all answers, as the options ask.
// Throws CommandFailed when interrupted, as does RollOutBatch.
RolledOutResult RollOutAnswers(const AnswerRolloutOptions& options, const steer::Steerer& steerer,
                               const steer::Query& query, const steer::Reference* reference,
                               steer::Result result);

// Rolls out the answers of all queries in one batch, without refinement. Returns one entry per
// query.
std::vector<RolledOutResult> RollOutBatch(const AnswerRolloutOptions& options,
                                          const net::Model& model,
                                          const std::vector<steer::Query>& queries,
                                          std::vector<steer::Result> results);

}  // namespace rhumb::cli
