// Phase 2 of the paper's algorithm: one linear regressor per label, from its projection to the
// label, on frozen codes.
#pragma once

#include <cstdint>
#include <span>

#include "rhumb/learn/representation/representation_config.h"
#include "rhumb/net/value_heads.h"

namespace rhumb::learn::representation {

// codes [episodes, draws, H], values [episodes, K] in units of deviation. Returns the regressors
// joined with their projections: affine in the code.
net::LinearHeads FitHeads(const HeadConfig& config, const net::Projections& projections,
                          std::span<const float> codes, std::span<const float> values, int draws,
                          std::uint64_t seed);

}  // namespace rhumb::learn::representation
