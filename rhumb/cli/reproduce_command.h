// rhumb reproduce
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddReproduceCommand(CLI::App& app);

}  // namespace rhumb::cli
