// Codes in files: {"code": [...]}, or what `rhumb encode --json` and `rhumb steer --json` print.
#pragma once

#include <filesystem>
#include <vector>

namespace rhumb::cli {

// The code [code_size] of the file; of steering's answers, the one numbered `answer`, from 1 on. A
// file that holds none, another size and numbers that are not finite are Errors.
std::vector<float> ReadCode(const std::filesystem::path& file, int code_size, int answer = 1);

}  // namespace rhumb::cli
