// JSON files from elsewhere: whole documents, and lists of numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::core {

// A missing or unreadable file, one of more than `max_bytes`, and what is not JSON, with the byte
// where it stops being so, are Errors.
nlohmann::json ReadJson(const std::filesystem::path& file, std::uint64_t max_bytes);

// A line of a file that holds a document in each.
struct JsonLine {
  std::size_t number = 0;  // from 1
  nlohmann::json value;    // discarded where the line is not JSON
};

// Those that are not blank. A file that cannot be read, or has more than `max_bytes`, is an Error.
std::vector<JsonLine> ReadJsonLines(const std::filesystem::path& file, std::uint64_t max_bytes);

// Appends `value` to `numbers`: a list of `size` numbers that are finite in float32. Anything else
// is an Error; `place` says where the list stands ("run.json: actions[3]").
void AppendFloats(const nlohmann::json& value, std::size_t size, std::string_view place,
                  std::vector<float>& numbers);

// A value as messages name it: numbers, true, false and null as they are written; else "a text",
// "a list" or "an object", which may be of any size and depth.
std::string InWords(const nlohmann::json& value);

}  // namespace rhumb::core
