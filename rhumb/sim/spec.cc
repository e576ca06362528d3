#include "rhumb/sim/spec.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/path.h"
#include "rhumb/core/files/toml_file.h"
#include "rhumb/core/text.h"
#include "rhumb/sim/spec_table.h"

namespace rhumb::sim {
namespace {

constexpr std::uint64_t kMaxSpecBytes = 1 << 20;

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

// { uniform = … } or { normal = … }, if either is given.
std::optional<Distribution> ReadDistribution(TableReader& in) {
  constexpr double kMax = 1e6;
  std::optional<Distribution> found;
  for (const auto& [key, kind] : {std::pair("uniform", Distribution::Kind::kUniform),
                                  std::pair("normal", Distribution::Kind::kNormal)}) {
    const toml::node* node = in.Find(key);
    if (node == nullptr) continue;
    if (found) Fail("{}: give either 'uniform' or 'normal', not both", in.place());
    const bool uniform = kind == Distribution::Kind::kUniform;
    found = Distribution{kind};
    if (const toml::array* pair = node->as_array(); pair != nullptr && pair->size() == 2) {
      found->first = pair->get(0)->value<double>().value_or(NAN);
      found->second = pair->get(1)->value<double>().value_or(NAN);
    } else {
      found->second = node->value<double>().value_or(NAN);
      found->first = uniform ? -found->second : 0;
    }
    // A comparison with NaN is false.
    const bool ordered = found->second >= (uniform ? found->first : 0);
    if (!ordered || !(std::abs(found->first) <= kMax && std::abs(found->second) <= kMax)) {
      Fail("{}: '{}' must be {}, with numbers up to {}", in.PlaceOf(*node), key,
           uniform ? "a half-width or [low, high]"
                   : "a standard deviation or [mean, standard deviation]",
           kMax);
    }
  }
  return found;
}

// An array, or the elements of one object in it, e.g. joint = "knee".
SliceSpec ReadArray(TableReader& in, const std::string& field) {
  SliceSpec slice;
  slice.field = field;
  slice.place = in.place();
  for (const char* type : {"joint", "body", "site", "sensor", "actuator"}) {
    const std::optional<std::string> name = in.Text(type);
    if (!name) continue;
    if (!slice.object.empty()) {
      Fail("{}: give either '{}' or '{}', not both", in.place(), slice.object_type, type);
    }
    slice.object_type = type;
    slice.object = *name;
  }
  return slice;
}

SliceSpec ReadSlice(TableReader& in, const std::string& field) {
  SliceSpec slice = ReadArray(in, field);
  slice.skip = in.Integer("skip", 0, 0, 1 << 20);
  if (in.Find("count") != nullptr) slice.count = in.Integer("count", 1, 1, 1 << 20);
  return slice;
}

SliceSpec ReadElement(TableReader& in, const std::string& field) {
  SliceSpec slice = ReadArray(in, field);
  slice.count = 1;
  if (slice.field == "xpos" || slice.field == "site_xpos") {
    if (const auto axis = in.Text("axis")) {
      slice.skip = ReadAxis(in, *axis);
      return slice;
    }
  }
  slice.skip = in.Integer("index", 0, 0, 1 << 20);
  return slice;
}

QuantitySpec ReadQuantity(TableReader& in) {
  using Kind = QuantitySpec::Kind;
  QuantitySpec quantity;
  quantity.name = ReadName(in);
  quantity.help = in.TextOr("help", "");
  quantity.place = in.place();
  int given = 0;
  const auto ask = [&](std::string_view key) {
    const std::optional<std::string> value = in.Text(key);
    given += value.has_value();
    return value;
  };
  if (const auto field = ask("element_of")) {
    quantity.kind = Kind::kElement;
    quantity.slice = ReadElement(in, *field);
  } else if (const auto array = ask("sum_squares_of")) {
    quantity.kind = Kind::kSumSquares;
    quantity.slice = ReadSlice(in, *array);
    quantity.clip = in.Range("clip");
  } else {
    // A body's or a site's position, or a sensor's value, without the name of its array.
    for (const auto& [key, field_of] : {std::pair("body", "xpos"), std::pair("site", "site_xpos"),
                                        std::pair("sensor", "sensordata")}) {
      if (!ask(key)) continue;
      quantity.kind = Kind::kElement;
      if (std::string_view(key) != "sensor") in.RequiredText("axis");
      quantity.slice = ReadElement(in, field_of);
    }
  }
  if (const auto axis = ask("centre_of_mass")) {
    quantity.kind = Kind::kCentreOfMass;
    quantity.axis = ReadAxis(in, *axis);
  }
  if (const auto source = ask("rate_of")) {
    quantity.kind = Kind::kRate;
    quantity.source = *source;
  }
  if (const auto formula = ask("expression")) {
    quantity.kind = Kind::kExpression;
    quantity.source = *formula;
  }
  if (const auto distribution = ReadDistribution(in)) {
    quantity.kind = Kind::kDrawn;
    quantity.distribution = *distribution;
    ++given;
  }
  if (given != 1) {
    Fail(
        "{}: quantity '{}' needs exactly one of element_of, body, site, centre_of_mass, sensor, "
        "sum_squares_of, rate_of, expression, uniform, normal; it has {}",
        in.place(), quantity.name, given);
  }
  return quantity;
}

ObservationPart ReadObservation(TableReader& in) {
  ObservationPart part;
  part.place = in.place();
  const auto field = in.Text("field");
  const auto quantity = in.Text("quantity");
  const auto expression = in.Text("expression");
  if (field.has_value() + quantity.has_value() + expression.has_value() != 1) {
    Fail("{}: an observation needs exactly one of 'field', 'quantity' and 'expression'",
         in.place());
  }
  if (field) {
    part.slice = ReadSlice(in, *field);
  } else {
    part.expression = quantity.value_or(expression.value_or(""));
    if (part.expression.empty()) Fail("{}: an observed expression is empty", in.place());
  }
  part.clip = in.Range("clip");
  part.unseen = in.Flag("unseen", false);
  return part;
}

HealthCondition ReadHealth(TableReader& in) {
  HealthCondition condition;
  condition.place = in.place();
  condition.quantity = in.TextOr("quantity", "");
  const std::string field = in.TextOr("every", "");
  if (condition.quantity.empty() == field.empty()) {
    Fail("{}: a health condition needs either 'quantity' or 'every'", in.place());
  }
  if (!field.empty()) condition.every = ReadSlice(in, field);
  const auto range = in.Range("range");
  if (!range) Fail("{}: a health condition needs 'range'", in.place());
  condition.range = *range;
  condition.inclusive = in.Flag("inclusive", false);
  return condition;
}

ResetStep ReadResetStep(TableReader& in, const char* field) {
  ResetStep step;
  step.slice = ReadSlice(in, field);
  if (const toml::node* set = in.Find("set")) {
    const auto number = set->value<double>();
    step.set = number ? fmt::format("{}", *number) : in.RequiredText("set");
  }
  step.noise = ReadDistribution(in);
  if (step.set.empty() && !step.noise) {
    Fail("{}: a reset of '{}' needs 'set', 'uniform' or 'normal'", in.place(), field);
  }
  return step;
}

void ReadReset(TableReader& in, ResetSpec& reset) {
  reset.place = in.place();
  reset.keyframe = in.TextOr("keyframe", "");
  reset.accept = in.TextOr("accept", "");
  for (const char* field : {"qpos", "qvel", "act", "mocap_pos", "mocap_quat"}) {
    in.EachTable(field,
                 [&](TableReader& row) { reset.steps.push_back(ReadResetStep(row, field)); });
  }
}

Distribution ReadRequiredDistribution(TableReader& in) {
  const auto distribution = ReadDistribution(in);
  if (!distribution) Fail("{}: 'uniform' or 'normal' is missing", in.place());
  return *distribution;
}

// A range whose values are all at least `least`.
Distribution ReadBounded(TableReader& in, double least) {
  const Distribution drawn = ReadRequiredDistribution(in);
  if (drawn.kind != Distribution::Kind::kUniform || drawn.first < least) {
    Fail("{}: it must be uniform = [low, high], with low at least {}", in.place(), least);
  }
  return drawn;
}

void ReadRandomisation(TableReader& in, RandomisationSpec& randomisation) {
  constexpr double kLeastFactor = 0.01, kMaxSeconds = 1e4;
  const auto read_scales = [&](std::string_view key, std::string_view object,
                               std::vector<ScaleSpec>& scales) {
    in.EachTable(key, [&](TableReader& row) {
      scales.push_back({row.TextOr(object, ""), ReadBounded(row, kLeastFactor), row.place()});
    });
  };
  read_scales("mass", "body", randomisation.mass);
  read_scales("friction", "geom", randomisation.friction);
  read_scales("gain", "actuator", randomisation.gain);
  in.Table("delay", [&](TableReader& row) { randomisation.delay = ReadBounded(row, 0); });
  in.EachTable("observation", [&](TableReader& row) {
    randomisation.observation.push_back(
        {row.TextOr("field", ""), ReadRequiredDistribution(row), row.place()});
  });
  in.EachTable("push", [&](TableReader& row) {
    randomisation.pushes.push_back({.body = row.RequiredText("body"),
                                    .period_s = row.Number("every", 1, 1e-3, kMaxSeconds),
                                    .duration_s = row.Number("duration", 0.1, 1e-3, kMaxSeconds),
                                    .force = ReadRequiredDistribution(row),
                                    .place = row.place()});
  });
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

// A value as written in TOML, on one line; numbers in their shortest form.
std::string TextOf(const toml::node& value) {
  if (const toml::array* list = value.as_array()) {
    std::vector<std::string> elements;
    for (const toml::node& element : *list) elements.push_back(TextOf(element));
    return fmt::format("[{}]", fmt::join(elements, ", "));
  }
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
  spec.forward_after_step = in.Flag("forward_after_step", false);
  spec.action_range = in.Range("action_range");

  in.Table("reset", [&](TableReader& reset) { ReadReset(reset, spec.reset); });
  in.Table("randomise", [&](TableReader& row) { ReadRandomisation(row, spec.randomisation); });
  in.Table("training", [&](TableReader& training) {
    if (training.Find("time_limit") != nullptr) {
      spec.training.time_limit = training.Integer("time_limit", 1, 1, 1 << 24);
    }
    training.Table("reset", [&](TableReader& reset) {
      ReadReset(reset, spec.training.reset.emplace());
      spec.training.reset_share = reset.Number("share", 1, 0.01, 1);
    });
    training.Table("randomise", [&](TableReader& row) {
      ReadRandomisation(row, spec.training.randomisation.emplace());
    });
  });
  in.EachTable("observation",
               [&](TableReader& row) { spec.observation.push_back(ReadObservation(row)); });
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
