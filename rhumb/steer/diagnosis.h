// Why a problem has no solution, and what would.
#pragma once

#include <span>

#include "rhumb/steer/answer.h"
#include "rhumb/steer/search.h"

namespace rhumb::steer {

// `found` is what a search with `effort` came to, none of it satisfying. Calibrated heads search
// once more for what is likely to meet the bounds. Of that, else of `found`, the nearest is told:
// what meets the bounds and misses the goals least, else what seems to, else what misses least of
// both (Nearness); its rivals are the nearest of both searches. Each goal and bound is then relaxed
// by itself, as far as all others allow.
Diagnosis Diagnose(const Atlas& atlas, Search& search, const Problem& problem,
                   std::span<const Candidate> found, Effort effort);

}  // namespace rhumb::steer
