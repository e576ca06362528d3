// Why a problem has no solution, and what would give it one.
#pragma once

#include <span>

#include "rhumb/steer/answer.h"
#include "rhumb/steer/candidate.h"
#include "rhumb/steer/prepared_model.h"
#include "rhumb/steer/search.h"

namespace rhumb::steer {

// `found` is the outcome of a search with `attempt`; none of it satisfies the problem. Calibrated
// heads search once more for codes that are likely to meet the bounds. Of these, else of `found`,
// the diagnosis names the nearest: what meets the bounds and misses the goals least, else what
// seems to, else what misses least of both (Nearness). The alternatives are the nearest of both
// searches. Each goal and bound is then relaxed by itself, as far as all others allow.
Diagnosis Diagnose(const PreparedModel& prepared, Search& search, const Problem& problem,
                   std::span<const Candidate> found, AttemptSettings attempt);

}  // namespace rhumb::steer
