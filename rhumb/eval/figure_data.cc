#include "rhumb/eval/figure_data.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/core/error.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

constexpr int kDigits = 5;

}  // namespace

// Rounds through text, because multiples of 0.1 have no short binary form and the file is text
// anyway.
double RoundTo(double value, int digits) {
  return std::isfinite(value) ? std::stod(fmt::format("{:.{}g}", value, digits)) : value;
}

json RoundedList(std::span<const double> numbers) {
  json list = json::array();
  for (const double number : numbers) list.push_back(RoundTo(number, kDigits));
  return list;
}

json RoundedList(std::span<const float> numbers) {
  return RoundedList(std::vector<double>(numbers.begin(), numbers.end()));
}

json RoundedRows(std::span<const double> numbers, std::size_t width) {
  RHUMB_CHECK(width > 0 && numbers.size() % width == 0, "{} numbers in rows of {}", numbers.size(),
              width);
  json rows = json::array();
  for (std::size_t at = 0; at < numbers.size(); at += width) {
    rows.push_back(RoundedList(numbers.subspan(at, width)));
  }
  return rows;
}

json RoundedRows(std::span<const float> numbers, std::size_t width) {
  return RoundedRows(std::vector<double>(numbers.begin(), numbers.end()), width);
}

json ObjectivesOf(const net::ModelDescription& model) {
  json objectives = json::array();
  for (const net::ModelObjective& objective : model.objectives) {
    objectives.push_back({{"name", objective.name}, {"unit", objective.unit}});
  }
  return objectives;
}

}  // namespace rhumb::eval
