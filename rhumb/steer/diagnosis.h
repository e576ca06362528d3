// Explains why a problem has no solution, and which changes would give it one.
#pragma once

#include <span>

#include "rhumb/steer/answer.h"
#include "rhumb/steer/candidate.h"
#include "rhumb/steer/prepared_model.h"
#include "rhumb/steer/search.h"

namespace rhumb::steer {

// The best of thousands of codes is partly lucky. At the border of the feasible set, half of the
// codes that seem to meet a bound violate it. An attainable behaviour must therefore meet each of
// its bounds with this probability.
constexpr double kLikely = 0.75;

// `found` is the outcome of a search with `attempt`; no candidate in it satisfies the problem.
// With rollouts, a second search looks for codes that are likely to meet the bounds. The
// diagnosis picks the nearest candidate of that search, or else of `found`. Candidates that meet
// the bounds come first, ordered by how far they miss the goals. Next come those whose forecast
// meets the bounds, then the least total miss (Nearness). The alternatives are the nearest of both
// searches. Each goal and bound is then relaxed on its own, as far as all others require.
Diagnosis Diagnose(const PreparedModel& prepared, Search& search, const Problem& problem,
                   std::span<const Candidate> found, AttemptSettings attempt,
                   const Search::Seeds& seeds);

}  // namespace rhumb::steer
