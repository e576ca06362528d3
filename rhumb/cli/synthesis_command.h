// rhumb evaluate synthesis
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

// Adds the command to `rhumb evaluate`.
void AddSynthesis(CLI::App& evaluate);

}  // namespace rhumb::cli
