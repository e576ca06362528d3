#include "rhumb/net/model_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "rhumb/core/error.h"
#include "rhumb/core/names.h"
#include "rhumb/core/text.h"

namespace rhumb::net {
namespace {

using nlohmann::json;

constexpr int kFormat = 2;
const core::Names<Pooling> kPoolings = {{Pooling::kClassToken, "class_token"},
                                        {Pooling::kMean, "mean"}};
const core::Names<DeviationSource> kDeviationSources = {
    {DeviationSource::kStateAndCode, "state_and_code"}, {DeviationSource::kCode, "code"}};

template <class Kind>
Kind Choose(const core::Names<Kind>& names, const json& parent, const char* key,
            const std::string& place) {
  return names.Parse(parent.at(key).get_ref<const std::string&>(),
                     fmt::format("{}: {} is", place, key));
}

// A whole number from `low` on. Checked here because nlohmann truncates fractions and wraps large
// numbers.
int IntegerAt(const json& parent, const char* key, int low, const std::string& place) {
  const json& value = parent.at(key);
  const std::int64_t high = std::numeric_limits<int>::max();
  if (!value.is_number_integer() || value < low || value > high) {
    Fail("{}: {} is {}, expected a whole number from {} to {}", place, key, value.dump(), low,
         high);
  }
  return value.get<int>();
}

// JSON has no NaN or infinity; nlohmann writes them as null, which fails here.
double NumberAt(const json& parent, const char* key, const std::string& place) {
  const json& value = parent.at(key);
  if (!value.is_number()) Fail("{}: {} is {}, expected a number", place, key, value.dump());
  const auto number = value.get<double>();
  // Values and their squares are computed with it, in single precision too.
  constexpr double kMaxSize = 1e15;
  if (std::abs(number) > kMaxSize) {
    Fail("{}: {} is {}, it must be from {} to {}", place, key, number, -kMaxSize, kMaxSize);
  }
  return number;
}

const json& ObjectAt(const json& parent, const char* key) {
  parent.at(key).get_ref<const json::object_t&>();  // throws if it is not an object
  return parent.at(key);
}

json ArchitectureOf(const Model& model) {
  return {{"pooling", kPoolings.NameOf(model.encoder.pooling)},
          {"attention_heads", model.encoder.heads},
          {"transformer_layers", model.encoder.layers.size()},
          {"token_width", model.encoder.token_mlp.outputs()},
          {"context", model.description.context},
          {"deviation_source", kDeviationSources.NameOf(model.decoder.deviation_source)},
          {"observation_size", model.observation_size()},
          {"action_size", model.action_size()},
          {"code_size", model.code_size()},
          {"projection_size", model.projections.size}};
}

json GroundingsOf(const Model& model) {
  json groundings = json::object();
  for (const RolloutMode mode : kRolloutModeNames.values()) {
    const std::optional<Grounding>& grounding = model.grounded[static_cast<std::size_t>(mode)];
    if (!grounding) continue;
    groundings[std::string(NameOf(mode))] = {{"episodes", grounding->episodes},
                                             {"codes", grounding->rolled_out.count()},
                                             {"seed", grounding->seed}};
  }
  return groundings;
}

RolloutMode ReadMode(const std::string& name, const std::string& place) {
  try {
    return ParseRolloutMode(name);
  } catch (const Error& error) {
    Fail("{}: grounded: {}", place, error.what());
  }
}

std::vector<ModelObjective> ReadObjectives(const json& list, const std::string& place) {
  std::vector<ModelObjective> objectives;
  std::set<std::string> names;
  for (const json& entry : list.get_ref<const json::array_t&>()) {
    ModelObjective objective;
    entry.at("name").get_to(objective.name);
    entry.at("unit").get_to(objective.unit);
    entry.at("expression").get_to(objective.expression);
    const std::string of = fmt::format("{}: objective '{}'", place, objective.name);
    objective.mean = NumberAt(entry, "mean", of);
    objective.std = NumberAt(entry, "std", of);
    objective.min = NumberAt(entry, "min", of);
    objective.max = NumberAt(entry, "max", of);
    // An attribute that shaped the map is named by its expression.
    if (objective.name.empty() || core::Printable(objective.name) != objective.name) {
      Fail("{}: objective '{}' has no name, or one that cannot be printed", place,
           core::Printable(objective.name));
    }
    if (!names.insert(objective.name).second) Fail("{} is given twice", of);
    if (objective.std <= 0) Fail("{}: std is {}, it must be above 0", of, objective.std);
    if (objective.min > objective.max) {
      Fail("{}: min is {}, above max, {}", of, objective.min, objective.max);
    }
    objectives.push_back(std::move(objective));
  }
  if (objectives.empty()) Fail("{}: the model has no objectives", place);
  return objectives;
}

// Throws Error unless `found` has every key of `expected` with the same value.
void CheckSame(const json& found, const json& expected, const std::string& name,
               const std::string& place) {
  for (const auto& [key, value] : expected.items()) {
    const json is = found.contains(key) ? found[key] : json();
    if (is != value) {
      Fail("{}: {}.{} is {}, but model.safetensors has {}", place, name, key, is.dump(),
           value.dump());
    }
  }
}

void ReadDescription(const json& document, ModelDescription& description,
                     const std::string& place) {
  document.at("variant").get_to(description.variant);
  const json& environment = ObjectAt(document, "environment");
  description.environment = core::BundleFromJson(environment);
  description.time_limit = IntegerAt(environment, "time_limit", 0, place);
  description.context = IntegerAt(ObjectAt(document, "architecture"), "context", 1, place);
  description.shaping_labels = IntegerAt(document, "shaping_labels", 0, place);
  description.objectives = ReadObjectives(document.at("objectives"), place);
}

}  // namespace

json ToJson(const ModelObjective& objective) {
  return {{"name", objective.name}, {"unit", objective.unit}, {"expression", objective.expression},
          {"mean", objective.mean}, {"std", objective.std},   {"min", objective.min},
          {"max", objective.max}};
}

json ModelToJson(const Model& model) {
  const ModelDescription& description = model.description;
  json environment = core::ToJson(description.environment);
  environment["time_limit"] = description.time_limit;
  json objectives = json::array();
  for (const ModelObjective& objective : description.objectives) {
    objectives.push_back(ToJson(objective));
  }
  return {{"format", kFormat},
          {"variant", description.variant},
          {"architecture", ArchitectureOf(model)},
          {"environment", std::move(environment)},
          {"objectives", std::move(objectives)},
          {"shaping_labels", description.shaping_labels},
          {"grounded", GroundingsOf(model)},
          {"provenance", *model.provenance},
          {"metrics", *model.metrics}};
}

Model ModelFromJson(const json& document, const std::string& place) {
  Model model;
  try {
    const int format = IntegerAt(document, "format", 1, place);
    if (format != kFormat) {
      Fail("{}: the format is {}, this version of Rhumb reads {}", place, format, kFormat);
    }
    ReadDescription(document, model.description, place);
    const json& architecture = ObjectAt(document, "architecture");
    model.encoder.pooling = Choose(kPoolings, architecture, "pooling", place);
    model.encoder.heads = IntegerAt(architecture, "attention_heads", 1, place);
    model.decoder.deviation_source =
        Choose(kDeviationSources, architecture, "deviation_source", place);
    for (const auto& [name, entry] : ObjectAt(document, "grounded").items()) {
      Grounding grounding;
      grounding.episodes = IntegerAt(entry, "episodes", 1, place);
      grounding.seed = entry.at("seed").get_ref<const json::number_unsigned_t&>();
      model.grounded[static_cast<std::size_t>(ReadMode(name, place))] = std::move(grounding);
    }
    model.provenance = std::make_shared<const json>(ObjectAt(document, "provenance"));
    model.metrics = std::make_shared<const json>(ObjectAt(document, "metrics"));
  } catch (const json::exception& problem) {
    Fail("{} is damaged: {}", place, problem.what());
  }
  return model;
}

void CheckSizes(const json& document, const Model& model, const std::string& place) {
  CheckSame(document.at("architecture"), ArchitectureOf(model), "architecture", place);
  const json groundings = GroundingsOf(model);
  for (const auto& [mode, expected] : groundings.items()) {
    CheckSame(document.at("grounded").at(mode), expected, "grounded." + mode, place);
  }
}

}  // namespace rhumb::net
