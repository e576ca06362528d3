// Hints about numbers of a query that are far from everything the map offers.
#pragma once

#include <string>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/steer/query/query.h"

namespace rhumb::cli {

// Returns a sentence for each target and requirement that looks like a slip: a value of one step
// where the sum over an episode is meant, or the other way round, or a wrong sign. Example:
// "did you mean forward=6000? forward is a sum over 1000 steps, 719 to 7408 on this map".
std::vector<std::string> HintsFor(const steer::Query& query, const net::Model& model,
                                  net::RolloutMode mode);

}  // namespace rhumb::cli
