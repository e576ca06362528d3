#include "rhumb/sim/batch.h"

#include <algorithm>
#include <numeric>

#include "rhumb/core/error.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/sanitizer.h"

namespace rhumb::sim {

Batch::Batch(const Environment& environment, const BatchOptions& options)
    : environment_(environment), options_(options) {
  if (options.count < 1) Fail("a batch needs at least 1 simulation, not {}", options.count);
  if (options.threads < 1) Fail("a batch needs at least 1 thread, not {}", options.threads);

  // One mjData per simulation, because body positions, which lag one substep behind, are part of
  // the state.
  mjBatchConfig config;
  mjb_defaultConfig(&config);
  config.nthread = options.threads;
  config.persistent = 1;
  char message[1000] = "";
  batch_.reset(mjb_makeBatch(environment.model(), options.count, &config, message, sizeof message));
  if (!batch_) Fail("environment '{}' cannot be batched: {}", environment.id(), message);

  const auto count = static_cast<std::size_t>(options.count);
  for (std::size_t i = 0; i < count; ++i) {
    simulations_.push_back(std::make_unique<Simulation>(environment));
  }
  if (environment.randomisation().changes_model()) {
    for (const auto& simulation : simulations_) models_.push_back(simulation->model());
    mjb_setModels(batch_.get(), models_.data());
  }
  active_.resize(count);
  std::iota(active_.begin(), active_.end(), 0);
  episodes_.resize(count);
  outcomes_.resize(count);
  controls_.resize(count * static_cast<std::size_t>(environment.action_size()));
  observations_.resize(count * static_cast<std::size_t>(environment.observation_size()));
  final_observations_.resize(observations_.size());
  rewards_.resize(count * static_cast<std::size_t>(environment.objective_count()));
  quantities_.resize(count * environment.quantities().size());
  if (options.keep_substeps) {
    substeps_.resize(count * static_cast<std::size_t>(environment.spec().frame_skip) *
                     static_cast<std::size_t>(environment.model()->nq));
  }
}

std::span<double> Batch::RowOf(std::vector<double>& rows, int simulation) const {
  const std::size_t width = rows.size() / simulations_.size();
  return std::span(rows).subspan(static_cast<std::size_t>(simulation) * width, width);
}

std::span<const double> Batch::observation(int simulation) const {
  const auto width = static_cast<std::size_t>(environment_.observation_size());
  return observations().subspan(static_cast<std::size_t>(simulation) * width, width);
}

std::span<const double> Batch::StateOf(int simulation, int component) const {
  int size = 0;
  const double* first = mjb_stateComponent(batch_.get(), component, &size);
  const auto row =
      static_cast<std::size_t>(simulation) * static_cast<std::size_t>(mjb_nstate(batch_.get()));
  return {first + row, static_cast<std::size_t>(size)};
}

std::span<const double> Batch::substeps(int simulation) const {
  const std::size_t width = substeps_.size() / simulations_.size();
  return std::span(substeps_).subspan(static_cast<std::size_t>(simulation) * width, width);
}

std::span<double> Batch::applied_forces(int simulation) {
  const std::span<const double> forces = StateOf(simulation, mjSTATE_XFRC_APPLIED);
  return {mjb_state(batch_.get()) + (forces.data() - mjb_state(batch_.get())), forces.size()};
}

int Batch::Apply(std::span<const int> simulations, Task task) {
  struct Call {
    Batch* batch;
    const Task& task;
  } call = {this, task};
  const auto run = [](const mjModel* model, mjData* data, int index, void* user) {
    const Call& own = *static_cast<const Call*>(user);
    core::SeeFrom(own.batch);
    own.task(model, data, index);
    core::PublishTo(own.batch);
  };
  core::PublishTo(this);
  const int failed = mjb_apply(batch_.get(), simulations.data(),
                               static_cast<int>(simulations.size()), run, &call, /*save=*/1);
  core::SeeFrom(this);
  return failed;
}

void Batch::ApplyToOne(int simulation, Task task) {
  RHUMB_CHECK(simulation >= 0 && simulation < count(), "simulation {} of {}", simulation, count());
  outcomes_[static_cast<std::size_t>(simulation)] = {};
  if (Apply({&simulation, 1}, task) != 0) {
    Fail("environment '{}' cannot start in this state: {}", environment_.id(),
         mjb_error(batch_.get(), simulation));
  }
}

void Batch::SetActive(std::span<const int> simulations) {
  RHUMB_CHECK(!simulations.empty() && simulations.size() <= simulations_.size(),
              "{} active simulations of {}", simulations.size(), count());
  active_.assign(simulations.begin(), simulations.end());
}

void Batch::Reset() {
  active_.resize(simulations_.size());
  std::iota(active_.begin(), active_.end(), 0);
  std::fill(episodes_.begin(), episodes_.end(), 0);
  std::fill(outcomes_.begin(), outcomes_.end(), StepOutcome{});
  ResetAll(active_);
}

void Batch::ResetAll(std::span<const int> simulations) {
  Apply(simulations,
        [this](const mjModel* model, mjData* data, int index) { ResetOne(model, data, index); });
  for (const int index : simulations) {
    if (mjb_status(batch_.get())[index] != 0) {
      Fail("environment '{}' cannot be reset: {}", environment_.id(),
           mjb_error(batch_.get(), index));
    }
  }
}

void Batch::ResetOne(const mjModel* model, mjData* data, int index) {
  const auto i = static_cast<std::size_t>(index);
  const core::Stream noise(options_.seed, core::Purpose::kReset,
                           options_.first_unit + std::int64_t{index}, episodes_[i]);
  simulations_[i]->Reset(model, data, noise, RowOf(observations_, index).data());
}

void Batch::Start(int simulation, const StartState& start) {
  const mjModel* own = environment_.model();
  const auto check = [](const char* name, std::span<const double> numbers, mjtSize count,
                        bool required) {
    RHUMB_CHECK(static_cast<mjtSize>(numbers.size()) == count || (numbers.empty() && !required),
                "{} has {} numbers, not {}", name, numbers.size(), count);
  };
  check("qpos", start.qpos, own->nq, true);
  check("qvel", start.qvel, own->nv, true);
  check("act", start.act, own->na, false);
  check("mocap_pos", start.mocap_pos, 3 * own->nmocap, false);
  check("mocap_quat", start.mocap_quat, 4 * own->nmocap, false);
  check("drawn", start.drawn, static_cast<mjtSize>(environment_.drawn_names().size()), false);
  ApplyToOne(simulation, [&](const mjModel* model, mjData* data, int index) {
    simulations_[static_cast<std::size_t>(index)]->Start(model, data, start,
                                                         RowOf(observations_, index).data());
  });
}

std::vector<double> Batch::drawn(int simulation) const {
  std::vector<double> values;
  CopyDrawn(simulation, values);
  return values;
}

void Batch::CopyDrawn(int simulation, std::vector<double>& values) const {
  values.clear();
  const std::span<const double> all =
      simulations_[static_cast<std::size_t>(simulation)]->quantities();
  for (std::size_t i = kBuiltInCount; i < all.size(); ++i) {
    if (environment_.quantities()[i].kind == QuantitySpec::Kind::kDrawn) values.push_back(all[i]);
  }
}

void Batch::Start(int simulation, const core::Stream& noise) {
  ApplyToOne(simulation, [&](const mjModel* model, mjData* data, int index) {
    simulations_[static_cast<std::size_t>(index)]->Reset(model, data, noise,
                                                         RowOf(observations_, index).data());
  });
}

void Batch::Step(std::span<const double> actions) {
  RHUMB_CHECK(actions.size() == controls_.size(), "{} action numbers, {} needed", actions.size(),
              controls_.size());
  const std::span<const double> centre = environment_.action_centre();
  const std::span<const double> half_range = environment_.action_half_range();
  for (std::size_t i = 0; i < actions.size(); i += centre.size()) {
    for (std::size_t a = 0; a < centre.size(); ++a) {
      controls_[i + a] = centre[a] + half_range[a] * std::clamp(actions[i + a], -1.0, 1.0);
    }
  }
  StepActive();
}

void Batch::StepControls(std::span<const double> controls) {
  RHUMB_CHECK(controls.size() == controls_.size(), "{} control numbers, {} needed", controls.size(),
              controls_.size());
  std::copy(controls.begin(), controls.end(), controls_.begin());
  StepActive();
}

void Batch::StepActive() {
  Apply(active_,
        [this](const mjModel* model, mjData* data, int index) { StepOne(model, data, index); });
  AbandonFailed();
}

void Batch::StepOne(const mjModel* model, mjData* data, int index) {
  const auto i = static_cast<std::size_t>(index);
  Simulation& simulation = *simulations_[i];
  outcomes_[i] = simulation.Step(model, data, RowOf(controls_, index).data(),
                                 RowOf(observations_, index).data(), RowOf(rewards_, index).data(),
                                 substeps_.empty() ? nullptr : RowOf(substeps_, index).data());
  std::ranges::copy(simulation.quantities(), RowOf(quantities_, index).begin());
  if (outcomes_[i].ended() && options_.restart) {
    KeepFinalObservation(index);
    ResetOne(model, data, index);
  }
}

void Batch::KeepFinalObservation(int index) {
  std::ranges::copy(RowOf(observations_, index), RowOf(final_observations_, index).begin());
  ++episodes_[static_cast<std::size_t>(index)];
}

// A simulation in which MuJoCo raised an error keeps the state from before the step. Its episode
// counts as diverged, and the next one starts.
void Batch::AbandonFailed() {
  const int* status = mjb_status(batch_.get());
  for (const int index : active_) {
    if (status[index] == 0) continue;
    core::LogDebug("MuJoCo raised an error in simulation {}: {}", index,
                   mjb_error(batch_.get(), index));
    outcomes_[static_cast<std::size_t>(index)] = {.terminated = true, .diverged = true};
    std::ranges::fill(RowOf(rewards_, index), 0.0);
    if (!options_.restart) continue;
    KeepFinalObservation(index);
    ResetAll({&index, 1});
  }
}

std::size_t Batch::state_size() const {
  return static_cast<std::size_t>(mjb_nstate(batch_.get()) + environment_.observation_size()) +
         simulations_.front()->state_size() + 1;
}

// {MuJoCo's integration state, the Simulation's state, observation, episode}
void Batch::SaveState(int simulation, std::span<double> state) const {
  RHUMB_CHECK(state.size() == state_size(), "{} numbers, {} needed", state.size(), state_size());
  const auto i = static_cast<std::size_t>(simulation);
  const auto physics_size = static_cast<std::size_t>(mjb_nstate(batch_.get()));
  double* out = state.data();
  out = std::copy_n(mjb_state(batch_.get()) + i * physics_size, physics_size, out);
  simulations_[i]->SaveState(out);
  out += simulations_[i]->state_size();
  const std::span<const double> last = observation(simulation);
  out = std::copy(last.begin(), last.end(), out);
  *out = episodes_[i];
}

void Batch::RestoreState(int simulation, std::span<const double> state) {
  RHUMB_CHECK(state.size() == state_size(), "{} numbers, {} needed", state.size(), state_size());
  const auto i = static_cast<std::size_t>(simulation);
  const auto physics_size = static_cast<std::size_t>(mjb_nstate(batch_.get()));
  const double* in = state.data();
  std::copy_n(in, physics_size, mjb_state(batch_.get()) + i * physics_size);
  in += physics_size;
  simulations_[i]->RestoreState(in);
  in += simulations_[i]->state_size();
  const std::span<double> last = RowOf(observations_, simulation);
  std::copy_n(in, last.size(), last.begin());
  episodes_[i] = static_cast<std::uint32_t>(in[last.size()]);
  outcomes_[i] = {};
}

}  // namespace rhumb::sim
