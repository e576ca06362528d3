// What `rhumb steer` tries out in simulation: its answers, and what is nearest where there is none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rhumb/eval/verification.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::cli {

struct TrialOptions {
  rollout::CodeRunOptions run;  // its episodes are those of --rollouts, 0: none
  int refine = 0;               // episodes to refine the first answer by; 0: none
};

// What happens to the answers after they were found.
struct Trial {
  // By answer; without any, of the nearest behaviour; empty: not rolled out.
  std::vector<eval::Realised> realised;
  std::optional<eval::Refinement> refinement;
  double milliseconds = 0;
};

// Refines the first answer, unless it is refused, and rolls all out, as far as either is asked for;
// without an answer, the diagnosis then tells of what is nearest in simulation. CommandFailed when
// interrupted, and so below.
Trial TryOut(const TrialOptions& options, const steer::Steerer& steerer, const steer::Query& query,
             const steer::Reference* reference, steer::Result& result);

// All answers of all queries at once: by query, then as in a Trial.
std::vector<std::vector<eval::Realised>> RollOutBatch(const TrialOptions& options,
                                                      const net::Model& model,
                                                      const std::vector<steer::Query>& queries,
                                                      std::vector<steer::Result>& results);

}  // namespace rhumb::cli
