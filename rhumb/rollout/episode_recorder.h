// Records whole episodes of one policy with sampled actions, in the form a dataset stores.
//
//   observation -> mean -> a = mean + deviation n -> clip, scale, round to float32 -> simulation
//
// Episode e of policy p starts from the noise keyed (seed, p, e) and draws n from (seed, p, e,
// step). The numbers therefore depend neither on threads nor on the batch size.
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

// Describes a dataset of recordings in `environment`.
data::DatasetDescription DescribeRecordings(const sim::Environment& environment);

struct RecorderOptions {
  std::uint64_t seed = 0;
  std::int64_t steps = 8000;   // steps to record, in whole episodes
  int min_episode_steps = 32;  // shorter episodes do not count as recorded
  int batch = 8;               // maximum number of episodes in lock step
};

struct RecordedPolicy {
  const net::GaussianPolicy& policy;
  int index;                        // p
  std::span<const double> weights;  // [K], of the scalar reward
};

// One worker's simulations, reused for every policy. Not thread-safe. The environment must outlive
// it.
class EpisodeRecorder {
 public:
  EpisodeRecorder(const sim::Environment& environment, const RecorderOptions& options);

  // Returns episodes 0, 1, 2, … until `steps` steps are recorded, including diverged and short
  // ones. Stops after 2 * steps in any case, so a policy whose episodes are all unusable
  // terminates. Calls `go_on` with the number of new steps every few steps. If it returns false,
  // recording stops and the result is empty. Throws an Error that names any non-finite objective.
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
