// rhumb encode MODEL FILE
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddEncodeCommand(CLI::App& app);

}  // namespace rhumb::cli
