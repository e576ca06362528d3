// What documents that figures are drawn from are made of: numbers that are short, and precise
// enough for the eye.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "rhumb/net/model.h"

namespace rhumb::eval {

// The nearest number of so many decimal digits, leading zeros aside; what is not finite stays.
double RoundTo(double value, int digits);

// Lists of numbers of 5 digits; what is not finite is null in the file.
nlohmann::json RoundedList(std::span<const double> numbers);
// numbers [rows, width] -> a list for each row. `width` is above 0.
nlohmann::json RoundedRows(std::span<const float> numbers, std::size_t width);
nlohmann::json RoundedRows(std::span<const double> numbers, std::size_t width);

// [{"name", "unit"}]
nlohmann::json ObjectivesOf(const net::ModelDescription& model);

}  // namespace rhumb::eval
