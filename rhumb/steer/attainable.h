// The values that a map offers.
#pragma once

#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/steer/answer.h"

namespace rhumb::steer {

// Returns, for each objective [K], 1 % to 99 % of the values that the model's codes realised in
// this mode, or of the training labels if it was not grounded in it. The extremes are outliers,
// which steering cannot reach.
std::vector<Interval> AttainableRanges(const net::Model& model, net::RolloutMode mode);

// The mode that tables without a mode are about: one that the model is grounded in, sampled first.
net::RolloutMode MainMode(const net::Model& model);

}  // namespace rhumb::steer
