#include "rhumb/cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "rhumb/core/text.h"

namespace rhumb::cli {
namespace {

bool IsNumber(const std::string& cell) {
  const std::size_t first = !cell.empty() && (cell[0] == '-' || cell[0] == '+') ? 1 : 0;
  return cell.size() > first && std::isdigit(static_cast<unsigned char>(cell[first])) != 0 &&
         cell.find_first_not_of("0123456789.eE+-") == std::string::npos;
}

// Counts columns on the screen, not bytes: UTF-8 continuation bytes have no width.
std::size_t Width(const std::string& cell) {
  return static_cast<std::size_t>(
      std::count_if(cell.begin(), cell.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string FormatTable(Table rows) {
  std::vector<std::size_t> widths;
  for (auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = core::Printable(row[c]);
      widths[c] = std::max(widths[c], Width(row[c]));
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - Width(row[c]), ' ');
      if (c > 0) line += "  ";
      line += IsNumber(row[c]) ? padding + row[c] : row[c] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string FormatNumber(double value, const char* form) {
  return std::isfinite(value) ? fmt::format(fmt::runtime(form), value) : "-";
}

}  // namespace rhumb::cli
