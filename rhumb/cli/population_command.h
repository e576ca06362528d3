// rhumb population train
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddPopulationCommand(CLI::App& app);

}  // namespace rhumb::cli
