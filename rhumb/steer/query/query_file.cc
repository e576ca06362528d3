#include "rhumb/steer/query/query_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <type_traits>

#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/files/toml_file.h"
#include "rhumb/core/text.h"
#include "rhumb/steer/query/query_text.h"

namespace rhumb::steer {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 20;

// Runs `action` and prefixes its Errors with the place.
template <class Action>
void RunAt(std::string_view place, Action action) {
  try {
    action();
  } catch (const Error& error) {
    Fail("{}: {}", place, error.what());
  }
}

// Errors name a value's type instead of quoting it, because it may have any size.
template <class Add>
void EachText(const std::string& key, const json& value, Add add) {
  const auto add_text = [&](const json& text) {
    if (!text.is_string()) {
      Fail("'{}' must be a text or a list of texts, not of type {}", key, text.type_name());
    }
    add(text.get_ref<const std::string&>());
  };
  if (!value.is_array()) return add_text(value);
  for (const json& element : value) add_text(element);
}

void AddTargets(Query& query, const json& value) {
  if (!value.is_object()) {
    return EachText("target", value, [&](const std::string& text) { query.AddTarget(text); });
  }
  for (const auto& [quantity, number] : value.items()) {
    if (!number.is_number()) {
      Fail("target {} must be a number, not of type {}", Quote(quantity), number.type_name());
    }
    query.AddTarget(quantity, number.get<double>());
  }
}

void AddKey(Query& query, const std::string& key, const json& value,
            const std::vector<std::string>& others) {
  if (key == "target") {
    AddTargets(query, value);
  } else if (key == "require") {
    EachText(key, value, [&](const std::string& text) { query.AddRequirement(text); });
  } else if (key == "maximise") {
    EachText(key, value, [&](const std::string& text) { query.Maximise(text); });
  } else if (key == "minimise") {
    EachText(key, value, [&](const std::string& text) { query.Minimise(text); });
  } else if (key == "change") {
    EachText(key, value, [&](const std::string& text) { query.AddChange(text); });
  } else if (std::find(others.begin(), others.end(), key) == others.end()) {
    std::vector<std::string> known = {"target", "require", "maximise", "minimise", "change"};
    known.insert(known.end(), others.begin(), others.end());
    Fail("unknown key {}{}", Quote(key), core::Suggestion(key, known));
  }
}

json FromToml(const toml::node& node) {
  return node.visit([](const auto& typed) -> json {
    using Node = std::remove_cvref_t<decltype(typed)>;
    if constexpr (toml::is_table<Node>) {
      json object = json::object();
      for (const auto& [key, value] : typed) object[std::string(key.str())] = FromToml(value);
      return object;
    } else if constexpr (toml::is_array<Node>) {
      json list = json::array();
      for (const toml::node& element : typed) list.push_back(FromToml(element));
      return list;
    } else if constexpr (toml::is_date<Node> || toml::is_time<Node> || toml::is_date_time<Node>) {
      std::ostringstream text;
      text << typed;
      return text.str();
    } else {
      return typed.get();
    }
  });
}

Query ReadTomlQuery(const std::filesystem::path& path) {
  const std::string file = path.string();
  const toml::table table = core::ReadToml(path, kMaxFileBytes);
  Query query;
  for (const auto& [key, node] : table) {
    RunAt(fmt::format("{}:{}", file, key.source().begin.line), [&, &key = key, &node = node] {
      AddKey(query, std::string(key.str()), FromToml(node), {});
    });
  }
  RunAt(file, [&] { CheckConsistent(query); });
  return query;
}

template <class Term>
json Texts(const std::vector<Term>& terms) {
  json texts = json::array();
  for (const Term& term : terms) texts.push_back(TextOf(term));
  return texts;
}

}  // namespace

Query QueryFromJson(const json& document, std::string_view place,
                    const std::vector<std::string>& others) {
  if (!document.is_object()) {
    Fail(
        "{}: a query must be an object with some of the keys target, require, maximise, minimise "
        "and change, not of type {}",
        place, document.type_name());
  }
  Query query;
  RunAt(place, [&] {
    for (const auto& [key, value] : document.items()) AddKey(query, key, value, others);
    CheckConsistent(query);
  });
  return query;
}

Query ReadQuery(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".toml") return ReadTomlQuery(file);
  if (ending == ".json") return QueryFromJson(core::ReadJson(file, kMaxFileBytes), file.string());
  Fail("{}: the name of a query file must end in .toml or .json", file.string());
}

json ToJson(const Query& query) {
  json document = json::object();
  if (!query.targets.empty()) document["target"] = Texts(query.targets);
  if (!query.requirements.empty()) document["require"] = Texts(query.requirements);
  if (!query.changes.empty()) document["change"] = Texts(query.changes);
  if (!query.maximise.empty()) document["maximise"] = query.maximise;
  if (!query.minimise.empty()) document["minimise"] = query.minimise;
  return document;
}

}  // namespace rhumb::steer
