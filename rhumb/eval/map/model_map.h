// A model's codes in the plane, for pictures. The axes are the two directions of largest variance.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "rhumb/net/model.h"

namespace rhumb::eval {

// The position of a code [H].
std::array<double, 2> PlaceOnMap(const net::Model& model, std::span<const float> code);

// {"places": [[x, y]…], "values": [[K]…]}: the training codes, with their labels.
nlohmann::json DescribeLandscape(const net::Model& model);

// The codes that were rolled out with sampled actions, or else with mean actions:
// {"mode", "episodes", "places", "values", "spread", "doubt"}. Null if there are none. Spread is
// the deviation between episodes, and doubt is half of the 90 % interval of a forecast there. Both
// are in % of the range, the largest over the shaping objectives.
nlohmann::json DescribeTried(const net::Model& model);

// The data that tools/pictures/model.py draws: the landscape, the codes that were tried, and a
// description of the model.
nlohmann::json DescribeMap(const net::Model& model);

}  // namespace rhumb::eval
