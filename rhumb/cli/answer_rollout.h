// The roll-outs of `rhumb steer`: of its answers or, where there is none, of what may be nearest.
#pragma once

#include <optional>
#include <vector>

#include "rhumb/eval/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::cli {

struct AnswerRolloutOptions {
  rollout::CodeRunOptions run;  // its episodes are those of --rollouts, 0: none
  int refine = 0;               // episodes to refine the first answer by; 0: none
  // Sees the descents of a refinement; null: nobody does.
  const steer::PrimalDual::Observer* observe = nullptr;
};

struct RolledOutResult {
  // With the refined answer first; without an answer, `nearest` is what came nearest in simulation.
  steer::Result result;
  // By answer; without any, of the nearest behaviour; empty: not rolled out.
  std::vector<eval::Realised> realised;
  std::optional<eval::Refinement> refinement;
  double milliseconds = 0;
};

// Refines the first answer, unless it is refused, and rolls all out, as far as either is asked for.
// CommandFailed when interrupted, and so below.
RolledOutResult RollOutAnswers(const AnswerRolloutOptions& options, const steer::Steerer& steerer,
                               const steer::Query& query, const steer::Reference* reference,
                               steer::Result result);

// All answers of all queries at once, without refinement: by query.
std::vector<RolledOutResult> RollOutBatch(const AnswerRolloutOptions& options,
                                          const net::Model& model,
                                          const std::vector<steer::Query>& queries,
                                          std::vector<steer::Result> results);

}  // namespace rhumb::cli
