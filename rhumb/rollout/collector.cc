#include "rhumb/rollout/collector.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/work_folder.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/core/text.h"
#include "rhumb/data/dataset_writer.h"
#include "rhumb/population/population_reader.h"
#include "rhumb/rollout/episode_recorder.h"

namespace rhumb::rollout {
namespace {

using nlohmann::json;

// Passes episodes to the writer in index order, although workers hand them in in any order. All
// workers may call Hand concurrently.
class OrderedWriter {
 public:
  OrderedWriter(data::DatasetWriter& writer, std::size_t max_waiting)
      : writer_(writer), max_waiting_(max_waiting) {}

  // The worker that hands in the next index writes it and its successors. The others return to
  // work, unless too much is waiting.
  void Hand(std::int64_t index, std::vector<data::Episode> episodes) {
    std::unique_lock lock(mutex_);
    waiting_.emplace(index, std::move(episodes));
    while (!writing_ && !stopped_ && !waiting_.empty() && waiting_.begin()->first == next_) {
      const auto due = waiting_.extract(waiting_.begin());
      writing_ = true;
      lock.unlock();
      for (const data::Episode& episode : due.mapped()) writer_.Append(episode);
      lock.lock();
      writing_ = false;
      ++next_;
      changed_.notify_all();
    }
    changed_.wait(lock, [this] { return stopped_ || waiting_.size() <= max_waiting_; });
  }

  // After this call nothing more is written and no worker waits.
  void Stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  bool stopped() const { return stopped_; }

 private:
  data::DatasetWriter& writer_;
  const std::size_t max_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::int64_t, std::vector<data::Episode>> waiting_;
  std::int64_t next_ = 0;
  bool writing_ = false;  // by one worker, without the lock
  std::atomic<bool> stopped_{false};
};

// The location of a policy in the reader.
struct Checkpoint {
  std::size_t agent;  // position in the population
  int iteration;
};

class Collector {
 public:
  explicit Collector(const CollectRequest& request)
      : request_(request),
        config_(request.config),
        population_(request.population),
        environment_(population_.description().environment),
        description_(DescribeRecordings(environment_)) {
    CheckFits(population_.description());
    if (request.job.seed > std::numeric_limits<std::int64_t>::max()) {
      Fail("seed {} is above {}, the highest that a dataset can hold", request.job.seed,
           std::numeric_limits<std::int64_t>::max());
    }
  }

  core::Outcome Collect() {
    data::DatasetWriter writer(request_.out, description_,
                               {.min_episode_steps = config_.min_episode_steps});
    const std::vector<Checkpoint> checkpoints = AddPolicies(writer);
    data::SelectCheckpoints(config_.selection, writer.policies());
    if (RollOut(writer, checkpoints) == core::Outcome::kStopped) return core::Outcome::kStopped;
    data::SelectBehaviours(config_.selection, description_.time_limit, writer.policies());
    data::AssignSplits(config_.split, writer.policies());
    std::int64_t unusable = 0;
    for (const data::Policy& policy : writer.policies()) unusable += policy.unusable_episodes;
    if (unusable > 0) core::LogWarning("{} episodes diverged and were dropped", unusable);
    writer.Commit(Manifest());
    return core::Outcome::kDone;
  }

 private:
  // A description that contradicts its own environment is damaged.
  void CheckFits(const population::PopulationDescription& population) const {
    const std::vector<std::string> ours = core::NamesOf(description_.objectives);
    const std::vector<std::string> theirs = core::NamesOf(population.objectives);
    if (ours != theirs || population.observation_size != description_.observation_size ||
        population.action_size != description_.action_size) {
      Fail(
          "{} is damaged: it describes {} observations, {} actions and the objectives {}; its "
          "environment has {}, {} and {}",
          request_.population.string(), population.observation_size, population.action_size,
          fmt::join(theirs, ", "), description_.observation_size, description_.action_size,
          fmt::join(ours, ", "));
    }
  }

  // Indexed by policy.
  std::vector<Checkpoint> AddPolicies(data::DatasetWriter& writer) const {
    std::vector<Checkpoint> checkpoints;
    const std::vector<population::Agent>& all = population_.description().agents;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const int iteration : all[i].kept_iterations) {
        data::Policy policy;
        policy.file = all[i].file;
        policy.agent = all[i].id;
        policy.parent = all[i].parent;
        policy.iteration = iteration;
        policy.weights = all[i].weights;
        writer.AddPolicy(std::move(policy));
        checkpoints.push_back({i, iteration});
      }
    }
    return checkpoints;
  }

  core::Outcome RollOut(data::DatasetWriter& writer,
                        const std::vector<Checkpoint>& checkpoints) const {
    // A worker's state between policies. Consecutive policies mostly share an agent file.
    struct RecordingWorker {
      std::unique_ptr<EpisodeRecorder> recorder;
      std::shared_ptr<const net::SafetensorsFile> file;
    };
    std::vector<int> kept;
    for (std::size_t i = 0; i < checkpoints.size(); ++i) {
      if (writer.policies()[i].kept()) kept.push_back(static_cast<int>(i));
    }
    const auto count = static_cast<std::int64_t>(kept.size());
    const int threads = static_cast<int>(std::clamp<std::int64_t>(count, 1, request_.job.threads));
    core::ThreadPool pool(threads);
    std::vector<RecordingWorker> workers(static_cast<std::size_t>(threads));
    for (RecordingWorker& worker : workers) {
      worker.recorder = std::make_unique<EpisodeRecorder>(
          environment_, RecorderOptions{.seed = request_.job.seed,
                                        .steps = config_.steps_per_policy,
                                        .min_episode_steps = config_.min_episode_steps,
                                        .batch = config_.batch});
    }
    OrderedWriter ordered(writer, static_cast<std::size_t>(threads) / 2 + 1);
    core::Progress progress("collect", count * config_.steps_per_policy,
                            {.quiet = request_.job.quiet});

    pool.ParallelFor(count, [&](std::int64_t task, int worker_index) {
      if (ordered.stopped()) return;
      try {
        RecordingWorker& worker = workers[static_cast<std::size_t>(worker_index)];
        const int index = kept[static_cast<std::size_t>(task)];
        const Checkpoint& checkpoint = checkpoints[static_cast<std::size_t>(index)];
        const population::Agent& agent = population_.description().agents[checkpoint.agent];
        worker.file = population_.OpenAgent(checkpoint.agent);
        const net::GaussianPolicy policy =
            population_.ReadPolicy(*worker.file, checkpoint.iteration);
        std::int64_t left = config_.steps_per_policy;  // steps beyond these are not progress
        std::vector<data::Episode> episodes =
            worker.recorder->Record({policy, index, agent.weights}, [&](int steps) {
              const std::int64_t advance = std::min<std::int64_t>(steps, left);
              left -= advance;
              progress.Advance(advance);
              if (request_.job.should_stop()) ordered.Stop();
              return !ordered.stopped();
            });
        if (ordered.stopped()) return;
        progress.Advance(left);
        ordered.Hand(task, std::move(episodes));
      } catch (...) {
        ordered.Stop();
        throw;
      }
    });
    return ordered.stopped() ? core::Outcome::kStopped : core::Outcome::kDone;
  }

  json Manifest() const {
    return {{"environment", environment_.id()},
            {"rewards", environment_.rewards()},
            {"seed", request_.job.seed},
            {"config", core::ToJson(config_)},
            {"parents", {{"population", population_.artifact().hash()}}},
            {"versions", {{"mujoco", mj_versionString()}}},
            {"device", "cpu"},
            {"threads", request_.job.threads}};
  }

  const CollectRequest& request_;
  const CollectConfig& config_;
  population::PopulationReader population_;
  sim::Environment environment_;
  data::DatasetDescription description_;
};

}  // namespace

core::Outcome CollectDataset(const CollectRequest& request) {
  CollectRequest tidy = request;
  if (!tidy.out.has_filename()) tidy.out = tidy.out.parent_path();  // "OUT/" is OUT
  if (std::filesystem::exists(tidy.out)) {
    json config = core::ToJson(tidy.config);
    config.erase("batch");  // changes only the speed
    core::RequireSameRun(
        {{"parents", {{"population", core::Artifact::Open(tidy.population, "population").hash()}}},
         {"seed", tidy.job.seed},
         {"config", config}},
        core::Artifact::Open(tidy.out, "dataset").manifest(), tidy.out);
    core::LogInfo("'{}' is a finished dataset already; nothing to do", tidy.out.string());
    return core::Outcome::kDone;
  }
  return Collector(tidy).Collect();
}

}  // namespace rhumb::rollout
