#include "rhumb/core/files/json_file.h"

#include <cmath>
#include <sstream>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/text.h"

namespace rhumb::core {

using nlohmann::json;

namespace {

constexpr int kMaxDepth = 64;

// Returns the byte at which `text` nests deeper than kMaxDepth, or npos.
std::size_t FindTooDeep(std::string_view text) {
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted) {
      if (c == '\\') ++i;
      if (c == '"') is_quoted = false;
    } else if (c == '"') {
      is_quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) return i;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return text.npos;
}

}  // namespace

json ParseJson(std::string_view text, std::string_view place) {
  if (const std::size_t deep = FindTooDeep(text); deep != text.npos) {
    Fail("{}: lists and objects nest deeper than {} levels at byte {} of {}", place, kMaxDepth,
         deep + 1, text.size());
  }
  try {
    return json::parse(text);
  } catch (const json::parse_error& problem) {
    Fail(
        "{}: not valid JSON at byte {} of {} (a file cut short, or NaN or Infinity, which JSON "
        "does not have)",
        place, problem.byte, text.size());
  } catch (const json::out_of_range&) {
    Fail("{}: a number is too large for double precision", place);
  }
}

json ReadJson(const std::filesystem::path& file, std::uint64_t max_bytes) {
  return ParseJson(ReadFile(file, max_bytes), file.string());
}

std::string DumpJson(const json& document, int indent) {
  const std::string text = document.dump(indent, ' ', false, json::error_handler_t::replace);
  // JSON itself escapes only what is below U+0020.
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == 0x7F) {
      safe += "\\u007f";
    } else if (byte == 0xC2 && next < 0xA0) {
      safe += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      safe += text[i];
    }
  }
  return safe;
}

void RequireWhole(const json& value, const char* key, std::int64_t low, std::uint64_t high) {
  // A whole number that was read is unsigned unless it is negative.
  const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= high
                    : value.is_number_integer()
                        ? value.get<std::int64_t>() >= low &&
                              (value.get<std::int64_t>() < 0 || value.get<std::uint64_t>() <= high)
                        : false;
  if (fits) return;
  throw json::out_of_range::create(406,
                                   fmt::format("'{}' is {}, expected a whole number from {} to {}",
                                               key, InWords(value), low, high),
                                   &value);
}

std::vector<JsonLine> ReadJsonLines(const std::filesystem::path& file, std::uint64_t max_bytes) {
  std::istringstream text(ReadFile(file, max_bytes));
  std::vector<JsonLine> lines;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    if (Trim(line).empty()) continue;
    const std::string place = fmt::format("{}:{}", file.string(), number);
    lines.push_back({place, ParseJson(line, place)});
  }
  return lines;
}

const json& MemberOf(const json& object, const char* key, std::string_view place) {
  const auto found = object.find(key);
  if (found == object.end()) Fail("{}: '{}' is missing", place, key);
  return *found;
}

void AppendFloats(const json& value, std::size_t size, std::string_view place,
                  std::vector<float>& numbers) {
  if (!value.is_array()) Fail("{} must be a list of {} numbers", place, size);
  if (value.size() != size) Fail("{} has {} numbers; it must have {}", place, value.size(), size);
  for (std::size_t i = 0; i < size; ++i) {
    const float number = value[i].is_number() ? value[i].get<float>() : std::nanf("");
    if (!std::isfinite(number)) {
      Fail("{}[{}] is {}; it must be a finite number of single precision", place, i,
           InWords(value[i]));
    }
    numbers.push_back(number);
  }
}

json RowsToJson(std::span<const float> numbers, int columns) {
  json rows = json::array();
  for (; !numbers.empty(); numbers = numbers.subspan(static_cast<std::size_t>(columns))) {
    rows.push_back(std::vector<float>(numbers.data(), numbers.data() + columns));
  }
  return rows;
}

json ByName(std::span<const double> values, std::span<const std::string> names) {
  json named = json::object();
  for (std::size_t k = 0; k < values.size(); ++k) named[names[k]] = values[k];
  return named;
}

std::string InWords(const json& value) {
  if (value.is_string()) return "a text";
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  return value.dump();
}

}  // namespace rhumb::core
