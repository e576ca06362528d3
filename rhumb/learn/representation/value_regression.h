// Phase 2 of the paper's algorithm: one linear regressor per label on frozen codes, from the
// label's projection to the label.
#pragma once

#include <cstdint>
#include <span>

#include "rhumb/learn/representation/representation_config.h"
#include "rhumb/net/value_heads.h"

namespace rhumb::learn::representation {

// codes [episodes, draws, H], values [episodes, K] in standard deviations. Returns the regressors
// composed with their projections, as affine functions of the code.
net::LinearHeads FitHeads(const HeadConfig& config, const net::Projections& projections,
                          std::span<const float> codes, std::span<const float> values, int draws,
                          std::uint64_t seed);

}  // namespace rhumb::learn::representation
