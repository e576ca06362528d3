#include "rhumb/core/process/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <sstream>
#include <type_traits>

#include "rhumb/core/error.h"
#include "rhumb/core/files/toml_file.h"
#include "rhumb/core/text.h"

namespace rhumb::core {
namespace {

constexpr std::size_t kMaxShownBytes = 60;  // limit for a value in a message

using nlohmann::json;

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();

template <class T>
constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
constexpr bool kIsList = false;
template <class T>
constexpr bool kIsList<std::vector<T>> = true;

template <class T>
std::string TypeName() {
  if constexpr (kIsList<T>) return fmt::format("list of {}s", TypeName<typename T::value_type>());
  if constexpr (std::is_same_v<T, bool>) return "true or false";
  if constexpr (std::is_same_v<T, std::string>) return "text";
  return kIsInteger<T> ? "integer" : "number";
}

// Integers stay wide until checked; the range lies within the target's type.
template <class T>
using Wide = std::conditional_t<
    kIsInteger<T>, std::int64_t,
    std::conditional_t<std::is_same_v<T, std::vector<int>>, std::vector<std::int64_t>, T>>;

template <class T, class Read>
void Store(const Field&, T* target, const Read& value) {
  *target = static_cast<T>(value);
}
void Store(const Field&, std::vector<int>* target, const std::vector<std::int64_t>& values) {
  target->clear();
  for (const std::int64_t value : values) target->push_back(static_cast<int>(value));
}
void Store(const Field& field, const Choice& choice, const std::string& word) {
  const std::vector<std::string>& words = field.one_of.words;
  choice.set(static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin()));
}

template <class T>
const T& Load(const Field&, const T* value) {
  return *value;
}
std::string Load(const Field&, const std::filesystem::path* value) { return value->string(); }
std::string Load(const Field& field, const Choice& choice) {
  return field.one_of.words[choice.get()];
}

std::string RangeText(const Field& field) {
  const auto& [low, high, unit] = field.range;
  if (!field.one_of.words.empty()) return fmt::format("{}", fmt::join(field.one_of.words, " | "));
  if (std::isfinite(low) && std::isfinite(high)) return fmt::format("{} to {}", low, high);
  if (std::isfinite(low)) return fmt::format("at least {}", low);
  if (std::isfinite(high)) return fmt::format("at most {}", high);
  return "";
}

// The source of a value, for messages: "a.toml:3" and "weights[2]".
struct Origin {
  std::string place;
  std::string name;
};

template <class T>
[[noreturn]] void FailAllowed(const Field& field, const T& value, const Origin& origin) {
  const std::string unit = (field.range.unit.empty() ? "" : " ") + std::string(field.range.unit);
  std::string allowed = RangeText(field);
  if (allowed.empty()) allowed = "finite";
  Fail("{}: {} = {}{} is not allowed ({}{})", origin.place, origin.name, value, unit, allowed,
       unit);
}

template <class T>
void CheckAllowed(const Field& field, const T& value, const Origin& origin) {
  if constexpr (kIsList<T>) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      CheckAllowed(field, value[i], {origin.place, fmt::format("{}[{}]", origin.name, i)});
    }
  } else if constexpr (std::is_same_v<T, std::string>) {
    const std::vector<std::string>& words = field.one_of.words;
    if (!words.empty() && std::find(words.begin(), words.end(), value) == words.end()) {
      FailAllowed(field, '\'' + value + '\'', origin);
    }
  } else if constexpr (!std::is_same_v<T, bool>) {
    const auto number = static_cast<double>(value);
    if (!std::isfinite(number) || number < field.range.low || number > field.range.high) {
      FailAllowed(field, value, origin);
    }
  }
}

std::string NodeText(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& concrete) { text << concrete; });
  return Shorten(text.str(), kMaxShownBytes);
}
std::string NodeText(const json& node) { return Shorten(node.dump(), kMaxShownBytes); }

const toml::array* ListOf(const toml::node& node) { return node.as_array(); }
const json* ListOf(const json& node) { return node.is_array() ? &node : nullptr; }

std::optional<std::int64_t> WholeNumber(double number) {
  if (std::abs(number) > 0x1p53 || std::trunc(number) != number) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

// Returns the node as a T if that loses nothing. A whole float, such as 1e6, also counts as an
// integer.
template <class T>
std::optional<T> ReadNode(const toml::node& node) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (node.is_floating_point()) return WholeNumber(node.as_floating_point()->get());
  } else if constexpr (std::is_same_v<T, double>) {
    if (node.is_integer()) return static_cast<double>(node.as_integer()->get());
  }
  return node.value_exact<T>();
}

template <class T>
std::optional<T> ReadNode(const json& node) {
  if constexpr (std::is_same_v<T, bool>) {
    if (node.is_boolean()) return node.get<bool>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (node.is_string()) return node.get<std::string>();
  } else if constexpr (std::is_same_v<T, double>) {
    if (node.is_number()) return node.get<double>();
  } else {
    if (node.is_number_float()) return WholeNumber(node.get<double>());
    if (node.is_number_unsigned() && node.get<std::uint64_t>() > kMaxInteger) return std::nullopt;
    if (node.is_number_integer()) return node.get<std::int64_t>();
  }
  return std::nullopt;
}

template <class T, class Node>
T ConvertNode(const Node& node, const Origin& origin) {
  if constexpr (kIsList<T>) {
    if (const auto* elements = ListOf(node)) {
      T list;
      for (const auto& element : *elements) {
        list.push_back(ConvertNode<typename T::value_type>(
            element, {origin.place, fmt::format("{}[{}]", origin.name, list.size())}));
      }
      return list;
    }
  } else if (const std::optional<T> value = ReadNode<T>(node)) {
    return *value;
  }
  Fail("{}: {} = {} is of the wrong type; expected: {}", origin.place, origin.name, NodeText(node),
       TypeName<T>());
}

template <class Node>
void Assign(const Field& field, const Node& node, const std::string& place) {
  const Origin origin{place, field.key};
  std::visit(
      [&](const auto& target) {
        using T = std::remove_cvref_t<decltype(target)>;
        if constexpr (std::is_same_v<Node, json>) {
          if constexpr (std::is_same_v<T, std::uint64_t*>) {
            if (node.is_number_unsigned()) {  // JSON integers go up to 2^64 - 1
              CheckAllowed(field, node.template get<std::uint64_t>(), origin);
              *target = node.template get<std::uint64_t>();
              return;
            }
          }
        }
        using Loaded = std::remove_cvref_t<decltype(Load(field, target))>;
        const auto value = ConvertNode<Wide<Loaded>>(node, origin);
        CheckAllowed(field, value, origin);
        Store(field, target, value);
      },
      field.value);
}

bool IsGroup(std::span<const Field> fields, const std::string& key) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return field.key.starts_with(key + "."); });
}

const Field& FindField(std::span<const Field> fields, const std::string& key,
                       const std::string& place) {
  std::vector<std::string> known;
  for (const Field& field : fields) {
    if (field.key == key) return field;
    known.push_back(field.key);
  }
  if (IsGroup(fields, key)) Fail("{}: '{}' is a group of keys and has no value", place, key);
  Fail("{}: unknown key '{}'{}", place, key, Suggestion(key, known));
}

void ApplyTable(std::span<const Field> fields, const toml::table& table, const std::string& prefix,
                const std::string& path) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    const std::string place = fmt::format("{}:{}", path, name.source().begin.line);
    if (const toml::table* group = node.as_table(); group && IsGroup(fields, key)) {
      ApplyTable(fields, *group, key + ".", path);
    } else {
      Assign(FindField(fields, key, place), node, place);
    }
  }
}

void ApplyObject(std::span<const Field> fields, const json& object, const std::string& prefix,
                 const std::string& place) {
  for (const auto& [name, node] : object.items()) {
    const std::string key = prefix + name;
    if (node.is_object() && IsGroup(fields, key)) {
      ApplyObject(fields, node, key + ".", place);
    } else {
      Assign(FindField(fields, key, place), node, place);
    }
  }
}

toml::array SplitWords(std::string_view text) {
  toml::array words;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    words.push_back(std::string(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

// Parses text as a TOML value; falls back to the raw string, which the type check then reports.
toml::table ParseSetting(const Field& field, std::string_view text) {
  const bool bracketed = text.starts_with('[');
  if (std::holds_alternative<std::vector<std::string>*>(field.value) && !bracketed) {
    return toml::table{{"value", SplitWords(text)}};
  }
  const bool quoted = text.starts_with('"') || text.starts_with('\'');
  const bool is_text = std::holds_alternative<std::string*>(field.value) ||
                       std::holds_alternative<std::filesystem::path*>(field.value) ||
                       std::holds_alternative<Choice>(field.value);
  const bool is_list = std::holds_alternative<std::vector<double>*>(field.value) ||
                       std::holds_alternative<std::vector<int>*>(field.value);
  if ((!is_text || quoted) && text.find('\n') == text.npos) {
    const bool bare_list = is_list && !bracketed;
    try {
      return ParseToml(fmt::format(fmt::runtime(bare_list ? "value = [{}]" : "value = {}"), text),
                       "setting");
    } catch (const Error&) {
    }
  }
  return toml::table{{"value", text}};
}

json JsonValue(const Field& field) {
  return std::visit([&](const auto& value) { return json(Load(field, value)); }, field.value);
}

}  // namespace

OneOf::OneOf(std::vector<std::string> allowed) : words(std::move(allowed)) {}
OneOf::OneOf(std::initializer_list<const char*> allowed) : words(allowed.begin(), allowed.end()) {}

void FieldVisitor::Add(std::string_view key, Field::Value value, Range range, OneOf one_of,
                       std::string_view help) {
  Field field{prefix_ + std::string(key), std::move(value), range, std::move(one_of),
              std::string(help)};
  for (const Field& other : fields_) {
    RHUMB_CHECK(other.key != field.key, "the key '{}' is given twice", field.key);
  }
  if (std::holds_alternative<int*>(field.value) ||
      std::holds_alternative<std::vector<int>*>(field.value)) {
    field.range.low = std::max<double>(field.range.low, std::numeric_limits<int>::min());
    field.range.high = std::min<double>(field.range.high, std::numeric_limits<int>::max());
  } else if (std::holds_alternative<std::uint64_t*>(field.value)) {
    field.range.low = std::max(field.range.low, 0.0);
  }
  fields_.push_back(std::move(field));
}

void ApplyToml(const FieldVisitor& config, const std::filesystem::path& path) {
  ApplyTable(config.fields(), ReadToml(path, kMaxFileBytes), "", path.string());
}

void ApplySetting(const FieldVisitor& config, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  if (equals == setting.npos) Fail("setting {}: write it as key=value", setting);
  const std::string place = fmt::format("setting {}", setting);
  const Field& field = FindField(config.fields(), std::string(setting.substr(0, equals)), place);
  const toml::table parsed = ParseSetting(field, setting.substr(equals + 1));
  Assign(field, *parsed.get("value"), place);
}

void ApplyJson(const FieldVisitor& config, const json& document, std::string_view place) {
  if (!document.is_object()) Fail("{}: not a JSON object: {}", place, NodeText(document));
  ApplyObject(config.fields(), document, "", std::string(place));
}

void CheckRanges(const FieldVisitor& config, std::string_view place) {
  for (const Field& field : config.fields()) {
    const Origin origin{std::string(place), field.key};
    std::visit([&](const auto& value) { CheckAllowed(field, Load(field, value), origin); },
               field.value);
  }
}

std::vector<FieldDescription> Describe(const FieldVisitor& config) {
  std::vector<FieldDescription> descriptions;
  for (const Field& field : config.fields()) {
    const std::string type = std::visit(
        [&](const auto& value) {
          return TypeName<std::remove_cvref_t<decltype(Load(field, value))>>();
        },
        field.value);
    descriptions.push_back({field.key, type, JsonValue(field).dump(), RangeText(field),
                            std::string(field.range.unit), field.help});
  }
  return descriptions;
}

json FieldsToJson(const FieldVisitor& config) {
  json document = json::object();
  for (const Field& field : config.fields()) {
    json* group = &document;
    std::string_view rest = field.key;
    for (std::size_t dot = rest.find('.'); dot != rest.npos; dot = rest.find('.')) {
      group = &(*group)[std::string(rest.substr(0, dot))];
      rest.remove_prefix(dot + 1);
    }
    (*group)[std::string(rest)] = JsonValue(field);
  }
  return document;
}

}  // namespace rhumb::core
