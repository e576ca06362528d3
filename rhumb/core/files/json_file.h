// Reads JSON documents from untrusted files, and lists of numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rhumb::core {

// Throws Error if `text` is not JSON, with the offending byte, or nests deeper than 64 levels. The
// limit exists because copying and writing a value recurse. `place` says where the text comes
// from.
nlohmann::json ParseJson(std::string_view text, std::string_view place);

// Reads a file. Also throws Error if it is missing, unreadable or larger than `max_bytes`.
nlohmann::json ReadJson(const std::filesystem::path& file, std::uint64_t max_bytes);

// One line of a file with one document per line.
struct JsonLine {
  std::string place;  // "tasks.jsonl:3"
  nlohmann::json value;
};

// Like json::dump, but replaces text that is not UTF-8, which must not prevent saving a result, and
// escapes every control character (U+007F to U+009F too), which must not reach a terminal.
std::string DumpJson(const nlohmann::json& document, int indent = -1);

// Writes or reads one member of an object. A function such as VisitPolicy(object, visit) lists a
// type's members once, for both directions: visit("agent", object.agent), ...
struct JsonWriter {
  nlohmann::json& document;
  template <class T>
  void operator()(const char* key, const T& value) const {
    document[key] = value;
  }
};
// Throws nlohmann::json::exception if the key is missing, or if its value has another type or is
// too large for it.
struct JsonReader {
  const nlohmann::json& document;
  template <class T>
  void operator()(const char* key, T& value) const {
    const nlohmann::json& found = document.at(key);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      using Limits = std::numeric_limits<T>;
      CheckWhole(found, key, Limits::min(), static_cast<std::uint64_t>(Limits::max()));
    }
    found.get_to(value);
  }

 private:
  // Checked because nlohmann would cut fractions off and wrap large numbers.
  static void CheckWhole(const nlohmann::json& value, const char* key, std::int64_t low,
                         std::uint64_t high);
};

// Returns the lines that are not blank. Throws the Errors of ReadJson, with the line.
std::vector<JsonLine> ReadJsonLines(const std::filesystem::path& file, std::uint64_t max_bytes);

// Returns a member of an object. Throws Error if it is missing; `place` names the document.
const nlohmann::json& MemberOf(const nlohmann::json& object, const char* key,
                               std::string_view place);

// Appends `value`, a list of `size` numbers that are finite in float32, to `numbers`. Throws Error
// for anything else; `place` says where the list comes from ("run.json: actions[3]").
void AppendFloats(const nlohmann::json& value, std::size_t size, std::string_view place,
                  std::vector<float>& numbers);

// numbers [rows, columns] -> one list per row.
nlohmann::json RowsToJson(std::span<const float> numbers, int columns);
// {name: value} for values [K] of things with these names [K].
nlohmann::json ByName(std::span<const double> values, std::span<const std::string> names);

// Describes a value for messages: numbers, true, false and null literally, otherwise "a text", "a
// list" or "an object". The value may have any size.
std::string InWords(const nlohmann::json& value);

}  // namespace rhumb::core
