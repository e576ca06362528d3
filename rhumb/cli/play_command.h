// rhumb play --env ID --policy random|zero, rhumb play MODEL --code FILE
#pragma once

#include <CLI/App.hpp>

namespace rhumb::cli {

void AddPlayCommand(CLI::App& app);

}  // namespace rhumb::cli
