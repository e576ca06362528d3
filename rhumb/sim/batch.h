// Many simulations of one environment, stepped together on MuJoCo's own thread pool (mjbatch.h).
//
//   actions [N, A] in [-1, 1] -> clip, scale -> physics -> observation, rewards, outcome
//                                                   -> where the episode ended: keep the true last
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

#include "rhumb/sim/environment.h"
#include "rhumb/sim/simulation.h"

namespace rhumb::sim {

struct BatchOptions {
  int count = 1;    // simulations
  int threads = 1;  // including the caller's
  std::uint64_t seed = 0;
  std::uint32_t first_unit = 0;  // simulation i draws its noise as unit first_unit + i
  bool restart = true;           // start the next episode when one has ended
};

// Used by one thread at a time; the environment outlives it.
class Batch {
 public:
  Batch(const Environment& environment, const BatchOptions& options);

  // Starts episode 0 everywhere.
  void Reset();

  // Starts an episode of one simulation at a given state: qpos [nq], qvel [nv], finite.
  void Start(int simulation, std::span<const double> qpos, std::span<const double> qvel);
  // The same at the model's default state plus the spec's noise, drawn from `noise`.
  void Start(int simulation, const core::Stream& noise);

  // Which simulations take part in the steps that follow, one at least; after Reset, as at first,
  // all do. The rows of the others stay as they are.
  void SetActive(std::span<const int> simulations);

  // One control step of the active simulations. actions [N, A] in [-1, 1], clipped there.
  void Step(std::span<const double> actions);

  // The same with controls in the environment's units, unclipped.
  void StepControls(std::span<const double> controls);

  const Environment& environment() const { return environment_; }
  int count() const { return options_.count; }

  // After Reset or Step, rows by simulation. `observations` is what to act on next: where an
  // episode has just ended and the next one started, its first observation.
  std::span<const double> observations() const { return observations_; }  // [N, O]
  std::span<const double> rewards() const { return rewards_; }            // [N, K]
  std::span<const StepOutcome> outcomes() const { return outcomes_; }     // [N]
  // The last observation of the episode that ended in this step; other rows are stale.
  std::span<const double> final_observations() const { return final_observations_; }  // [N, O]
  // Values of environment().quantities() in the step just made (before any restart).
  std::span<const double> quantities() const { return quantities_; }  // [N, Q]

  std::span<const double> observation(int simulation) const;
  // The state it is in: the next episode's first where one has ended and restarted.
  std::span<const double> qpos(int simulation) const { return StateOf(simulation, mjSTATE_QPOS); }
  std::span<const double> qvel(int simulation) const { return StateOf(simulation, mjSTATE_QVEL); }
  const Simulation& simulation(int index) const {
    return *simulations_[static_cast<std::size_t>(index)];
  }
  std::uint32_t episode(int simulation) const {
    return episodes_[static_cast<std::size_t>(simulation)];
  }

  // Episodes that diverged since construction; they are marked in the outcomes as well.
  std::int64_t diverged_count() const { return diverged_count_; }

  // Everything that a bit-exact continuation needs, per simulation: [state_size].
  std::size_t state_size() const;
  void SaveState(int simulation, std::span<double> state) const;
  void RestoreState(int simulation, std::span<const double> state);

  // Copies one simulation's whole mjData, for rendering.
  void CopyData(int simulation, mjData* data) const;

 private:
  struct BatchDeleter {
    void operator()(mjBatch* batch) const { mjb_deleteBatch(batch); }
  };

  static void ResetOne(const mjModel* model, mjData* data, int index, void* self);
  static void StartOne(const mjModel* model, mjData* data, int index, void* self);
  static void StartFromNoiseOne(const mjModel* model, mjData* data, int index, void* self);
  static void StepOne(const mjModel* model, mjData* data, int index, void* self);
  // Runs `function` on these simulations, on the pool; returns how many failed.
  int Apply(mjfBatchFunc function, std::span<const int> simulations);
  void ApplyToOne(int simulation, mjfBatchFunc function);
  void AbandonFailed();
  std::span<const double> StateOf(int simulation, int component) const;
  double* Row(std::vector<double>& rows, int index, std::size_t width) const;

  const Environment& environment_;
  BatchOptions options_;
  std::unique_ptr<mjBatch, BatchDeleter> batch_;
  std::vector<std::unique_ptr<Simulation>> simulations_;
  std::vector<int> active_;
  std::vector<std::uint32_t> episodes_;
  std::vector<double> controls_, observations_, final_observations_, rewards_, quantities_;
  std::vector<StepOutcome> outcomes_;
  std::span<const double> start_qpos_, start_qvel_;  // arguments of Start while it runs
  const core::Stream* start_noise_ = nullptr;
  std::int64_t diverged_count_ = 0;
};

}  // namespace rhumb::sim
