// The learning half of PPO for several agents at once: parameters, optimiser, and the minibatch
// step.
//
//   experience [A, N, …] -> minibatch -> networks -> clipped objective and value loss
//                        -> gradients -> scaled to a norm per agent -> Adam
//
// The agents share nothing but the arithmetic: each row of every array is one agent, and what an
// agent learns does not depend on which others stand beside it in a batch of the same size.
#pragma once

#include <torch/torch.h>

#include <span>
#include <vector>

#include "rhumb/learn/device/batched_mlp.h"
#include "rhumb/learn/device/repeated_step.h"
#include "rhumb/learn/ppo/ppo_config.h"

namespace rhumb::learn::ppo {

struct LearnerShape {
  int agents = 1;
  int observations = 1;
  int actions = 1;
};

// What the last Update did, averaged over its minibatches, per agent.
struct UpdateReport {
  std::vector<float> policy_loss, value_loss, gradient_norm, skipped;  // [A]
};

class PpoLearner {
 public:
  PpoLearner(const PpoConfig& config, const LearnerShape& shape, torch::Device device);

  // Orthogonal weights (gain sqrt 2 in hidden layers, 0.01 for the policy's and 1 for the value's
  // last), zero biases; agent a draws from (seed, first_agent + a).
  void Initialise(std::uint64_t seed, std::span<const int> agent_ids);

  // Experience of one iteration, [A, N, …] in the order of time, then environment. Host memory.
  void SetObservations(const torch::Tensor& normalised);  // [A, N, O]
  void SetActions(const torch::Tensor& actions);          // [A, N, D], as drawn

  // Values of what SetObservations got, [A, N], and of other observations [A, M, O], on the host.
  torch::Tensor Values();
  torch::Tensor ValuesOf(const torch::Tensor& observations);

  // Normalised advantages and returns, both [A, N], host.
  void SetTargets(const torch::Tensor& advantages, const torch::Tensor& returns);

  // All epochs. permutations [A, epochs, N] holds a fresh order of the rows for every epoch.
  UpdateReport Update(const torch::Tensor& permutations);

  torch::Tensor& parameters() { return parameters_; }  // [A, P]
  const torch::Tensor& parameters() const { return parameters_; }
  // [A, P], of the last minibatch, scaled to their limit.
  const torch::Tensor& gradients() const { return gradients_; }
  torch::Tensor& first_moment() { return first_moment_; }
  const torch::Tensor& first_moment() const { return first_moment_; }
  torch::Tensor& second_moment() { return second_moment_; }
  const torch::Tensor& second_moment() const { return second_moment_; }
  torch::Tensor& step_count() { return step_count_; }  // a scalar, the same for all agents
  const torch::Tensor& step_count() const { return step_count_; }
  device::BatchedMlp& policy() { return policy_; }
  device::BatchedMlp& value() { return value_; }
  torch::Tensor& log_deviation() { return log_deviation_; }  // [A, 1, D]

 private:
  void Minibatch();
  void AccumulateChunk(const torch::Tensor& rows, bool accumulate);
  torch::Tensor LogProbability(const torch::Tensor& mean, const torch::Tensor& actions) const;

  PpoConfig config_;
  LearnerShape shape_;
  torch::Device device_;
  std::int64_t chunk_;  // rows that pass through the networks at once
  torch::Tensor parameters_, gradients_, first_moment_, second_moment_, step_count_;
  std::int64_t offset_ = 0;
  device::BatchedMlp policy_, value_;
  torch::Tensor log_deviation_, log_deviation_gradient_;
  // Flattened over agents, [A * N, …], so that one index picks rows of all agents.
  torch::Tensor observations_, actions_, advantages_, returns_, old_log_probability_;
  torch::Tensor agent_offset_;  // [A, 1]: where an agent's rows begin
  torch::Tensor rows_;          // [A, B]: the minibatch in work
  torch::Tensor losses_;        // [2, A]: policy, value of the minibatch in work
  torch::Tensor loss_sums_;     // [4, A]: policy, value, norm, skipped
  std::unique_ptr<device::RepeatedStep> step_;
};

}  // namespace rhumb::learn::ppo
