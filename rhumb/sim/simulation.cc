#include "rhumb/sim/simulation.h"

#include <algorithm>
#include <cmath>

namespace rhumb::sim {
namespace {

// MuJoCo calls values beyond mjMAXVAL (1e10) bad. NaN fails the comparison, too.
bool AllUsable(const mjtNum* values, mjtSize count) {
  bool usable = true;
  for (mjtSize i = 0; i < count; ++i) usable &= std::abs(values[i]) <= mjMAXVAL;
  return usable;
}

bool HasDiverged(const mjData* data) {
  return data->warning[mjWARN_BADQPOS].number > 0 || data->warning[mjWARN_BADQVEL].number > 0 ||
         data->warning[mjWARN_BADQACC].number > 0 || data->warning[mjWARN_BADCTRL].number > 0;
}

// Centre of mass of all bodies along one axis: sum_b m_b x_b / sum_b m_b.
double CentreOfMass(const mjModel* model, const mjData* data, int axis) {
  double moment = 0, mass = 0;
  for (int body = 0; body < model->nbody; ++body) {
    moment += model->body_mass[body] * data->xipos[3 * body + axis];
    mass += model->body_mass[body];
  }
  return moment / mass;
}

}  // namespace

Simulation::Simulation(const Environment& environment)
    : environment_(environment),
      values_(environment.quantities().size(), 0.0),
      before_(environment.quantities().size(), 0.0),
      last_control_(static_cast<std::size_t>(environment.action_size()), 0.0) {
  std::vector<core::Variable> variables;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    variables.push_back({environment.quantities()[i].name, &values_[i]});
  }
  for (const Quantity& quantity : environment.quantities()) {
    if (quantity.kind == QuantitySpec::Kind::kExpression && !quantity.source.empty()) {
      formulas_.emplace_back(quantity.source, variables, quantity.place);
    }
  }
  for (const ObjectiveSpec& objective : environment.objectives()) {
    objectives_.emplace_back(objective.expression, variables, objective.place);
  }
  const EnvironmentSpec& spec = environment.spec();
  for (const ObservationPart& part : spec.observation) {
    if (!part.expression.empty()) observed_.emplace_back(part.expression, variables, part.place);
  }
  observed_values_.resize(observed_.size());
  for (const ResetRule& reset : environment.resets()) {
    ResetFormulas& formulas = resets_.emplace_back();
    for (const ResetStep& step : reset.spec.steps) {
      if (!step.set.empty()) formulas.values.emplace_back(step.set, variables, step.slice.place);
    }
    if (reset.spec.accept.empty()) continue;
    formulas.accept.emplace(reset.spec.accept, variables, reset.spec.place);
  }
  if (environment.randomisation().changes_model()) {
    own_model_.reset(mj_copyModel(nullptr, environment.model()));
    scratch_.reset(mj_makeData(own_model_.get()));
  }
}

void Simulation::Randomise(std::uint64_t seed) {
  episode_seed_ = seed;
  if (!own_model_) return;
  environment_.randomisation().ChangeModel(environment_.model(), seed, own_model_.get(),
                                           scratch_.get());
}

void Simulation::Reset(const mjModel* model, mjData* data, core::Stream noise,
                       double* observation) {
  if (environment_.randomisation().active()) Randomise(DrawEpisodeSeed(noise));
  const std::span<const ResetRule> resets = environment_.resets();
  const std::size_t drawn = resets.size() > 1 && noise.Uniform() >= resets[0].share ? 1 : 0;
  const ResetRule& reset = resets[drawn];
  if (reset.keyframe < 0) {
    mj_resetData(model, data);
  } else {
    mj_resetDataKeyframe(model, data, reset.keyframe);
  }
  std::fill(values_.begin(), values_.end(), 0.0);
  ResetFormulas& formulas = resets_[drawn];
  DrawQuantities(formulas.accept, noise);
  std::size_t next_value = 0;
  for (const StateChange& change : reset.changes) {
    const std::span<mjtNum> elements(change.elements.Of(data),
                                     static_cast<std::size_t>(change.elements.count));
    if (change.sets) std::ranges::fill(elements, formulas.values[next_value++].Evaluate());
    if (!change.noise) continue;
    for (mjtNum& element : elements) element += change.noise->Draw(noise);
  }
  BeginEpisode(model, data, observation);
}

void Simulation::DrawQuantities(const std::optional<core::Expression>& accept,
                                core::Stream& noise) {
  // Environment checked that about one draw in a hundred is accepted, so one of these is.
  constexpr int kMaxDraws = 100'000;
  const std::span<const Quantity> quantities = environment_.quantities();
  for (int draw = 0; draw < kMaxDraws; ++draw) {
    for (std::size_t i = kBuiltInCount; i < quantities.size(); ++i) {
      if (quantities[i].kind == QuantitySpec::Kind::kDrawn) {
        values_[i] = quantities[i].distribution.Draw(noise);
      }
    }
    if (!accept || accept->Evaluate() > 0) return;
  }
}

void Simulation::Start(const mjModel* model, mjData* data, const StartState& start,
                       double* observation) {
  if (environment_.randomisation().active()) Randomise(kNotRandomised);
  mj_resetData(model, data);
  std::ranges::copy(start.qpos, data->qpos);
  std::ranges::copy(start.qvel, data->qvel);
  std::ranges::copy(start.act, data->act);
  std::ranges::copy(start.mocap_pos, data->mocap_pos);
  std::ranges::copy(start.mocap_quat, data->mocap_quat);
  std::fill(values_.begin(), values_.end(), 0.0);
  std::size_t drawn = 0;
  for (std::size_t i = kBuiltInCount; i < values_.size(); ++i) {
    const Quantity& quantity = environment_.quantities()[i];
    if (quantity.kind != QuantitySpec::Kind::kDrawn) continue;
    values_[i] = start.drawn.empty() ? quantity.distribution.mean() : start.drawn[drawn++];
  }
  BeginEpisode(model, data, observation);
}

void Simulation::BeginEpisode(const mjModel* model, mjData* data, double* observation) {
  mj_forward(model, data);
  steps_ = 0;
  std::fill(last_control_.begin(), last_control_.end(), 0.0);
  values_[kAlive] = 1;
  ComputeQuantities(model, data, /*first=*/true);
  EvaluateObserved();
  Observe(data, observation);
}

StepOutcome Simulation::Step(const mjModel* model, mjData* data, const double* control,
                             double* observation, double* rewards, double* substeps) {
  const int objective_count = environment_.objective_count();
  StepOutcome outcome;
  const auto diverge = [&] {
    std::fill_n(rewards, objective_count, 0.0);
    outcome = {
        .terminated = true, .diverged = true, .non_finite_objective = outcome.non_finite_objective};
    return outcome;
  };

  // MuJoCo would silently clamp or zero an unusable control.
  if (!AllUsable(control, model->nu)) return diverge();
  std::copy_n(control, model->nu, data->ctrl);
  if (episode_seed_ != kNotRandomised) {
    environment_.randomisation().Push(episode_seed_, steps_, data);
  }
  for (int substep = 0; substep < environment_.spec().frame_skip; ++substep) {
    mj_step(model, data);
    if (substeps != nullptr) substeps = std::copy_n(data->qpos, model->nq, substeps);
    // A diverged state can make the next substeps very slow.
    if (HasDiverged(data)) return diverge();
  }
  if (!AllUsable(data->qpos, model->nq) || !AllUsable(data->qvel, model->nv) ||
      !AllUsable(data->act, model->na)) {
    return diverge();
  }
  if (environment_.spec().forward_after_step) mj_forward(model, data);
  if (environment_.reads_contact_forces()) mj_rnePostConstraint(model, data);

  ++steps_;
  std::copy(values_.begin(), values_.end(), before_.begin());
  double sum_squares = 0, sum_abs = 0, max_abs = 0, rate = 0;
  for (int i = 0; i < model->nu; ++i) {
    const double change = control[i] - last_control_[static_cast<std::size_t>(i)];
    sum_squares += control[i] * control[i];
    sum_abs += std::abs(control[i]);
    max_abs = std::max(max_abs, std::abs(control[i]));
    rate += change * change;
    last_control_[static_cast<std::size_t>(i)] = control[i];
  }
  values_[kSumSquaredAction] = sum_squares;
  values_[kSumAbsAction] = sum_abs;
  values_[kMaxAbsAction] = max_abs;
  values_[kActionRate] = steps_ > 1 ? rate : 0;
  values_[kTime] = steps_ * environment_.control_step();
  ComputeQuantities(model, data, /*first=*/false);

  const bool healthy = IsHealthy(data);
  values_[kAlive] = healthy ? 1 : 0;
  for (int k = 0; k < objective_count; ++k) {
    rewards[k] = objectives_[static_cast<std::size_t>(k)].Evaluate();
    if (!std::isfinite(rewards[k])) {
      outcome.non_finite_objective = k;
      return diverge();
    }
  }
  // Derived arrays, e.g. squares of forces, can overflow although the state does not.
  EvaluateObserved();
  if (!ObservationIsUsable(data)) return diverge();
  Observe(data, observation);
  outcome.terminated = !healthy;
  outcome.truncated = steps_ >= environment_.time_limit();
  return outcome;
}

void Simulation::ComputeQuantities(const mjModel* model, const mjData* data, bool first) {
  using Kind = QuantitySpec::Kind;
  const std::span<const Quantity> quantities = environment_.quantities();
  std::size_t formula = 0;
  for (std::size_t i = kBuiltInCount; i < quantities.size(); ++i) {
    const Quantity& quantity = quantities[i];
    double value = 0;
    switch (quantity.kind) {
      case Kind::kElement:
        value = *quantity.elements->Of(data);
        break;
      case Kind::kCentreOfMass:
        value = CentreOfMass(model, data, quantity.axis);
        break;
      case Kind::kDrawn:
        continue;
      case Kind::kSumSquares: {
        const mjtNum* elements = quantity.elements->Of(data);
        const Interval clip = quantity.clip.value_or(Interval());
        for (int e = 0; e < quantity.elements->count; ++e) {
          const double clipped = std::clamp(elements[e], clip.low, clip.high);
          value += clipped * clipped;
        }
        break;
      }
      case Kind::kRate: {
        // Differentiate against the value after the last step. So positions that lag one substep
        // behind (xpos) are treated as in Gymnasium.
        const auto source = static_cast<std::size_t>(quantity.differentiated);
        value = first ? 0 : (values_[source] - before_[source]) / environment_.control_step();
        break;
      }
      case Kind::kExpression:
        value = formulas_[formula++].Evaluate();
        break;
    }
    values_[i] = value;
  }
}

bool Simulation::IsHealthy(const mjData* data) const {
  for (const HealthCheck& check : environment_.health()) {
    if (check.quantity >= 0) {
      if (!check.Holds(values_[static_cast<std::size_t>(check.quantity)])) return false;
      continue;
    }
    const mjtNum* values = check.elements->Of(data);
    for (int i = 0; i < check.elements->count; ++i) {
      if (!check.Holds(values[i])) return false;
    }
  }
  return true;
}

void Simulation::EvaluateObserved() {
  for (std::size_t i = 0; i < observed_.size(); ++i) observed_values_[i] = observed_[i].Evaluate();
}

bool Simulation::ObservationIsUsable(const mjData* data) const {
  bool usable = AllUsable(observed_values_.data(), static_cast<mjtSize>(observed_values_.size()));
  for (const ObservationSlice& slice : environment_.observation()) {
    if (slice.elements) usable &= AllUsable(slice.elements->Of(data), slice.elements->count);
  }
  return usable;
}

void Simulation::Observe(const mjData* data, double* observation) const {
  environment_.Observe(data, observed_values_.data(), observation);
  if (episode_seed_ == kNotRandomised) return;
  environment_.randomisation().AddNoise(episode_seed_, steps_, observation);
}

std::size_t Simulation::state_size() const {
  return values_.size() + last_control_.size() + (environment_.randomisation().active() ? 2 : 1);
}

void Simulation::SaveState(double* state) const {
  state = std::copy(values_.begin(), values_.end(), state);
  state = std::copy(last_control_.begin(), last_control_.end(), state);
  *state++ = steps_;
  if (environment_.randomisation().active()) *state = static_cast<double>(episode_seed_);
}

void Simulation::RestoreState(const double* state) {
  std::copy_n(state, values_.size(), values_.begin());
  state += values_.size();
  std::copy_n(state, last_control_.size(), last_control_.begin());
  state += last_control_.size();
  steps_ = static_cast<int>(*state++);
  if (environment_.randomisation().active()) Randomise(static_cast<std::uint64_t>(*state));
}

}  // namespace rhumb::sim
