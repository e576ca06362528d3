#include "rhumb/steer/query/query_text.h"

#include <fmt/format.h>

#include <charconv>

#include "rhumb/core/text.h"

namespace rhumb::steer {
namespace {

// Returns the shortest percentage that reproduces the factor exactly, or "" if none does.
std::string PercentageOf(double factor) {
  for (int digits = 1; digits <= 17; ++digits) {
    const std::string written = fmt::format("{:.{}g}", (factor - 1) * 100, digits);
    double percentage = 0;
    std::from_chars(written.data(), written.data() + written.size(), percentage);
    if (1 + percentage / 100 == factor) return fmt::format("{:+}%", percentage);
  }
  return "";
}

}  // namespace

std::string TextOf(const Target& target) {
  if (target.tolerance == 0) return fmt::format("{} = {}", target.quantity, target.value);
  return fmt::format("{} = {} +- {}", target.quantity, target.value, target.tolerance);
}

std::string TextOf(const Requirement& requirement) {
  const auto& [quantity, low, high] = requirement;
  if (high == kUnbounded) return fmt::format("{} >= {}", quantity, low);
  if (low == -kUnbounded) return fmt::format("{} <= {}", quantity, high);
  return fmt::format("{} in [{}, {}]", quantity, low, high);
}

std::string TextOf(const Change& change) {
  return fmt::format("{} {}", change.quantity, AmountOf(change));
}

std::string AmountOf(const Change& change) {
  if (change.factor == 1 && change.offset != 0) return fmt::format("{:+}", change.offset);
  const std::string percentage = change.offset == 0 ? PercentageOf(change.factor) : "";
  if (!percentage.empty()) return percentage;
  return fmt::format("*{} {:+}", change.factor, change.offset);
}

std::string Quote(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string shown;
  for (const char c : core::Shorten(text, kLongest)) {
    const bool is_control = (c >= 0 && c < ' ') || c == '\x7f';
    shown += is_control ? fmt::format("\\x{:02x}", c) : std::string(1, c);
  }
  return fmt::format("'{}'", shown);
}

}  // namespace rhumb::steer
