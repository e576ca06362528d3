#include "rhumb/sim/environment.h"

#include <algorithm>
#include <cmath>

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

// Parses an expression over the quantities that `may_use` admits. Their values live in each
// Simulation.
template <typename Predicate>
void CheckExpression(const std::string& text, std::span<const Quantity> quantities,
                     Predicate may_use, const std::string& place) {
  double sink = 0;
  std::vector<core::Variable> variables;
  for (const Quantity& quantity : quantities) {
    if (may_use(quantity)) variables.push_back({quantity.name, &sink});
  }
  const core::Expression checked(text, variables, place);
}

EnvironmentSpec ParseFor(const core::EnvironmentBundle& bundle, bool in_training) {
  EnvironmentSpec spec = ParseSpec(bundle.files, bundle.spec);
  if (in_training && spec.training.randomisation) {
    spec.randomisation = *spec.training.randomisation;
  }
  if (in_training) spec.time_limit = spec.training.time_limit.value_or(spec.time_limit);
  return spec;
}

bool IsDrawn(const Quantity& quantity) { return quantity.kind == QuantitySpec::Kind::kDrawn; }

}  // namespace

Environment::Environment(core::EnvironmentBundle bundle, bool in_training)
    : bundle_(std::move(bundle)),
      spec_(ParseFor(bundle_, in_training)),
      model_(CompileModel(bundle_.files, spec_.model, bundle_.spec,
                          {.max_delay_s = spec_.randomisation.delay.value_or(Distribution()).second,
                           .list_contacts = spec_.randomisation.friction.empty()})),
      objectives_(spec_.objectives(bundle_.rewards)) {
  if (model_->nu == 0) Fail("{}: model '{}' has no actuator", spec_.id, spec_.model);
  ResolveQuantities();
  ResolveObservation();
  const TrainingSpec& training = spec_.training;
  const double share = in_training && training.reset ? training.reset_share : 0;
  if (share > 0) ResolveReset(*training.reset, share);
  if (share < 1) ResolveReset(spec_.reset, 1 - share);
  ResolveHealth();
  ResolveActions();
  ResolveRandomisation();
  // Parse every formula here once, so that errors appear when the spec is loaded.
  for (const ObjectiveSpec& objective : objectives_) {
    CheckExpression(
        objective.expression, quantities_, [](const Quantity&) { return true; },
        fmt::format("{}: objective '{}'", objective.place, objective.name));
  }
}

Slice Environment::UseSlice(const SliceSpec& spec) {
  const Slice slice = FindSlice(model_.get(), spec);
  reads_contact_forces_ |=
      spec.field == "cfrc_ext" || spec.field == "cfrc_int" || spec.field == "cacc";
  return slice;
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
  for (const QuantitySpec& spec : spec_.quantities) {
    Quantity quantity{spec};
    if (std::ranges::find(quantities_, spec.name, &Quantity::name) != quantities_.end()) {
      Fail("{}: quantity '{}' has the name of a built-in quantity", spec.place, spec.name);
    }
    switch (spec.kind) {
      case Kind::kElement:
      case Kind::kSumSquares:
        quantity.elements = UseSlice(spec.slice);
        break;
      case Kind::kRate:
        quantity.differentiated = FindQuantity(spec.source, spec.place);
        break;
      case Kind::kExpression:
        // A formula may use the quantities above it, but not `alive`, which depends on the
        // quantities.
        CheckExpression(
            spec.source, quantities_,
            [&](const Quantity& other) { return &other != &quantities_[kAlive]; },
            fmt::format("{}: quantity '{}'", spec.place, spec.name));
        break;
      case Kind::kCentreOfMass:
      case Kind::kDrawn:
        break;
    }
    quantities_.push_back(std::move(quantity));
  }
}

void Environment::ResolveObservation() {
  for (const ObservationPart& part : spec_.observation) {
    ObservationSlice slice{.elements = std::nullopt, .clip = part.clip};
    if (part.expression.empty()) {
      slice.elements = UseSlice(part.slice);
      observation_size_ += slice.elements->count;
    } else {
      CheckExpression(
          part.expression, quantities_, [](const Quantity&) { return true; },
          fmt::format("{}: observation", part.place));
      ++observation_size_;
    }
    observation_.push_back(slice);
    unseen_.resize(static_cast<std::size_t>(observation_size_), part.unseen ? 1 : 0);
  }
}

void Environment::ResolveReset(const ResetSpec& spec, double share) {
  ResetRule& reset = resets_.emplace_back();
  reset.spec = spec;
  reset.share = share;
  if (!spec.keyframe.empty()) {
    reset.keyframe = FindObject(model_.get(), mjOBJ_KEY, spec.keyframe, spec.place);
  }
  for (const ResetStep& step : spec.steps) {
    if (!step.set.empty()) {
      CheckExpression(step.set, quantities_, IsDrawn,
                      fmt::format("{}: reset of '{}'", step.slice.place, step.slice.field));
    }
    reset.changes.push_back({UseSlice(step.slice), !step.set.empty(), step.noise});
  }
  if (!spec.accept.empty()) CheckAcceptance(spec);
}

// A reset draws until `accept` holds, so that must not be rare.
void Environment::CheckAcceptance(const ResetSpec& reset) const {
  constexpr int kDraws = 1000, kLeast = 10;
  std::vector<double> values(quantities_.size());
  std::vector<core::Variable> variables;
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    if (IsDrawn(quantities_[i])) variables.push_back({quantities_[i].name, &values[i]});
  }
  const core::Expression accept(reset.accept, variables, reset.place + ": accept");
  core::Stream stream(/*seed=*/0, core::Purpose::kReset);
  int accepted = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    for (std::size_t i = 0; i < quantities_.size(); ++i) {
      if (IsDrawn(quantities_[i])) values[i] = quantities_[i].distribution.Draw(stream);
    }
    accepted += accept.Evaluate() > 0;
  }
  if (accepted < kLeast) {
    Fail("{}: accept = \"{}\" holds for {} of {} draws; it must hold for at least {}", reset.place,
         reset.accept, accepted, kDraws, kLeast);
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
      check.elements = UseSlice(condition.every);
    }
    health_.push_back(check);
  }
}

std::vector<std::string> Environment::action_names() const {
  std::vector<std::string> names;
  for (int i = 0; i < model_->nactuator; ++i) {
    const char* name = mj_id2name(model_.get(), mjOBJ_ACTUATOR, i);
    const bool named = name != nullptr && *name != '\0';
    names.resize(names.size() + static_cast<std::size_t>(model_->actuator_ctrlnum[i]),
                 named ? name : fmt::format("actuator {}", i));
  }
  return names;
}

std::vector<std::string> Environment::drawn_names() const {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities().subspan(kBuiltInCount)) {
    if (quantity.kind == QuantitySpec::Kind::kDrawn) names.push_back(quantity.name);
  }
  return names;
}

void Environment::ResolveActions() {
  std::vector<std::string> unlimited;
  for (int i = 0; i < action_size(); ++i) {
    Interval range{model_->actuator_ctrlrange[2 * i], model_->actuator_ctrlrange[2 * i + 1]};
    if (!model_->actuator_ctrllimited[i]) {
      unlimited.push_back(action_names()[static_cast<std::size_t>(i)]);
      range = spec_.action_range.value_or(Interval{-1, 1});
    }
    action_centre_.push_back((range.low + range.high) / 2);
    action_half_range_.push_back((range.high - range.low) / 2);
  }
  if (!unlimited.empty() && !spec_.action_range) {
    Fail(
        "{}: actuators of '{}' without a ctrlrange: {}. Policies act in [-1, 1]; give the controls "
        "that this means with action_range = [low, high], or give each actuator a ctrlrange",
        bundle_.spec, spec_.model, fmt::join(unlimited, ", "));
  }
  for (const double half_range : action_half_range_) {
    if (!std::isfinite(half_range)) Fail("{}: action_range must be finite", bundle_.spec);
  }
}

void Environment::ResolveRandomisation() {
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < observation_.size(); ++i) {
    const auto& elements = observation_[i].elements;
    fields.resize(fields.size() + static_cast<std::size_t>(elements ? elements->count : 1),
                  spec_.observation[i].slice.field);
  }
  randomisation_.emplace(spec_.randomisation, model_.get(), control_step(), fields);
}

void Environment::Observe(const mjData* data, const double* expressions,
                          double* observation) const {
  for (const ObservationSlice& slice : observation_) {
    const int count = slice.elements ? slice.elements->count : 1;
    const double* values = slice.elements ? slice.elements->Of(data) : expressions++;
    if (slice.clip) {
      const Interval clip = *slice.clip;
      for (int i = 0; i < count; ++i) {
        observation[i] = std::clamp(values[i], clip.low, clip.high);
      }
    } else {
      std::copy_n(values, count, observation);
    }
    observation += count;
  }
}

}  // namespace rhumb::sim
