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

// The data that tools/pictures/model.py draws: the landscape and a description of the model.
nlohmann::json DescribeMap(const net::Model& model);

}  // namespace rhumb::eval
