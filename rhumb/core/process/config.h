// Settings of a component: one struct with its defaults, and one Visit that names them.
//
//   struct BenchConfig {
//     int envs = 16;
//     Device device = Device::kCpu;
//     void Visit(core::FieldVisitor& v) {
//       v("envs", envs, core::Range{1, 4096}, "environments in lock step");
//       v("device", device, kDeviceNames, "where the networks run");
//     }
//   };
//
// Visit alone feeds the TOML files, `--set a.b=c`, `--help`, the reference page, the manifest and
// the requests that are sent to another library as JSON.
// Keys of a nested component are joined by dots: v.Group("ppo", ppo) gives "ppo.epochs".
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rhumb/core/names.h"

namespace rhumb::core {

// Allowed numbers, both ends included; for a list, each element. Non-finite numbers are never
// allowed.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::string_view unit = "";  // a literal
};

// Allowed words; for a list, each element. Empty allows any word.
struct OneOf {
  OneOf() = default;
  OneOf(std::vector<std::string> allowed);
  OneOf(std::initializer_list<const char*> allowed);
  std::vector<std::string> words;
};

// The value of an enum, as the index of its word in OneOf.
struct Choice {
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
};

// One setting: its full key, the address of its value, and the allowed values. TOML integers end
// at 2^63 - 1, which also limits 64-bit unsigned values there.
struct Field {
  using Value = std::variant<bool*, int*, std::int64_t*, std::uint64_t*, double*, std::string*,
                             std::filesystem::path*, Choice, std::vector<int>*,
                             std::vector<double>*, std::vector<std::string>*>;
  std::string key;
  Value value;
  Range range;
  OneOf one_of;
  std::string help;
};

// The fields of a component and its nested components, collected by its Visit. Every component
// converts to it, so the functions below take the component itself, which must outlive it.
class FieldVisitor {
 public:
  template <class Config>
  requires requires(Config& config, FieldVisitor& visitor) { config.Visit(visitor); }
  FieldVisitor(Config& config) {  // NOLINT(google-explicit-constructor)
    config.Visit(*this);
  }

  template <class T>
  void operator()(std::string_view key, T& value, std::string_view help) {
    Add(key, &value, {}, {}, help);
  }
  template <class T>
  void operator()(std::string_view key, T& value, Range range, std::string_view help) {
    Add(key, &value, range, {}, help);
  }
  template <class T>
  void operator()(std::string_view key, T& value, const OneOf& one_of, std::string_view help) {
    Add(key, &value, {}, one_of, help);
  }
  template <class Enum>
  void operator()(std::string_view key, Enum& value, const Names<Enum>& names,
                  std::string_view help) {
    Choice choice{[&value, names] { return names.IndexOf(value); },
                  [&value, names](std::size_t index) { value = names.values()[index]; }};
    Add(key, std::move(choice), {}, names.words(), help);
  }
  template <class Component>
  void Group(std::string_view key, Component& component) {
    const std::string outer = std::exchange(prefix_, prefix_ + std::string(key) + ".");
    component.Visit(*this);
    prefix_ = outer;
  }

  const std::vector<Field>& fields() const { return fields_; }

 private:
  void Add(std::string_view key, Field::Value value, Range range, OneOf one_of,
           std::string_view help);
  std::string prefix_;
  std::vector<Field> fields_;
};

// A field's entry in `--help` and the reference page; the default is its current value.
struct FieldDescription {
  std::string key;
  std::string type;           // "integer", "list of numbers", ...
  std::string default_value;  // in TOML syntax
  std::string range;          // "1 to 4096", "cpu | cuda", or ""
  std::string unit;
  std::string help;
};

// These functions throw Error with the value, the allowed values and the place. Causes are an
// unknown key, a wrong type, a value out of range, or text that is not TOML.
//
// Applies the settings in a file; reads at most 16 MiB.
void ApplyToml(const FieldVisitor& config, const std::filesystem::path& path);
// Applies one "a.b=c" with c in TOML syntax; quotes and brackets may be omitted.
void ApplySetting(const FieldVisitor& config, std::string_view setting);
// Applies an object in ToJson's format, or a part of one; `place` names its source.
void ApplyJson(const FieldVisitor& config, const nlohmann::json& document, std::string_view place);
// Checks values from any other source; `place` names the source.
void CheckRanges(const FieldVisitor& config, std::string_view place);

std::vector<FieldDescription> Describe(const FieldVisitor& config);
nlohmann::json FieldsToJson(const FieldVisitor& config);

// Returns a nlohmann::json object nested like the components. The caller includes
// <nlohmann/json.hpp>.
template <class Config>
auto ToJson(Config config) {
  return FieldsToJson(config);
}

}  // namespace rhumb::core
