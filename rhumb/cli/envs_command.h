// rhumb envs list | show | replay | bench
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddEnvsCommand(CLI::App& app);

}  // namespace rhumb::cli
