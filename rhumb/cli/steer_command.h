// rhumb steer MODEL --target … --require …
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddSteerCommand(CLI::App& app);

}  // namespace rhumb::cli
