// A text table with columns as wide as their widest cell.
#pragma once

#include <string>
#include <vector>

namespace rhumb::cli {

// Rows of cells; the first row is the header.
using Row = std::vector<std::string>;
using Table = std::vector<Row>;

// Cells that start with a digit, or a sign and a digit, are right-aligned; others are left-aligned.
// Control characters in cells become blanks.
std::string FormatTable(Table rows);

// Formats a cell; a number that is missing or infinite becomes "-".
std::string FormatNumber(double value, const char* form = "{:.4f}");

}  // namespace rhumb::cli
