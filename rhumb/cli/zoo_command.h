// `rhumb zoo list | pack`.
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddZooCommand(CLI::App& app);

}  // namespace rhumb::cli
