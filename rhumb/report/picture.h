// Runs the scripts of tools/pictures in a Python of their own: they draw pictures and render the
// page of a report. Numbers never need them.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::report {

// Whether the interpreter exists: $RHUMB_PYTHON, else the one that `tools/setup pictures` makes. If
// not, a line on stderr says that there will be no `product` ("picture", "page") and how to get it.
bool CanRunScripts(std::string_view product);

// Runs `script` ("population.py") on `document` and moves what it writes to `outputs`, all or none.
// Returns false, after a line on stderr, if the interpreter is missing or the script fails. A
// caught interrupt kills the script and throws CommandFailed. Different threads may write different
// outputs.
bool RunScript(std::string_view script, std::string_view product, const nlohmann::json& document,
               const std::vector<std::filesystem::path>& outputs);

// Draws a PNG at `picture`.
bool DrawPicture(std::string_view script, const nlohmann::json& document,
                 const std::filesystem::path& picture);

// Changes with any file beside the scripts: they share parts, so each product depends on all.
std::string HashOfScripts();

}  // namespace rhumb::report
