#include "rhumb/sim/environment.h"

#include <algorithm>

#include "rhumb/core/error.h"
#include "rhumb/core/math/expression.h"
#include "rhumb/core/text.h"

namespace rhumb::sim {
namespace {

constexpr std::pair<const char*, const char*> kBuiltIns[kBuiltInCount] = {
    // name, help
    {"sum_sq_action", "sum of the squared controls"},
    {"sum_abs_action", "sum of the controls' magnitudes"},
    {"max_abs_action", "largest magnitude among the controls"},
    {"action_rate", "sum of the squared changes of the controls since the last step"},
    {"time", "seconds since the episode began"},
    {"alive", "1 while every health condition holds, else 0 (objectives only)"},
};

// Variables with the quantities' names, for parsing only. The values live in each Simulation.
std::vector<core::Variable> DummyVariables(std::span<const Quantity> quantities, double* sink) {
  std::vector<core::Variable> variables;
  for (const Quantity& quantity : quantities) variables.push_back({quantity.name, sink});
  return variables;
}

}  // namespace

Environment::Environment(core::EnvironmentBundle bundle)
    : bundle_(std::move(bundle)),
      spec_(ParseSpec(bundle_.files, bundle_.spec)),
      model_(CompileModel(bundle_.files, spec_.model, bundle_.spec)),
      objectives_(spec_.objectives(bundle_.rewards)) {
  if (model_->nu == 0) Fail("{}: model '{}' has no actuator", spec_.id, spec_.model);
  ResolveQuantities();
  ResolveObservation();
  ResolveHealth();
  ResolveActions();
  // Parse every formula here once, so that errors appear when the spec is loaded.
  double sink = 0;
  const std::vector<core::Variable> variables = DummyVariables(quantities_, &sink);
  for (const ObjectiveSpec& objective : objectives_) {
    core::Expression(objective.expression, variables,
                     fmt::format("{}: objective '{}'", objective.place, objective.name));
  }
}

Field Environment::UseField(std::string_view name, std::string_view place) {
  reads_contact_forces_ |= name == "cfrc_ext" || name == "cfrc_int" || name == "cacc";
  return FindField(model_.get(), name, place);
}

int Environment::FindQuantity(std::string_view name, std::string_view place) const {
  return static_cast<int>(
      core::FindNamed(quantities_, name, fmt::format("{}: unknown quantity '{}'", place, name)));
}

void Environment::ResolveQuantities() {
  using Kind = QuantitySpec::Kind;
  for (const auto& [name, help] : kBuiltIns) {
    Quantity& quantity = quantities_.emplace_back();
    quantity.name = name;
    quantity.help = help;
  }
  const mjModel* model = model_.get();
  for (const QuantitySpec& spec : spec_.quantities) {
    Quantity quantity{spec};
    if (std::ranges::find(quantities_, spec.name, &Quantity::name) != quantities_.end()) {
      Fail("{}: quantity '{}' has the name of a built-in quantity", spec.place, spec.name);
    }
    switch (spec.kind) {
      case Kind::kElement:
      case Kind::kSumSquares:
        quantity.field = UseField(spec.source, spec.place);
        if (spec.kind == Kind::kElement && spec.index >= quantity.field->size) {
          Fail("{}: index {} of '{}' is out of range; the array has {} elements", spec.place,
               spec.index, spec.source, quantity.field->size);
        }
        break;
      case Kind::kBody:
        quantity.field = UseField("xpos", spec.place);
        quantity.index += 3 * FindObject(model, mjOBJ_BODY, spec.source, spec.place);
        break;
      case Kind::kSite:
        quantity.field = Field{"site_xpos", &mjData::site_xpos, 3 * static_cast<int>(model->nsite)};
        quantity.index += 3 * FindObject(model, mjOBJ_SITE, spec.source, spec.place);
        break;
      case Kind::kSensor: {
        const int sensor = FindObject(model, mjOBJ_SENSOR, spec.source, spec.place);
        if (spec.index >= model->sensor_dim[sensor]) {
          Fail("{}: index {} of sensor '{}' is out of range; it gives {} numbers", spec.place,
               spec.index, spec.source, model->sensor_dim[sensor]);
        }
        quantity.field = UseField("sensordata", spec.place);
        quantity.index += model->sensor_adr[sensor];
        break;
      }
      case Kind::kCentreOfMass:
        break;
      case Kind::kRate:
        quantity.differentiated = FindQuantity(spec.source, spec.place);
        break;
      case Kind::kExpression: {
        // A formula may use the quantities above it, but not `alive`, which depends on the
        // quantities.
        double sink = 0;
        std::vector<core::Variable> above = DummyVariables(quantities_, &sink);
        above.erase(above.begin() + kAlive);
        const core::Expression checked(spec.source, above,
                                       fmt::format("{}: quantity '{}'", spec.place, spec.name));
        break;
      }
    }
    quantities_.push_back(std::move(quantity));
  }
}

void Environment::ResolveObservation() {
  for (const ObservationPart& part : spec_.observation) {
    ObservationSlice slice{UseField(part.field, part.place), part.skip, 0, part.clip};
    slice.count = part.count.value_or(slice.field.size - part.skip);
    if (slice.count < 1 || part.skip + slice.count > slice.field.size) {
      Fail("{}: elements {} to {} of '{}' are out of range; the array has {}", part.place,
           part.skip, part.skip + slice.count - 1, part.field, slice.field.size);
    }
    observation_size_ += slice.count;
    observation_.push_back(slice);
  }
}

void Environment::ResolveHealth() {
  for (const HealthCondition& condition : spec_.health) {
    HealthCheck check;
    check.range = condition.range;
    check.inclusive = condition.inclusive;
    if (!condition.quantity.empty()) {
      check.quantity = FindQuantity(condition.quantity, condition.place);
      if (check.quantity == kAlive) {
        Fail("{}: a health condition cannot use 'alive', which it defines", condition.place);
      }
    } else {
      check.field = UseField(condition.field, condition.place);
      check.begin = condition.skip;
    }
    health_.push_back(check);
  }
}

void Environment::ResolveActions() {
  for (int i = 0; i < action_size(); ++i) {
    const mjtNum low = model_->actuator_ctrlrange[2 * i];
    const mjtNum high = model_->actuator_ctrlrange[2 * i + 1];
    const bool limited = model_->actuator_ctrllimited[i] != 0;
    action_centre_.push_back(limited ? (low + high) / 2 : 0);
    action_half_range_.push_back(limited ? (high - low) / 2 : 1);
  }
}

void Environment::Observe(const mjData* data, double* observation) const {
  for (const ObservationSlice& slice : observation_) {
    const mjtNum* values = slice.field.Of(data) + slice.begin;
    if (slice.clip) {
      const Interval clip = *slice.clip;
      for (int i = 0; i < slice.count; ++i) {
        observation[i] = std::clamp(values[i], clip.low, clip.high);
      }
    } else {
      std::copy_n(values, slice.count, observation);
    }
    observation += slice.count;
  }
}

}  // namespace rhumb::sim
