// A model's codes in the plane, for pictures: along the two directions in which they vary most.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "rhumb/net/model.h"

namespace rhumb::eval {

// Of a code [H].
std::array<double, 2> PlaceOnMap(const net::Model& model, std::span<const float> code);

// {"places": [[x, y]…], "values": [[K]…]}: the training codes, with their labels.
nlohmann::json DescribeLandscape(const net::Model& model);

// What tools/pictures/model.py draws: the landscape, and what the model is.
nlohmann::json DescribeMap(const net::Model& model);

}  // namespace rhumb::eval
