// Why a problem has no solution, and what would.
#pragma once

#include "rhumb/steer/answer.h"
#include "rhumb/steer/search.h"

namespace rhumb::steer {

// Of all that can be had, the nearest is told: what meets the bounds and misses the goals least,
// else what exceeds the bounds least. Each goal and bound is then relaxed by itself, as far as all
// others allow. Steering stays near the data here: at the ends of what there is, heads promise more
// the farther one goes, and an end is what is looked for.
Diagnosis Diagnose(const Atlas& atlas, Search& search, const Problem& problem, Effort effort,
                   const Search::Seeds& seeds);

}  // namespace rhumb::steer
