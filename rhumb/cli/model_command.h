// rhumb model train | ground | add-attribute | show
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddModelCommand(CLI::App& app);

}  // namespace rhumb::cli
