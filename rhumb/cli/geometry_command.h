// rhumb evaluate geometry
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

// Adds the command to `rhumb evaluate`.
void AddGeometry(CLI::App& evaluate);

}  // namespace rhumb::cli
