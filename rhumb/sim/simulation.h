// One robot in one episode: the mutable state that is not in mjData.
//
//   Reset -> Step, Step, ... until the outcome has ended -> Reset
//
// As in MuJoCo, the constant model comes first, the mutable data second. A MuJoCo error leaves
// these functions by longjmp (mjb_apply), so they hold no object with a destructor.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rhumb/core/math/expression.h"
#include "rhumb/core/math/random.h"
#include "rhumb/sim/environment.h"

namespace rhumb::sim {

struct StepOutcome {
  bool terminated = false;        // the robot fell, or diverged
  bool truncated = false;         // the time limit was reached
  bool diverged = false;          // physics or an objective is not finite; discard the episode
  int non_finite_objective = -1;  // the objective that was not finite, if that was the cause

  bool ended() const { return terminated || truncated; }
};

// The state in which an episode starts. An empty array has the model's default.
struct StartState {
  std::span<const double> qpos, qvel;                                 // [nq], [nv]
  std::span<const double> act = {}, mocap_pos = {}, mocap_quat = {};  // [na], [nmocap, 3 and 4]
  // Of environment().drawn_names(); if empty, the means of their distributions.
  std::span<const double> drawn = {};
};

// Owned by one Batch; used by one thread at a time.
class Simulation {
 public:
  explicit Simulation(const Environment& environment);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Starts an episode as the spec's reset says, with all draws from `noise`.
  void Reset(const mjModel* model, mjData* data, core::Stream noise, double* observation);

  // Starts an episode at a given state. The model is not randomised.
  void Start(const mjModel* model, mjData* data, const StartState& start, double* observation);

  // Holds `control` [action_size], unclipped and in environment units, for one control step. Writes
  // the new observation [observation_size] and the rewards [objective_count]. A step that diverges
  // leaves `observation` unchanged and writes zero rewards, so all outputs are finite.
  // `substeps` may be null; otherwise it gets qpos after each physics step, [frame_skip, nq].
  StepOutcome Step(const mjModel* model, mjData* data, const double* control, double* observation,
                   double* rewards, double* substeps = nullptr);

  // The model of this simulation's episodes, null if they all use the environment's. It changes
  // when an episode begins.
  const mjModel* model() const { return own_model_.get(); }

  // Values of environment().quantities() after the last Reset or Step.
  std::span<const double> quantities() const { return values_; }

  // The state besides MuJoCo's integration state that a continuation needs.
  std::size_t state_size() const;
  void SaveState(double* state) const;
  void RestoreState(const double* state);

 private:
  struct ResetFormulas {
    std::vector<core::Expression> values;  // that the reset sets, in order
    std::optional<core::Expression> accept;
  };

  // Sets what is random in the episode besides its start.
  void Randomise(std::uint64_t seed);
  void DrawQuantities(const std::optional<core::Expression>& accept, core::Stream& noise);
  void BeginEpisode(const mjModel* model, mjData* data, double* observation);
  void ComputeQuantities(const mjModel* model, const mjData* data, bool first);
  bool IsHealthy(const mjData* data) const;
  void EvaluateObserved();  // the observed expressions
  bool ObservationIsUsable(const mjData* data) const;
  void Observe(const mjData* data, double* observation) const;

  const Environment& environment_;
  std::vector<double> values_;              // by quantity
  std::vector<double> before_;              // values_ one step ago
  std::vector<double> last_control_;        // [action_size]
  std::vector<core::Expression> formulas_;  // of quantities with Kind::kExpression, in order
  std::vector<core::Expression> objectives_;
  std::vector<core::Expression> observed_;  // observed expressions, in order
  std::vector<double> observed_values_;     // of `observed_`
  std::vector<ResetFormulas> resets_;       // of environment().resets()
  int steps_ = 0;
  std::uint64_t episode_seed_ = kNotRandomised;
  ModelPointer own_model_;
  DataPointer scratch_;  // of the own model
};

}  // namespace rhumb::sim
