// rhumb version: what this binary is made of.
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddVersionCommand(CLI::App& app);

}  // namespace rhumb::cli
