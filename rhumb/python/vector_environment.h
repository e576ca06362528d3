// Many copies of one environment behind Gymnasium's vector interface: seeds, resets and autoreset
// on top of sim::Batch.
//
//   actions [N, A], environment units -> Batch -> observations [N, O], rewards [N, K], outcomes [N]
//                                          └─ ended: reset in the same step, in the next, or never
//
// Environment i starts its episode e from the noise keyed (seeds[i], e), so row i of a batch equals
// a single environment with the same seed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rhumb/core/names.h"
#include "rhumb/sim/batch.h"
#include "rhumb/sim/environment.h"

namespace rhumb::python {

enum class Autoreset { kNextStep, kSameStep, kDisabled };
inline const core::Names<Autoreset> kAutoresetNames = {{Autoreset::kNextStep, "next_step"},
                                                       {Autoreset::kSameStep, "same_step"},
                                                       {Autoreset::kDisabled, "disabled"}};

// One thread at a time.
class VectorEnvironment {
 public:
  VectorEnvironment(std::shared_ptr<const sim::Environment> environment, int count, int threads,
                    Autoreset autoreset);

  // Gives environment i a seed; its episodes count from 0 again.
  void Seed(int index, std::uint64_t seed);
  // Starts the next episode of one environment.
  void Reset(int index);
  // Starts an episode at a given state: qpos [nq], qvel [nv], finite.
  void SetState(int index, std::span<const double> qpos, std::span<const double> qvel);

  // One step. Throws Error if an environment was never reset, or has ended and is not reset
  // automatically. An environment that ended in the step before is reset instead, with zero
  // rewards, if autoreset is kNextStep.
  void Step(std::span<const double> actions);

  int count() const { return batch_.count(); }
  const sim::Environment& environment() const { return *environment_; }
  const sim::Batch& batch() const { return batch_; }
  Autoreset autoreset() const { return autoreset_; }
  // Of the last step: [N, K]; [N].
  std::span<const float> rewards() const { return rewards_; }
  std::span<const sim::StepOutcome> outcomes() const { return outcomes_; }
  bool any_ended() const { return any_ended_; }
  // Rows of environments that ended in the last step, before they were reset: [N, O].
  std::span<const double> final_observations() const { return final_observations_; }

 private:
  enum class Phase : std::uint8_t { kNew, kRunning, kEnded };

  std::shared_ptr<const sim::Environment> environment_;
  Autoreset autoreset_;
  sim::Batch batch_;
  std::vector<std::uint64_t> seeds_;
  std::vector<std::int64_t> next_episodes_;
  std::vector<Phase> phases_;
  std::vector<int> active_;
  std::vector<float> rewards_;
  std::vector<sim::StepOutcome> outcomes_;
  std::vector<double> final_observations_;
  bool any_ended_ = false;
};

}  // namespace rhumb::python
