// Code files: {"code": [...]}, or the output of `rhumb encode --json` or `rhumb steer --json`.
#pragma once

#include <filesystem>
#include <vector>

namespace rhumb::cli {

// Reads the code [code_size] from the file; `answer` selects one of steering's answers, from 1.
// Throws Error if the code is missing, has another size, or contains non-finite numbers.
std::vector<float> ReadCode(const std::filesystem::path& file, int code_size, int answer = 1);

}  // namespace rhumb::cli
