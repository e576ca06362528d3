#include "rhumb/data/minari_source.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/text.h"
#include "rhumb/data/minari_layout.h"

namespace rhumb::data {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxMetadataBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxColumns = 4096;
constexpr double kFloatMax = std::numeric_limits<float>::max();

fs::path FindDataFolder(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::path& candidate : {folder / "data", folder}) {
    if (fs::is_regular_file(candidate / "metadata.json", ignored)) return candidate;
  }
  Fail("{} is not a Minari dataset: data/metadata.json is missing", folder.string());
}

// Python writes NaN and Infinity, which are not valid JSON.
std::string ReplaceWord(std::string text, std::string_view word, std::string_view replacement) {
  for (std::size_t i = text.find(word); i != text.npos; i = text.find(word, i)) {
    text.replace(i, word.size(), replacement);
    i += replacement.size();
  }
  return text;
}

json ParseLeniently(std::string text, const std::string& place) {
  text = ReplaceWord(ReplaceWord(std::move(text), "NaN", "null"), "Infinity", "1e308");
  return core::ParseJson(text, place);
}

// Parses a JSON text that the metadata holds as a string; an empty object if missing.
json ParseInner(const json& metadata, const char* key, const std::string& place) {
  const auto found = metadata.find(key);
  if (found == metadata.end() || !found->is_string()) return json::object();
  return ParseLeniently(found->get<std::string>(), fmt::format("{}: {}", place, key));
}

std::vector<double> Bounds(const json& space, const char* key, int size, double unknown) {
  std::vector<double> bounds(static_cast<std::size_t>(size), unknown);
  const auto found = space.find(key);
  if (found == space.end() || !found->is_array() || found->size() != bounds.size()) return bounds;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const json& value = (*found)[i];
    if (value.is_number()) bounds[i] = std::clamp(value.get<double>(), -kFloatMax, kFloatMax);
  }
  return bounds;
}

// For messages: names in files from elsewhere may hold any byte.
std::string Readable(const std::vector<std::string>& path) {
  return core::Printable(fmt::format("{}", fmt::join(path, "/")));
}

std::string MakeWord(std::string name) {
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 128 || std::isalnum(byte) == 0) c = '_';
  }
  return name;
}

Hdf5Array OpenMatrix(const Hdf5Group& group, const std::string& name) {
  if (group.KindOf(name) == Hdf5Group::Kind::kGroup) {
    Fail(
        "{}/{} is a dictionary or tuple ({}); only arrays of numbers are supported: spaces Box "
        "and Discrete",
        group.place(), name, fmt::join(group.OpenGroup(name).names(), ", "));
  }
  Hdf5Array array = group.OpenArray(name);
  const std::size_t dimensions = array.shape().size();
  if (dimensions < 1 || dimensions > 2 || array.columns() < 1 || array.columns() > kMaxColumns) {
    Fail("{} has shape [{}]; only rows of 1 to {} numbers are supported", array.place(),
         fmt::join(array.shape(), ", "), kMaxColumns);
  }
  return array;
}

void RequireMatrix(const Hdf5Array& array, std::uint64_t rows, std::uint64_t columns) {
  if (array.rows() != rows || array.columns() != columns) {
    Fail("{} has {} rows of {} numbers, not {} of {}", array.place(), array.rows(), array.columns(),
         rows, columns);
  }
}

json ReadMetadata(const fs::path& file) {
  const std::string place = file.string();
  json metadata = ParseLeniently(core::ReadFile(file, kMaxMetadataBytes), place);
  if (!metadata.is_object()) Fail("{}: the metadata is not a JSON object", place);
  const std::string format = metadata.value("data_format", json("hdf5")).dump();
  if (format != "\"hdf5\"") {
    Fail("{}: the data format is {}; only \"hdf5\" is supported", place, format);
  }
  return metadata;
}

// Whether `group` holds the policy's outputs for A actions in every step.
bool HasPolicyOutputs(const Hdf5Group& group, std::uint64_t steps, std::uint64_t actions) {
  for (const char* name : {"raw_action", "action_mean", "action_std"}) {
    if (group.KindOf(name) != Hdf5Group::Kind::kNumbers) return false;
    const Hdf5Array array = group.OpenArray(name);
    const std::uint64_t rows = array.rows();
    const bool rows_fit =
        rows == steps || rows == steps + 1 || (rows == 1 && name == std::string("action_std"));
    if (array.shape().size() != 2 || array.columns() != actions || !rows_fit) return false;
  }
  return true;
}

}  // namespace

MinariSource::MinariSource(const fs::path& folder, std::string policy_info)
    : policy_info_(std::move(policy_info)) {
  const fs::path data = FindDataFolder(folder);
  const fs::path metadata_file = data / "metadata.json";
  const json metadata = ReadMetadata(metadata_file);
  file_ = Hdf5File::Open(data / "main_data.hdf5");
  for (const std::string& name : file_.root().names()) {
    if (name.starts_with("episode_")) ++episodes_;
  }
  if (episodes_ == 0) Fail("{} holds no episode", file_.root().place());

  const Hdf5Group first = file_.root().OpenGroup(EpisodeName(0));
  const Hdf5Array actions = OpenMatrix(first, "actions");
  const Hdf5Array rewards = OpenMatrix(first, "rewards");
  first_steps_ = actions.rows();
  description_.observation_size = static_cast<int>(OpenMatrix(first, "observations").columns());
  description_.action_size = static_cast<int>(actions.columns());
  vector_rewards_in_rewards_ = rewards.shape().size() == 2;
  if (vector_rewards_in_rewards_) description_.objectives.resize(rewards.columns());
  DescribeEnvironment(metadata, metadata_file.string());
  if (own_) {
    description_.environment =
        core::ReadBundle(metadata["rhumb"]["environment"], data.parent_path());
  }
  if (first.KindOf("infos") == Hdf5Group::Kind::kGroup) {
    const Hdf5Group infos = first.OpenGroup("infos");
    description_.policy_outputs = HasPolicyOutputs(infos, first_steps_, actions.columns());
    FindInfos(infos, {});
  }

  const bool names_known = own_ && own_->objectives.size() == description_.objectives.size();
  for (std::size_t k = 0; k < description_.objectives.size(); ++k) {
    description_.objectives[k] =
        names_known ? own_->objectives[k] : Objective{fmt::format("objective_{}", k), ""};
  }
}

void MinariSource::DescribeEnvironment(const json& metadata, const std::string& place) {
  if (const auto own = metadata.find("rhumb"); own != metadata.end()) {
    own_ = DescriptionFromJson(*own, place + ": rhumb");
    description_.environment = own_->environment;
    description_.time_limit = own_->time_limit;
  } else {
    const json spec = ParseInner(metadata, "env_spec", place);
    const json id = metadata.value("dataset_id", json("unknown"));
    const json name = spec.is_object() ? spec.value("id", id) : id;
    const json limit = spec.is_object() ? spec.value("max_episode_steps", json()) : json();
    description_.environment.id = name.is_string() ? name.get<std::string>() : "unknown";
    constexpr int kMaxLimit = std::numeric_limits<int>::max();
    if (limit.is_number_unsigned() && limit <= kMaxLimit)
      description_.time_limit = limit.get<int>();
  }
  const json space = ParseInner(metadata, "action_space", place);
  description_.action_low = Bounds(space, "low", description_.action_size, -kFloatMax);
  description_.action_high = Bounds(space, "high", description_.action_size, kFloatMax);
}

void MinariSource::FindInfos(const Hdf5Group& group, const std::vector<std::string>& path) {
  for (const std::string& name : group.names()) {
    std::vector<std::string> inner = path;
    inner.push_back(name);
    const bool is_top = path.empty();
    if (is_top && name == policy_info_) continue;
    switch (group.KindOf(name)) {
      case Hdf5Group::Kind::kGroup:
        FindInfos(group.OpenGroup(name), inner);
        break;
      case Hdf5Group::Kind::kNumbers: {
        const Hdf5Array array = group.OpenArray(name);
        if (!is_top || !AddKnownInfo(array, name)) AddQuantities(array, inner);
        break;
      }
      default:
        ignored_infos_.push_back(Readable(inner));
    }
  }
}

bool MinariSource::AddKnownInfo(const Hdf5Array& array, const std::string& name) {
  const bool outputs = description_.policy_outputs;
  const StepShape any{1, 1, 1, 0, 1, 1, outputs};
  for (const FieldLayout& layout : LayoutOf(any)) {
    if (!layout.in_infos || layout.columns == 0 || name != layout.name) continue;
    const std::uint64_t rows = array.rows();
    // Minari's collectors also record the info of the reset, which gives T + 1 rows.
    const bool rows_fit = rows == first_steps_ + 1 ||
                          (!layout.has_last_row && rows == first_steps_) ||
                          (layout.may_be_constant && rows == 1);
    if (array.shape().size() != 2 || !rows_fit || array.columns() > kMaxColumns) return false;
    const int columns = static_cast<int>(array.columns());
    if (layout.field == Field::kVectorRewards) {
      if (vector_rewards_in_rewards_) return false;
      description_.objectives.resize(array.columns());
    }
    if (layout.field == Field::kQpos) description_.qpos_size = columns;
    if (layout.field == Field::kQvel) description_.qvel_size = columns;
    infos_.push_back(
        {{name}, array.columns(), layout.values, layout.has_last_row, layout.may_be_constant});
    return true;
  }
  return false;
}

void MinariSource::AddQuantities(const Hdf5Array& array, const std::vector<std::string>& path) {
  const std::size_t dimensions = array.shape().size();
  const std::uint64_t columns = array.columns();
  const bool rows_fit = array.rows() == first_steps_ || array.rows() == first_steps_ + 1;
  if (dimensions < 1 || dimensions > 2 || !rows_fit || columns == 0 ||
      columns + description_.quantities.size() > kMaxColumns) {
    ignored_infos_.push_back(Readable(path));
    return;
  }
  const bool is_own =
      path.size() == 1 && path[0] == "quantities" && own_ && own_->quantities.size() == columns;
  const std::string name = MakeWord(fmt::format("infos_{}", fmt::join(path, "_")));
  for (std::uint64_t i = 0; i < columns; ++i) {
    description_.quantities.push_back(is_own            ? own_->quantities[i]
                                      : dimensions == 1 ? name
                                                        : fmt::format("{}_{}", name, i));
  }
  infos_.push_back({path, columns});
}

void MinariSource::ReadInfo(const Hdf5Group& infos, const Info& info, std::uint64_t steps,
                            std::vector<float>& rows) const {
  Hdf5Group inner;
  const Hdf5Group* group = &infos;
  for (std::size_t i = 0; i + 1 < info.path.size(); ++i) {
    inner = group->OpenGroup(info.path[i]);
    group = &inner;
  }
  const Hdf5Array array = group->OpenArray(info.path.back());
  const bool has_reset_row = array.rows() == steps + 1 && !info.has_last_row;
  const bool is_constant = info.may_be_constant && array.rows() == 1;
  const std::uint64_t wanted = is_constant ? 1 : steps + (info.has_last_row ? 1 : 0);
  RequireMatrix(array, has_reset_row ? steps + 1 : wanted, info.columns);
  rows.resize(wanted * info.columns);
  array.Read(has_reset_row ? 1 : 0, wanted, rows.data());
}

std::optional<std::int64_t> MinariSource::ReadEpisode(std::int64_t index, Episode& episode) const {
  episode.Clear();
  const Hdf5Group group = file_.root().OpenGroup(EpisodeName(index));
  const Hdf5Array actions = OpenMatrix(group, "actions");
  const std::uint64_t steps = actions.rows();
  const auto read = [&](const char* name, std::uint64_t rows, std::uint64_t columns,
                        auto& numbers) {
    const Hdf5Array array = OpenMatrix(group, name);
    RequireMatrix(array, rows, columns);
    array.ReadAll(numbers);
  };
  const StepShape shape = description_.shape();
  read("observations", steps + 1, static_cast<std::uint64_t>(shape.observation),
       episode.observations);
  read("actions", steps, static_cast<std::uint64_t>(shape.action), episode.actions);
  read("terminations", steps, 1, episode.terminations);
  read("truncations", steps, 1, episode.truncations);
  if (vector_rewards_in_rewards_) {
    const auto objectives = static_cast<std::size_t>(shape.objectives);
    read("rewards", steps, objectives, episode.vector_rewards);
    for (std::size_t t = 0; t < steps; ++t) {
      float sum = 0;
      for (std::size_t k = 0; k < objectives; ++k)
        sum += episode.vector_rewards[t * objectives + k];
      episode.rewards.push_back(sum);
    }
  } else {
    read("rewards", steps, 1, episode.rewards);
  }
  episode.seed = static_cast<std::uint64_t>(
      std::max<std::int64_t>(group.FindAttribute("seed").value_or(0), 0));
  if (group.KindOf("infos") != Hdf5Group::Kind::kGroup) {
    if (!infos_.empty()) Fail("{} has no infos, but {} has", group.place(), EpisodeName(0));
    return std::nullopt;
  }

  const Hdf5Group infos = group.OpenGroup("infos");
  const auto quantities = static_cast<std::size_t>(shape.quantities);
  episode.quantities.resize(steps * quantities);
  std::vector<float> rows;
  std::size_t column = 0;
  for (const Info& info : infos_) {
    if (info.target != nullptr) {
      ReadInfo(infos, info, steps, episode.*info.target);
      continue;
    }
    ReadInfo(infos, info, steps, rows);
    for (std::size_t t = 0; t < steps; ++t) {
      std::copy_n(rows.data() + t * info.columns, info.columns,
                  episode.quantities.data() + t * quantities + column);
    }
    column += info.columns;
  }
  if (infos.KindOf(policy_info_) != Hdf5Group::Kind::kNumbers) return std::nullopt;
  const Hdf5Array policy = infos.OpenArray(policy_info_);
  if (policy.rows() == 0 || policy.columns() != 1) {
    Fail("{} has {} rows of {} numbers; it must be the number of a policy", policy.place(),
         policy.rows(), policy.columns());
  }
  std::vector<std::int64_t> numbers;
  policy.ReadAll(numbers);
  if (std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) != numbers.end()) {
    Fail("{} changes within the episode; one policy acts in an episode", policy.place());
  }
  return numbers[0];
}

}  // namespace rhumb::data
