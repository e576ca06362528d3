// A text table with columns as wide as their widest cell.
#pragma once

#include <string>
#include <vector>

namespace rhumb::cli {

// The first row is the header. Cells that start with a digit, or a sign and a digit, are
// right-aligned; others are left-aligned. Control characters in cells become blanks.
std::string FormatTable(std::vector<std::vector<std::string>> rows);

}  // namespace rhumb::cli
