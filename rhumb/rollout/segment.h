// A segment of one agent's experience: its policy acts for T steps in E environments, which
// continue from the end of the last segment.
//
// Inference runs next to the simulation. A worker takes a group of an agent's environments and runs
// the whole segment, without a barrier per step or a transfer to an accelerator.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rhumb/net/gaussian_policy.h"
#include "rhumb/sim/batch.h"

namespace rhumb::rollout {

// Float32 rows by time, then environment. Owned by the caller and filled by SegmentRunner.
struct Segment {
  Segment(int step_count, int environment_count, const sim::Environment& environment);

  int steps, environments;
  int observation_size, action_size, objective_count;
  std::vector<float> observations;        // [T, E, O], raw
  std::vector<float> actions;             // [T, E, A], as drawn, not clipped
  std::vector<float> rewards;             // [T, E, K]
  std::vector<float> final_observations;  // [T, E, O]; valid only in rows where an episode ended
  std::vector<float> last_observations;   // [E, O]: observations for the next action
  std::vector<std::uint8_t> terminated, truncated;  // [T, E]
};

// Statistics of the episodes that ended in a segment.
struct EpisodeSummary {
  std::int64_t count = 0;  // episodes that did not diverge
  std::int64_t diverged = 0;
  std::int64_t episode_steps = 0;  // of the `count` episodes
  std::vector<double> return_sum;  // [K], of the `count` episodes

  void Add(const EpisodeSummary& other);
};

// The environments of one agent, in groups. Run may be called concurrently for different groups.
class SegmentRunner {
 public:
  struct Options {
    int environments = 16;
    int group_size = 16;  // environments per Run; divides `environments`
    std::uint64_t seed = 0;
    std::uint32_t first_unit = 0;  // environment e uses random unit first_unit + e
  };

  SegmentRunner(const sim::Environment& environment, const Options& options);

  int group_count() const { return static_cast<int>(groups_.size()); }

  // Steps group `group` through the whole segment and fills its columns. Throws an Error that names
  // any non-finite objective.
  void Run(int group, const net::GaussianPolicy& policy, Segment& segment);

  // Sums over all groups, each for its last Run.
  EpisodeSummary summary() const;

  // The complete state for a bit-exact continuation: [environments, state_size].
  std::size_t state_size() const;
  void SaveState(std::span<double> state) const;
  void RestoreState(std::span<const double> state);

 private:
  struct Group {
    std::unique_ptr<sim::Batch> batch;
    std::vector<double> actions;              // [G, A], passed to the simulation
    std::vector<float> means;                 // [G, A]
    std::vector<double> episode_return;       // [G, K], so far
    std::vector<std::int64_t> steps;          // [G], since the run began; the noise counter
    std::vector<std::int64_t> episode_begin;  // [G], value of `steps` when the episode began
    EpisodeSummary summary;
  };

  const sim::Environment& environment_;
  Options options_;
  std::vector<Group> groups_;
};

}  // namespace rhumb::rollout
