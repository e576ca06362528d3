// The weight vectors of utility indicators: the 50 that morl-baselines 1.3 uses, which are pymoo's
// get_reference_directions("energy", K, 50, seed=42).
#pragma once

#include <cstddef>
#include <span>

namespace rhumb::eval {

constexpr std::size_t kUtilityWeights = 50;

// [50, K], each row with sum 1; [1, 1] for one objective. Empty for more than four objectives.
std::span<const double> UtilityWeights(std::size_t objectives);

}  // namespace rhumb::eval
