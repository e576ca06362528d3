// Pictures, drawn by the scripts of tools/pictures in a Python of their own. Numbers never need it.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace rhumb::report {

// Whether there is a Python for them; where there is none, a line on stderr says how to get it.
bool CanDrawPictures();

// Runs `script` ("population.py") on `document` and puts the PNG at `picture`, and the same as an
// SVG at `drawing` where that is named, whole or not at all. Where there is no Python with
// matplotlib, or the script fails, a line on stderr says so, and the answer is false. The
// interpreter is $RHUMB_PYTHON, else the one that `tools/setup pictures` makes. Different threads
// may draw different pictures.
bool DrawPicture(std::string_view script, const nlohmann::json& document,
                 const std::filesystem::path& picture, const std::filesystem::path& drawing = {});

}  // namespace rhumb::report
