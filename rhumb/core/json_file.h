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

// An Error where `text` is not JSON, with the byte where it stops being so, or nests deeper than 64
// levels: copying and writing a value calls itself for each. `place` says where the text stands.
nlohmann::json ParseJson(std::string_view text, std::string_view place);

// The same of a file. A missing or unreadable one, or more than `max_bytes`, is an Error too.
nlohmann::json ReadJson(const std::filesystem::path& file, std::uint64_t max_bytes);

// A line of a file that holds a document in each.
struct JsonLine {
  std::string place;  // "tasks.jsonl:3"
  nlohmann::json value;
};

// The lines that are not blank. Errors as those of ReadJson, with the line.
std::vector<JsonLine> ReadJsonLines(const std::filesystem::path& file, std::uint64_t max_bytes);

// Appends `value` to `numbers`: a list of `size` numbers that are finite in float32. Anything else
// is an Error; `place` says where the list stands ("run.json: actions[3]").
void AppendFloats(const nlohmann::json& value, std::size_t size, std::string_view place,
                  std::vector<float>& numbers);

// A value as messages name it: numbers, true, false and null as they are written; else "a text",
// "a list" or "an object", which may be of any size.
std::string InWords(const nlohmann::json& value);

}  // namespace rhumb::core
