// rhumb evaluate ordering | context | control-functional: what the paper's theory says, measured.
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddOrdering(CLI::App& evaluate);
void AddContext(CLI::App& evaluate);
void AddControlFunctional(CLI::App& evaluate);

}  // namespace rhumb::cli
