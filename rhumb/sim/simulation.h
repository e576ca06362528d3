// One robot in one episode: everything that changes from step to step and is not in mjData.
//
//   Reset -> Step, Step, ... until the outcome has ended -> Reset
//
// MuJoCo's habit: the constant model first, the mutable data second. The functions that run physics
// hold no object with a destructor, because a MuJoCo error leaves them by longjmp (mjb_apply).
#pragma once

#include <span>
#include <vector>

#include "rhumb/core/expression.h"
#include "rhumb/core/random.h"
#include "rhumb/sim/environment.h"

namespace rhumb::sim {

struct StepOutcome {
  bool terminated = false;  // the robot fell, or diverged
  bool truncated = false;   // the time limit was reached
  bool diverged = false;  // the physics or an objective gave no finite number; discard the episode
  int non_finite_objective = -1;  // which objective, where that was the cause

  bool ended() const { return terminated || truncated; }
};

// Owned by one Batch; used by one thread at a time.
class Simulation {
 public:
  explicit Simulation(const Environment& environment);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Starts an episode at the model's default state plus the spec's noise, drawn from `noise`.
  void Reset(const mjModel* model, mjData* data, core::Stream noise, double* observation);

  // Starts an episode at a given state: qpos [nq], qvel [nv].
  void Start(const mjModel* model, mjData* data, const double* qpos, const double* qvel,
             double* observation);

  // Holds `control` [action_size], in the environment's units and unclipped, for one control step.
  // Writes the new observation [observation_size] and the rewards [objective_count]. A step that
  // diverges leaves `observation` as it was and writes zero rewards: no non-finite number comes
  // out.
  StepOutcome Step(const mjModel* model, mjData* data, const double* control, double* observation,
                   double* rewards);

  // Values of environment().quantities() after the last Reset or Step.
  std::span<const double> quantities() const { return values_; }
  int steps() const { return steps_; }

  // What besides MuJoCo's integration state a continuation needs, as numbers.
  std::size_t state_size() const { return values_.size() + last_control_.size() + 1; }
  void SaveState(double* state) const;
  void RestoreState(const double* state);

 private:
  void BeginEpisode(const mjModel* model, mjData* data, double* observation);
  void ComputeQuantities(const mjModel* model, const mjData* data, bool first);
  bool IsHealthy(const mjData* data) const;

  const Environment& environment_;
  std::vector<double> values_;              // by quantity
  std::vector<double> before_;              // the same, one step ago
  std::vector<double> last_control_;        // [action_size]
  std::vector<core::Expression> formulas_;  // of the quantities that are formulas, in order
  std::vector<core::Expression> objectives_;
  int steps_ = 0;
};

}  // namespace rhumb::sim
