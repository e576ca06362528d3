#include "rhumb/data/minari_layout.h"

#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <vector>

#include "rhumb/core/error.h"

namespace rhumb::data {
namespace {

// The first version with this layout. Minari refuses versions that it does not know.
constexpr const char* kMinariVersion = "0.5.0";

std::vector<std::uint64_t> ShapeOf(const FieldLayout& layout, std::size_t size) {
  if (layout.is_vector) return {size};
  const auto columns = static_cast<std::uint64_t>(layout.columns);
  return {size / columns, columns};
}

// A Box as Python's json writes it. Minari stores this text as a string inside its JSON.
std::string SerialiseBox(std::span<const double> low, std::span<const double> high) {
  const auto list = [](std::span<const double> values) {
    std::string text;
    for (const double value : values) {
      text += text.empty() ? "" : ", ";
      text +=
          std::isinf(value) ? (value < 0 ? "-Infinity" : "Infinity") : nlohmann::json(value).dump();
    }
    return text;
  };
  return fmt::format(
      R"({{"type": "Box", "dtype": "float32", "shape": [{}], "low": [{}], "high": [{}]}})",
      low.size(), list(low), list(high));
}

void RequireShape(const Hdf5Array& array, const std::vector<std::uint64_t>& shape) {
  if (array.shape() != shape) {
    Fail("{} has shape [{}], not [{}]", array.place(), fmt::join(array.shape(), ", "),
         fmt::join(shape, ", "));
  }
}

void ReadFlags(const Hdf5Group& group, const char* name, std::int64_t steps,
               std::vector<std::uint8_t>& flags) {
  const Hdf5Array array = group.OpenArray(name);
  RequireShape(array, {static_cast<std::uint64_t>(steps)});
  array.ReadAll(flags);
}

}  // namespace

std::string EpisodeName(std::int64_t index) { return fmt::format("episode_{}", index); }

void WriteEpisode(const Hdf5Group& root, std::int64_t index, const Episode& episode,
                  const StepShape& shape) {
  const Hdf5Group group = root.MakeGroup(EpisodeName(index));
  group.SetAttribute("id", index);
  group.SetAttribute("total_steps", episode.steps());
  group.SetAttribute("seed", static_cast<std::int64_t>(episode.seed));
  const Hdf5Group infos = group.MakeGroup("infos");
  for (const FieldLayout& layout : LayoutOf(shape)) {
    if (layout.columns == 0) continue;
    const std::vector<float>& values = episode.*layout.values;
    (layout.in_infos ? infos : group).Write(layout.name, values, ShapeOf(layout, values.size()));
  }
  group.WriteFlags("terminations", episode.terminations);
  group.WriteFlags("truncations", episode.truncations);
  infos.WriteIntegers(kPolicyInfo, std::array<std::int64_t, 1>{episode.policy});
}

Hdf5Array OpenField(const Hdf5Group& root, std::int64_t index, std::int64_t steps,
                    const FieldLayout& layout) {
  const Hdf5Group group = root.OpenGroup(EpisodeName(index));
  Hdf5Array array = layout.in_infos ? group.OpenGroup("infos").OpenArray(layout.name)
                                    : group.OpenArray(layout.name);
  const bool is_constant = layout.may_be_constant && array.rows() == 1;
  const std::int64_t rows = is_constant ? 1 : steps + (layout.has_last_row ? 1 : 0);
  RequireShape(array, ShapeOf(layout, static_cast<std::size_t>(rows * layout.columns)));
  return array;
}

void ReadEpisode(const Hdf5Group& root, std::int64_t index, std::int64_t steps,
                 const StepShape& shape, Episode& episode) {
  episode.Clear();
  for (const FieldLayout& layout : LayoutOf(shape)) {
    if (layout.columns == 0) continue;
    OpenField(root, index, steps, layout).ReadAll(episode.*layout.values);
  }
  const Hdf5Group group = root.OpenGroup(EpisodeName(index));
  ReadFlags(group, "terminations", steps, episode.terminations);
  ReadFlags(group, "truncations", steps, episode.truncations);
}

nlohmann::json MakeMinariMetadata(const DatasetDescription& description, const std::string& id,
                                  std::int64_t episodes, std::int64_t transitions,
                                  std::uint64_t bytes) {
  const auto size = static_cast<std::size_t>(description.observation_size);
  const std::vector<double> low(size, -INFINITY), high(size, INFINITY);
  const double megabytes = std::round(static_cast<double>(bytes) / 1e5) / 10;
  return {{"total_episodes", episodes},
          {"total_steps", transitions},
          {"data_format", "hdf5"},
          {"observation_space", SerialiseBox(low, high)},
          {"action_space", SerialiseBox(description.action_low, description.action_high)},
          {"dataset_id", id},
          {"minari_version", kMinariVersion},
          {"dataset_size", megabytes},
          {"description", fmt::format("Policies of {} recorded by Rhumb; vector rewards are in "
                                      "infos/vector_reward",
                                      description.environment.id)},
          {"rhumb", ToJson(description)}};
}

std::string MinariIdFor(const std::filesystem::path& folder) {
  const std::filesystem::path absolute = std::filesystem::absolute(folder).lexically_normal();
  std::string name =
      (absolute.has_filename() ? absolute : absolute.parent_path()).filename().string();
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 128 || (std::isalnum(byte) == 0 && c != '-' && c != '_')) c = '_';
  }
  static const std::regex kVersioned(".+-v[0-9]+");
  return std::regex_match(name, kVersioned) ? name : name + "-v0";
}

}  // namespace rhumb::data
