// Agents that learn together in one batched network. Each has its own weights over the objectives,
// environments and normalisers.
//
//   Simulate: policy -> segment of experience        (simulation workers, no torch)
//   Learn:    segment -> advantages -> PPO update -> next policy
//
// On a CPU a cohort is one agent, and cohorts run in parallel. On a GPU it is half of the
// population, and one half simulates while the other learns.
#pragma once

#include <torch/types.h>

#include <memory>
#include <vector>

#include "rhumb/core/math/running_statistics.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/learn/ppo/advantage.h"
#include "rhumb/learn/ppo/ppo_learner.h"
#include "rhumb/net/gaussian_policy.h"
#include "rhumb/net/safetensors.h"
#include "rhumb/rollout/segment.h"

namespace rhumb::learn::ppo {

struct AgentSpec {
  int id = 0;                   // in the whole population; keys all random draws
  std::vector<double> weights;  // [K]
  int parent = -1;              // the agent it starts from; -1: from nothing
};

// One iteration of one agent, for curves and logs. Means are over the episodes that ended in it.
struct IterationRecord {
  std::int64_t iteration = 0;
  std::int64_t episodes = 0;
  double episode_length = 0;
  std::vector<double> returns;  // [K]; the last known values if no episode ended, so never NaN
  double policy_loss = 0, value_loss = 0, gradient_norm = 0, deviation = 0;
  std::int64_t skipped_minibatches = 0;
  std::int64_t diverged_episodes = 0;
};

struct CohortOptions {
  std::uint64_t seed = 0;
  // Its agents' parents have trained so long. Iterations count on from there.
  std::int64_t first_iteration = 0;
  std::int64_t last_iteration = 0;
  // The learning rate and the largest deviation fall between these iterations.
  std::int64_t schedule_from = 0, schedule_to = 0;
  int group_size = 16;  // environments per simulation task
};

class Cohort {
 public:
  Cohort(const sim::Environment& environment, const PpoConfig& config,
         std::vector<AgentSpec> agents, const CohortOptions& options, torch::Device device);

  // Simulates one segment for every agent, spread over the pool.
  void Simulate(core::ThreadPool& pool);

  // Learns from the segments of Simulate and completes the iteration.
  void Learn();

  std::int64_t first_iteration() const { return options_.first_iteration; }
  std::int64_t last_iteration() const { return options_.last_iteration; }
  // Of the coming update.
  double learning_rate() const;
  double max_deviation() const;
  std::int64_t iteration() const { return iteration_; }
  int agent_count() const { return static_cast<int>(agents_.size()); }
  const AgentSpec& agent(int index) const { return At(index).spec; }
  // The policy after the last completed iteration.
  const net::GaussianPolicy& policy(int index) const { return At(index).policy; }
  const std::vector<IterationRecord>& history(int index) const { return At(index).history; }

  // The whole training state of one agent. Restore checks that agent, environment and sizes match.
  // All agents of a cohort must be at the same iteration.
  void SaveState(int index, net::SafetensorsWriter& out) const;
  void RestoreState(int index, const net::SafetensorsFile& in);

  // Starts an agent from the networks, normaliser and reward scale in its parent's state.
  void Inherit(int index, const net::SafetensorsFile& parent);

 private:
  struct Agent {
    AgentSpec spec;
    std::unique_ptr<rollout::SegmentRunner> runner;
    std::unique_ptr<rollout::Segment> segment;
    core::RunningStatistics observations{0};
    std::unique_ptr<RewardScaler> scaler;
    net::GaussianPolicy policy;
    std::vector<IterationRecord> history;
    std::vector<float> rewards;          // [N], scalarised and scaled
    std::vector<std::uint8_t> ended;     // [N]
    std::vector<std::size_t> bootstrap;  // rows whose true last state needs a value
  };

  const Agent& At(int index) const { return agents_[static_cast<std::size_t>(index)]; }
  void PrepareRewards(Agent& agent);
  void EstimateTargets();
  double way() const;
  torch::Tensor DrawPermutations() const;
  void TakePolicy(std::size_t index);
  void RestoreKnowledge(int index, const net::SafetensorsFile& in);
  void RequireMetadata(const net::SafetensorsFile& in, const std::string& key,
                       const std::string& value) const;
  void Record(Agent& agent, const UpdateReport& report, std::size_t index);

  const sim::Environment& environment_;
  PpoConfig config_;
  CohortOptions options_;
  PpoLearner learner_;
  std::vector<Agent> agents_;
  std::int64_t iteration_;
};

}  // namespace rhumb::learn::ppo
