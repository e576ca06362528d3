// Steps many simulations of one environment together on MuJoCo's own thread pool (mjbatch.h).
//
//   actions [N, A] in [-1, 1] -> clip, scale -> physics -> observation, rewards, outcome
//                                                   -> if the episode ended: keep the true last
//                                                      observation, then start the next one
//
// Noise is keyed by (seed, unit, episode), so results do not depend on the number of threads.
// Nothing is allocated after construction.
#pragma once

#include <mujoco/mjbatch.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rhumb/core/function_ref.h"
#include "rhumb/sim/environment.h"
#include "rhumb/sim/simulation.h"

namespace rhumb::sim {

struct BatchOptions {
  int count = 1;    // simulations
  int threads = 1;  // including the caller's
  std::uint64_t seed = 0;
  std::uint32_t first_unit = 0;  // simulation i draws its noise as unit first_unit + i
  bool restart = true;           // start the next episode after one has ended
  bool keep_substeps = false;    // see Batch::substeps
};

// Used by one thread at a time. The environment must outlive it.
class Batch {
 public:
  Batch(const Environment& environment, const BatchOptions& options);

  // Starts episode 0 in all simulations.
  void Reset();

  // Starts an episode of one simulation at a given state of finite numbers. Nothing in it is
  // random, and the model is not randomised.
  void Start(int simulation, const StartState& start);
  void Start(int simulation, std::span<const double> qpos, std::span<const double> qvel) {
    Start(simulation, StartState{.qpos = qpos, .qvel = qvel});
  }
  // Starts as the spec's reset says, with all draws from `noise`.
  void Start(int simulation, const core::Stream& noise);

  // Selects the simulations, at least one, that the following steps advance. All are active at
  // first and after Reset. The rows of the others do not change.
  void SetActive(std::span<const int> simulations);

  // One control step of the active simulations. actions [N, A] in [-1, 1], clipped there.
  void Step(std::span<const double> actions);

  // Like Step, with unclipped controls in environment units.
  void StepControls(std::span<const double> controls);

  const Environment& environment() const { return environment_; }
  int count() const { return options_.count; }

  // Results of the last Reset or Step, one row per simulation. `observations` are for the next
  // action: after a restart, the first of the new episode.
  std::span<const double> observations() const { return observations_; }  // [N, O]
  std::span<const double> rewards() const { return rewards_; }            // [N, K]
  std::span<const StepOutcome> outcomes() const { return outcomes_; }     // [N]
  // The last observation of an episode that ended in this step; other rows are stale.
  std::span<const double> final_observations() const { return final_observations_; }  // [N, O]
  // Values of environment().quantities() in the last step, before any restart.
  std::span<const double> quantities() const { return quantities_; }  // [N, Q]

  std::span<const double> observation(int simulation) const;
  // The running episode's values of environment().drawn_names().
  std::vector<double> drawn(int simulation) const;
  // The same into `values`. Allocates nothing once that is large enough.
  void CopyDrawn(int simulation, std::vector<double>& values) const;
  // The current state; after a restart, the first of the new episode.
  std::span<const double> qpos(int simulation) const { return StateOf(simulation, mjSTATE_QPOS); }
  std::span<const double> qvel(int simulation) const { return StateOf(simulation, mjSTATE_QVEL); }
  std::span<const double> act(int simulation) const { return StateOf(simulation, mjSTATE_ACT); }
  // Mocap bodies: [nmocap, 3] and [nmocap, 4].
  std::span<const double> mocap_positions(int simulation) const {
    return StateOf(simulation, mjSTATE_MOCAP_POS);
  }
  std::span<const double> mocap_quaternions(int simulation) const {
    return StateOf(simulation, mjSTATE_MOCAP_QUAT);
  }

  // qpos after each physics step of the last control step, [frame_skip, nq], for smooth pictures;
  // empty unless kept. Stale after a restart and after divergence.
  std::span<const double> substeps(int simulation) const;
  // Forces (3) and torques (3) on each body in the world's frame, [nbody, 6], that the following
  // steps apply. An episode starts without any. A spec's own pushes replace those on their bodies.
  std::span<double> applied_forces(int simulation);

  // Everything that a bit-exact continuation needs, per simulation: [state_size].
  std::size_t state_size() const;
  void SaveState(int simulation, std::span<double> state) const;
  void RestoreState(int simulation, std::span<const double> state);

 private:
  // A MuJoCo error leaves a task by longjmp, so a task holds no object with a destructor.
  using Task = core::FunctionRef<void(const mjModel* model, mjData* data, int index)>;
  // Runs the task on these simulations in the pool. Returns the number of failures.
  int Apply(std::span<const int> simulations, Task task);
  void ApplyToOne(int simulation, Task task);
  void ResetAll(std::span<const int> simulations);
  void ResetOne(const mjModel* model, mjData* data, int index);
  void StepActive();
  void StepOne(const mjModel* model, mjData* data, int index);
  void KeepFinalObservation(int index);
  void AbandonFailed();
  std::span<const double> StateOf(int simulation, int component) const;
  // One row of an array with a row per simulation.
  std::span<double> RowOf(std::vector<double>& rows, int simulation) const;

  const Environment& environment_;
  BatchOptions options_;
  std::unique_ptr<mjBatch, MujocoDeleter<mjb_deleteBatch>> batch_;
  std::vector<std::unique_ptr<Simulation>> simulations_;
  std::vector<const mjModel*> models_;  // of the simulations, if they have their own
  std::vector<int> active_;
  std::vector<std::uint32_t> episodes_;
  std::vector<double> controls_, observations_, final_observations_, rewards_, quantities_;
  std::vector<double> substeps_;  // [N, frame_skip, nq] if kept
  std::vector<StepOutcome> outcomes_;
};

}  // namespace rhumb::sim
