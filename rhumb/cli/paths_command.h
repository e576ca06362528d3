// rhumb evaluate paths
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

// Adds the command to `rhumb evaluate`.
void AddPaths(CLI::App& evaluate);

}  // namespace rhumb::cli
