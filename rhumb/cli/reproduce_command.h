// rhumb reproduce
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

// The measures that `rhumb evaluate` has are those that are taken, so the app gets that command
// too.
void AddReproduceCommand(CLI::App& app);

}  // namespace rhumb::cli
