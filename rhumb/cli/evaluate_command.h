// rhumb evaluate probe | imitation | synthesis | ordering | context | control-functional
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddEvaluateCommand(CLI::App& app);

}  // namespace rhumb::cli
