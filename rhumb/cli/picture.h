// Pictures, drawn by the scripts of tools/pictures in a Python of their own. Numbers never need it.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace rhumb::cli {

// Runs `script` ("population.py") on `document` and puts the PNG at `picture`, whole or not at all.
// Where there is no Python with matplotlib, or the script fails, a line on stderr says so, and the
// answer is false. The interpreter is $RHUMB_PYTHON, else the one that `tools/setup pictures`
// makes.
bool DrawPicture(std::string_view script, const nlohmann::json& document,
                 const std::filesystem::path& picture);

}  // namespace rhumb::cli
