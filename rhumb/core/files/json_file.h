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
// Reads a value into `target`. Throws nlohmann::json::exception if it has another type, or if a
// whole number in it, also in a list, has a fraction or is too large; nlohmann would cut it. `key`
// names the value in the message.
template <class T>
void ReadValue(const nlohmann::json& value, const char* key, T& target);

// Throws the exceptions of ReadValue, and one if the key is missing.
struct JsonReader {
  const nlohmann::json& document;
  template <class T>
  void operator()(const char* key, T& value) const {
    ReadValue(document.at(key), key, value);
  }
};

// Throws json::exception unless `value` is a whole number from `low` to `high`.
void RequireWhole(const nlohmann::json& value, const char* key, std::int64_t low,
                  std::uint64_t high);

template <class T>
void ReadValue(const nlohmann::json& value, const char* key, T& target) {
  const auto require_whole = [&]<class Whole>(const nlohmann::json& number, Whole) {
    using Limits = std::numeric_limits<Whole>;
    RequireWhole(number, key, Limits::min(), static_cast<std::uint64_t>(Limits::max()));
  };
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    require_whole(value, T{});
  } else if constexpr (requires { requires std::is_integral_v<typename T::value_type>; } &&
                       !std::is_same_v<T, std::string>) {
    for (const nlohmann::json& element : value) require_whole(element, typename T::value_type{});
  }
  value.get_to(target);
}

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
