// rhumb dataset collect | show | import | export
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddDatasetCommand(CLI::App& app);

}  // namespace rhumb::cli
