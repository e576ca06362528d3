// Rounds numbers for the JSON documents that figures are drawn from, to keep them short.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "rhumb/net/model.h"

namespace rhumb::eval {

// Rounds to `digits` significant decimal digits; non-finite values are unchanged.
double RoundTo(double value, int digits);

// A list of numbers with 5 digits each; non-finite values become null in the file.
nlohmann::json RoundedList(std::span<const double> numbers);
nlohmann::json RoundedList(std::span<const float> numbers);
// numbers [rows, width] -> one list per row. `width` must be positive.
nlohmann::json RoundedRows(std::span<const float> numbers, std::size_t width);
nlohmann::json RoundedRows(std::span<const double> numbers, std::size_t width);

// [{"name", "unit"}]
nlohmann::json ObjectivesOf(const net::ModelDescription& model);

}  // namespace rhumb::eval
