#include "rhumb/sim/spec.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/path.h"
#include "rhumb/core/files/toml_file.h"
#include "rhumb/core/text.h"

namespace rhumb::sim {
namespace {

constexpr std::uint64_t kMaxSpecBytes = 1 << 20;

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
  // Calls visit(TableReader&) for every table of the array `key`.
  template <typename Visit>
  void EachTable(std::string_view key, Visit visit) {
    const toml::node* node = Find(key);
    if (node == nullptr) return;
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

std::string ReadName(TableReader& in) {
  std::string name = in.RequiredText("name");
  if (!core::IsName(name)) {
    Fail("{}: '{}' is not a valid name: {}", in.place(), name, core::kNameRule);
  }
  return name;
}

int ReadAxis(TableReader& in, std::string_view axis) {
  if (axis == "x") return 0;
  if (axis == "y") return 1;
  if (axis == "z") return 2;
  Fail("{}: axis is '{}'; it must be x, y or z", in.place(), axis);
}

QuantitySpec ReadQuantity(TableReader& in) {
  using Kind = QuantitySpec::Kind;
  QuantitySpec quantity;
  quantity.name = ReadName(in);
  quantity.help = in.TextOr("help", "");
  quantity.place = in.place();
  static constexpr std::pair<const char*, Kind> kWays[] = {
      {"element_of", Kind::kElement}, {"body", Kind::kBody},
      {"site", Kind::kSite},          {"centre_of_mass", Kind::kCentreOfMass},
      {"sensor", Kind::kSensor},      {"sum_squares_of", Kind::kSumSquares},
      {"rate_of", Kind::kRate},       {"expression", Kind::kExpression},
  };
  int given = 0;
  for (const auto& [key, kind] : kWays) {
    if (auto source = in.Text(key)) {
      quantity.kind = kind;
      quantity.source = *source;
      ++given;
    }
  }
  if (given != 1) {
    Fail(
        "{}: quantity '{}' needs exactly one of element_of, body, site, centre_of_mass, sensor, "
        "sum_squares_of, rate_of, expression; it has {}",
        in.place(), quantity.name, given);
  }
  if (quantity.kind == Kind::kElement || quantity.kind == Kind::kSensor) {
    quantity.index = in.Integer("index", 0, 0, 1 << 20);
  }
  if (quantity.kind == Kind::kBody || quantity.kind == Kind::kSite) {
    quantity.index = ReadAxis(in, in.RequiredText("axis"));
  }
  if (quantity.kind == Kind::kCentreOfMass) quantity.index = ReadAxis(in, quantity.source);
  if (quantity.kind == Kind::kSumSquares) quantity.clip = in.Range("clip");
  return quantity;
}

HealthCondition ReadHealth(TableReader& in) {
  HealthCondition condition;
  condition.place = in.place();
  condition.quantity = in.TextOr("quantity", "");
  condition.field = in.TextOr("every", "");
  if (condition.quantity.empty() == condition.field.empty()) {
    Fail("{}: a health condition needs either 'quantity' or 'every'", in.place());
  }
  if (!condition.field.empty()) condition.skip = in.Integer("skip", 0, 0, 1 << 20);
  const auto range = in.Range("range");
  if (!range) Fail("{}: a health condition needs 'range'", in.place());
  condition.range = *range;
  condition.inclusive = in.Flag("inclusive", false);
  return condition;
}

ResetNoise ReadNoise(TableReader& in) {
  constexpr double kMaxNoise = 1e3;
  ResetNoise noise;
  const bool uniform = in.table().contains("uniform");
  const bool normal = in.table().contains("normal");
  if (uniform == normal) {
    Fail(
        "{}: reset noise is either {{ uniform = half-width }} or {{ normal = standard deviation }}",
        in.place());
  }
  noise.distribution =
      uniform ? ResetNoise::Distribution::kUniform : ResetNoise::Distribution::kNormal;
  noise.scale = in.Number(uniform ? "uniform" : "normal", 0, 0, kMaxNoise);
  return noise;
}

ObjectiveSpec ReadObjective(TableReader& in) {
  return {.name = ReadName(in),
          .expression = in.RequiredText("expression"),
          .unit = in.TextOr("unit", ""),
          .help = in.TextOr("help", ""),
          .place = in.place()};
}

// [[rewards.NAME]] are objectives; rewards.NAME = "OTHER" is an alias.
void ReadRewards(TableReader& in, EnvironmentSpec& spec) {
  spec.default_rewards = in.TextOr("default", "");
  std::vector<std::string> names;
  for (const auto& [key, node] : in.table()) {
    const std::string name(key.str());
    if (!node.is_array()) continue;
    std::set<std::string> seen;
    in.EachTable(name, [&](TableReader& row) {
      spec.rewards[name].push_back(ReadObjective(row));
      if (!seen.insert(spec.rewards[name].back().name).second) {
        Fail("{}: objective '{}' appears twice", row.place(), spec.rewards[name].back().name);
      }
    });
    names.push_back(name);
  }
  for (const auto& [key, node] : in.table()) {
    const std::string name(key.str());
    if (node.is_array() || name == "default") continue;
    const std::string target = in.RequiredText(name);
    if (std::find(names.begin(), names.end(), target) == names.end()) {
      Fail("{}: reward preset '{}' refers to '{}', which is not a preset{}", in.PlaceOf(node), name,
           target, core::Suggestion(target, names));
    }
    spec.rewards[name] = spec.rewards[target];
  }
  if (spec.default_rewards.empty() && names.size() == 1) spec.default_rewards = names.front();
}

void ReadCamera(TableReader& in, CameraSpec& camera) {
  camera.body = in.TextOr("body", "");
  camera.distance = in.Number("distance", camera.distance, 0, 1e4);
  const auto optional = [&](std::string_view key, std::optional<double>& value, double limit) {
    if (in.table().contains(key)) value = in.Number(key, 0, -limit, limit);
  };
  optional("azimuth", camera.azimuth, 360);
  optional("elevation", camera.elevation, 90);
  optional("height", camera.height, 1e4);
}

// A value as written in TOML; numbers in their shortest form.
std::string TextOf(const toml::node& value) {
  if (const auto number = value.as_floating_point()) return fmt::format("{}", number->get());
  std::ostringstream text;
  text << toml::node_view<const toml::node>(value);
  return text.str();
}

// [settings.PRESET.COMMAND] key = value; stored as the command line writes them.
void ReadSettings(TableReader& in, EnvironmentSpec& spec) {
  for (const auto& [preset, commands] : in.table()) {
    in.Table(preset.str(), [&, &preset = preset](TableReader& by_command) {
      for (const auto& [command, node] : by_command.table()) {
        by_command.Table(command.str(), [&, &command = command](TableReader& table) {
          std::vector<std::string>& settings =
              spec.settings[std::string(preset.str())][std::string(command.str())];
          for (const auto& [key, value] : table.table()) {
            table.MarkAsked(key.str());
            settings.push_back(fmt::format("{}={}", key.str(), TextOf(value)));
          }
        });
      }
    });
  }
}

toml::table Parse(const core::FileMap& files, const std::string& name) {
  const auto found = files.find(name);
  if (found == files.end()) Fail("environment spec '{}' is missing", name);
  return core::ParseToml(found->second, name);
}

std::string BaseOf(const toml::table& document) {
  const toml::node* extends = document.get("extends");
  return extends == nullptr ? "" : extends->value_or(std::string());
}

// extends = "other.toml": top-level keys that this file lacks come from the other one.
void AddInheritedKeys(toml::table& document, const core::FileMap& files, const std::string& place) {
  const std::string base_name = BaseOf(document);
  if (base_name.empty()) return;
  const toml::table base = Parse(files, base_name);
  if (base.contains("extends")) {
    Fail("{}: '{}' itself extends another spec; only one level is allowed", place, base_name);
  }
  for (const auto& [key, node] : base) {
    if (!document.contains(key.str())) document.insert(key, node);
  }
}

}  // namespace

const std::vector<ObjectiveSpec>& EnvironmentSpec::objectives(std::string_view preset) const {
  const auto found = rewards.find(preset.empty() ? std::string_view(default_rewards) : preset);
  if (found != rewards.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, objectives] : rewards) names.push_back(name);
  Fail("environment '{}' has no reward preset '{}'{}", id, preset, core::Suggestion(preset, names));
}

std::vector<std::string> EnvironmentSpec::SettingsOf(std::string_view preset,
                                                     std::string_view command) const {
  const auto found = settings.find(preset);
  if (found == settings.end()) return {};
  const auto own = found->second.find(std::string(command));
  return own == found->second.end() ? std::vector<std::string>() : own->second;
}

core::FileMap ReadSpecFiles(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  core::FileMap files = {{name, core::ReadFile(path, kMaxSpecBytes)}};
  const std::string base = BaseOf(Parse(files, name));
  if (!base.empty()) {
    files[base] = core::ReadFile(core::ResolveInside(folder, base, name), kMaxSpecBytes);
  }
  return files;
}

EnvironmentSpec ParseSpec(const core::FileMap& files, const std::string& name) {
  EnvironmentSpec spec;
  toml::table document = Parse(files, name);
  AddInheritedKeys(document, files, name);
  TableReader in(document, name);
  in.MarkAsked("extends");
  spec.id = in.RequiredText("id");
  spec.title = in.TextOr("title", spec.id);
  spec.description = in.TextOr("description", "");
  spec.model = in.RequiredText("model");
  spec.frame_skip = in.Integer("frame_skip", 1, 1, 1000);
  spec.time_limit = in.Integer("time_limit", 1000, 1, 1 << 24);

  in.Table("reset", [&](TableReader& reset) {
    reset.Table("qpos", [&](TableReader& noise) { spec.qpos_noise = ReadNoise(noise); });
    reset.Table("qvel", [&](TableReader& noise) { spec.qvel_noise = ReadNoise(noise); });
  });
  in.EachTable("observation", [&](TableReader& row) {
    ObservationPart part;
    part.field = row.RequiredText("field");
    part.skip = row.Integer("skip", 0, 0, 1 << 20);
    if (row.table().contains("count")) part.count = row.Integer("count", 1, 1, 1 << 20);
    part.clip = row.Range("clip");
    part.place = row.place();
    spec.observation.push_back(part);
  });
  std::set<std::string> names;
  in.EachTable("quantities", [&](TableReader& row) {
    spec.quantities.push_back(ReadQuantity(row));
    if (!names.insert(spec.quantities.back().name).second) {
      Fail("{}: quantity '{}' appears twice", row.place(), spec.quantities.back().name);
    }
  });
  in.EachTable("health", [&](TableReader& row) { spec.health.push_back(ReadHealth(row)); });
  in.Table("rewards", [&](TableReader& rewards) { ReadRewards(rewards, spec); });
  in.EachTable("attributes", [&](TableReader& row) {
    spec.attributes.push_back(
        {ReadName(row), row.RequiredText("expression"), row.TextOr("unit", "")});
  });
  in.Table("settings", [&](TableReader& settings) { ReadSettings(settings, spec); });
  in.Table("camera", [&](TableReader& camera) { ReadCamera(camera, spec.camera); });
  in.RefuseUnknownKeys();

  if (spec.observation.empty()) Fail("{}: 'observation' is missing", name);
  if (spec.rewards.empty()) Fail("{}: 'rewards' is missing", name);
  if (!spec.rewards.contains(spec.default_rewards)) {
    Fail("{}: rewards.default is '{}'; it must be one of the presets", name, spec.default_rewards);
  }
  return spec;
}

}  // namespace rhumb::sim
