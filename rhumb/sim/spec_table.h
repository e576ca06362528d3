// Reads one table of a TOML spec, with messages that name the file and the line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/files/toml_file.h"
#include "rhumb/core/text.h"
#include "rhumb/sim/spec.h"

namespace rhumb::sim {

// Reads the keys of one TOML table, then refuses keys that were not read.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string file) : table_(table), file_(std::move(file)) {}

  // Each node knows its file, since a spec may extend another.
  std::string PlaceOf(const toml::node& node) const {
    const auto& path = node.source().path;
    return fmt::format("{}:{}", path ? std::filesystem::path(*path).filename().string() : file_,
                       node.source().begin.line);
  }
  std::string place() const { return PlaceOf(table_); }

  const toml::node* Find(std::string_view key) {
    asked_.emplace(key);
    return table_.get(key);
  }

  template <typename T>
  std::optional<T> Optional(std::string_view key, std::string_view type_name) {
    const toml::node* node = Find(key);
    if (node == nullptr) return std::nullopt;
    std::optional<T> value = node->value<T>();
    if (!value) Fail("{}: '{}' must be {}", PlaceOf(*node), key, type_name);
    return value;
  }
  std::optional<std::string> Text(std::string_view key) {
    return Optional<std::string>(key, "a string");
  }
  std::string RequiredText(std::string_view key) {
    auto value = Text(key);
    if (!value || value->empty()) Fail("{}: '{}' is missing", place(), key);
    return *value;
  }
  std::string TextOr(std::string_view key, std::string fallback) {
    return Text(key).value_or(std::move(fallback));
  }
  int Integer(std::string_view key, int fallback, int low, int high) {
    const auto value = Optional<std::int64_t>(key, "an integer").value_or(fallback);
    CheckRange<std::int64_t>(key, value, low, high);
    return static_cast<int>(value);
  }
  double Number(std::string_view key, double fallback, double low, double high) {
    const double value = Optional<double>(key, "a number").value_or(fallback);
    CheckRange(key, value, low, high);
    return value;
  }
  bool Flag(std::string_view key, bool fallback) {
    return Optional<bool>(key, "true or false").value_or(fallback);
  }
  std::optional<Interval> Range(std::string_view key) {
    const toml::node* node = Find(key);
    if (node == nullptr) return std::nullopt;
    const toml::array* pair = node->as_array();
    if (pair != nullptr && pair->size() == 2) {
      const auto low = pair->get(0)->value<double>();
      const auto high = pair->get(1)->value<double>();
      if (low && high && *low <= *high) return Interval{*low, *high};
    }
    Fail("{}: '{}' must be [low, high] with low <= high (inf and -inf are allowed)", PlaceOf(*node),
         key);
  }
  // Calls visit(TableReader&) for every table of the array `key`. A single table needs no brackets.
  template <typename Visit>
  void EachTable(std::string_view key, Visit visit) {
    const toml::node* node = Find(key);
    if (node == nullptr) return;
    if (node->is_table()) return VisitTable(*node, key, visit);
    const toml::array* rows = node->as_array();
    if (rows == nullptr) Fail("{}: '{}' must be an array of tables", PlaceOf(*node), key);
    for (const toml::node& row : *rows) VisitTable(row, key, visit);
  }
  template <typename Visit>
  void Table(std::string_view key, Visit visit) {
    if (const toml::node* node = Find(key)) VisitTable(*node, key, visit);
  }

  const toml::table& table() const { return table_; }
  void MarkAsked(std::string_view key) { asked_.emplace(key); }

  void RefuseUnknownKeys() const {
    const std::vector<std::string> known(asked_.begin(), asked_.end());
    for (const auto& [key, node] : table_) {
      if (!asked_.contains(key.str())) {
        Fail("{}: unknown key '{}'{}", PlaceOf(node), key.str(),
             core::Suggestion(key.str(), known));
      }
    }
  }

 private:
  template <typename T>
  void CheckRange(std::string_view key, T value, T low, T high) const {
    if (value >= low && value <= high) return;
    Fail("{}: '{}' is {}, it must be from {} to {}", PlaceOf(*table_.get(key)), key, value, low,
         high);
  }
  template <typename Visit>
  void VisitTable(const toml::node& node, std::string_view key, Visit visit) const {
    const toml::table* table = node.as_table();
    if (table == nullptr) Fail("{}: '{}' must be a table", PlaceOf(node), key);
    TableReader reader(*table, file_);
    visit(reader);
    reader.RefuseUnknownKeys();
  }

  const toml::table& table_;
  std::string file_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace rhumb::sim
