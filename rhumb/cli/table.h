// A table for people: columns as wide as their widest cell.
#pragma once

#include <string>
#include <vector>

namespace rhumb::cli {

// The first row is the header. Numbers (cells that start with a digit or a sign before one) are
// aligned to the right, words to the left. Control characters in cells become blanks.
std::string FormatTable(std::vector<std::vector<std::string>> rows);

}  // namespace rhumb::cli
