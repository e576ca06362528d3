// Whole episodes of one policy with sampled actions, recorded as a dataset keeps them.
//
//   observation -> mean -> a = mean + deviation n -> clip, scale, round to float32 -> simulation
//
// Episode e of policy p starts from the noise keyed (seed, p, e) and draws n from (seed, p, e,
// step), so neither threads nor how many episodes run at once change a number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/core/function_ref.h"
#include "rhumb/data/dataset_index.h"
#include "rhumb/data/episode.h"
#include "rhumb/net/gaussian_policy.h"
#include "rhumb/sim/batch.h"

namespace rhumb::rollout {

// What a dataset of recordings in `environment` holds.
data::DatasetDescription DescribeRecordings(const sim::Environment& environment);

struct RecorderOptions {
  std::uint64_t seed = 0;
  std::int64_t steps = 8000;   // to record, in whole episodes
  int min_episode_steps = 32;  // shorter ones do not count as recorded
  int batch = 8;               // episodes in lock step, at most
};

struct RecordedPolicy {
  const net::GaussianPolicy& policy;
  int index;                        // p
  std::span<const double> weights;  // [K], of the scalar reward
};

// One worker's simulations, used again for every policy. One thread at a time; the environment
// outlives it.
class EpisodeRecorder {
 public:
  EpisodeRecorder(const sim::Environment& environment, const RecorderOptions& options);

  // Episodes 0, 1, 2, ... up to the one with which `steps` are recorded; those that diverged or are
  // too short are among them. So that a policy that gives nothing else ends too, twice `steps` in
  // all is the end. `go_on` is told of every few steps as they are made; when it returns false, the
  // recording ends and nothing is returned. A non-finite objective is an Error that names it.
  std::vector<data::Episode> Record(const RecordedPolicy& recorded,
                                    core::FunctionRef<bool(int steps)> go_on);

 private:
  struct Run;
  void StartEpisode(Run& run, int simulation);
  void Act(Run& run);
  void Observe(Run& run);
  bool Counts(const data::Episode& episode) const;

  const sim::Environment& environment_;
  RecorderOptions options_;
  sim::Batch batch_;
  std::vector<double> controls_;      // [N, A]
  std::vector<double> observations_;  // [active, O]
  std::vector<float> means_;          // [active, A]
};

}  // namespace rhumb::rollout
