// rhumb evaluate probe | imitation
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddEvaluateCommand(CLI::App& app);

}  // namespace rhumb::cli
