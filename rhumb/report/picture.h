// Runs the scripts of tools/pictures in a separate Python. They draw pictures and render the
// report page; no number depends on them.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::report {

// Returns whether the interpreter exists: $RHUMB_PYTHON, or else the one from `tools/setup
// pictures`. If not, a line on stderr says that `product` ("picture", "page") is skipped and how
// to get it.
bool CanRunScripts(std::string_view product);

// Runs `script` ("population.py") on `document` and moves its files to `outputs`, all or none.
// Returns false, after a line on stderr, if the interpreter is missing or the script fails. A
// caught interrupt kills the script and throws CommandFailed. Different threads may write
// different outputs.
bool RunScript(std::string_view script, std::string_view product, const nlohmann::json& document,
               const std::vector<std::filesystem::path>& outputs);

// Draws `picture`; its ending, .png, .svg or .pdf, says how.
bool DrawPicture(std::string_view script, const nlohmann::json& document,
                 const std::filesystem::path& picture);

// Hash of all files in the scripts' folder. Scripts share code, so each product depends on all of
// them. Throws Error if the folder cannot be read; a missing one counts as empty.
std::string HashOfScripts();

}  // namespace rhumb::report
