// The learning half of PPO for several agents at once: parameters, optimiser and minibatch step.
//
//   experience [A, N, …] -> minibatch -> networks -> clipped objective and value loss
//                        -> gradients -> clipped to a norm per agent -> Adam
//
// The agents share only the arithmetic: each row of every array is one agent. For a fixed batch
// size, an agent's result does not depend on the other agents in the batch.
#pragma once

#include <torch/types.h>

#include <cmath>
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

// Statistics of the last Update per agent, averaged over its minibatches.
struct UpdateReport {
  std::vector<float> policy_loss, value_loss, gradient_norm, skipped;  // [A]
};

class PpoLearner {
 public:
  PpoLearner(const PpoConfig& config, const LearnerShape& shape, torch::Device device);

  // Draws orthogonal weights with gain sqrt 2 in hidden layers, 0.01 in the policy's last layer and
  // 1 in the value's. Biases are zero. Agent a draws from (seed, agent_ids[a]).
  void Initialise(std::uint64_t seed, std::span<const int> agent_ids);

  // Experience of one iteration, [A, N, …] ordered by time, then environment, in host memory.
  void SetObservations(const torch::Tensor& normalised);  // [A, N, O]
  void SetActions(const torch::Tensor& actions);          // [A, N, D], as drawn

  // Values [A, N] of the observations from SetObservations, and values of other observations [A, M,
  // O]. Both return host tensors.
  torch::Tensor Values();
  torch::Tensor ValuesOf(const torch::Tensor& observations);

  // Normalised advantages and returns, both [A, N], in host memory.
  void SetTargets(const torch::Tensor& advantages, const torch::Tensor& returns);

  // Of the coming updates; the configuration's until then.
  void SetLearningRate(double rate) { learning_rate_.fill_(rate); }
  void SetMaxDeviation(double deviation) { max_log_deviation_.fill_(std::log(deviation)); }

  // Runs all epochs. permutations [A, epochs, N] holds a new order of the rows for every epoch.
  UpdateReport Update(const torch::Tensor& permutations);

  // These can be written to, as every torch::Tensor.
  const torch::Tensor& parameters() const { return parameters_; }  // [A, P]
  // [A, P], of the last minibatch, after clipping.
  const torch::Tensor& gradients() const { return gradients_; }
  const torch::Tensor& first_moment() const { return first_moment_; }
  const torch::Tensor& second_moment() const { return second_moment_; }
  const torch::Tensor& step_count() const { return step_count_; }  // a scalar, for all agents
  device::BatchedMlp& policy() { return policy_; }
  device::BatchedMlp& value() { return value_; }
  const torch::Tensor& log_deviation() const { return log_deviation_; }  // [A, 1, D]

 private:
  void Minibatch();
  void AccumulateChunk(const torch::Tensor& rows, bool accumulate);
  torch::Tensor LogProbability(const torch::Tensor& mean, const torch::Tensor& actions) const;

  PpoConfig config_;
  LearnerShape shape_;
  torch::Device device_;
  std::int64_t chunk_;  // rows per pass through the networks
  torch::Tensor parameters_, gradients_, first_moment_, second_moment_, step_count_;
  torch::Tensor learning_rate_, max_log_deviation_;  // scalars, which a recorded step reads anew
  std::int64_t offset_ = 0;
  device::BatchedMlp policy_, value_;
  torch::Tensor log_deviation_, log_deviation_gradient_;
  // Flattened over agents, [A * N, …], so that one index selects rows of all agents.
  torch::Tensor observations_, actions_, advantages_, returns_, old_log_probability_;
  torch::Tensor agent_offset_;  // [A, 1]: first row of each agent
  torch::Tensor rows_;          // [A, B]: the current minibatch
  torch::Tensor losses_;        // [2, A]: policy and value loss of the current minibatch
  torch::Tensor loss_sums_;     // [4, A]: policy, value, norm, skipped
  std::unique_ptr<device::RepeatedStep> step_;
};

}  // namespace rhumb::learn::ppo
