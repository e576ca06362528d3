#include "rhumb/learn/ppo/ppo_learner.h"

#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/minimum.h>

#include <cmath>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/learn/device/clipped_adamw.h"
#include "rhumb/learn/device/initial_weights.h"

namespace rhumb::learn::ppo {
namespace {

// On a CPU the activations of a few hundred rows stay in the second-level cache. A GPU is fastest
// with all rows at once.
constexpr std::int64_t kCpuChunk = 512;

std::vector<int> NetworkSizes(const PpoConfig& config, int inputs, int outputs) {
  std::vector<int> sizes = {inputs};
  for (const double width : config.hidden) sizes.push_back(static_cast<int>(width));
  sizes.push_back(outputs);
  return sizes;
}

std::int64_t ParameterCount(const PpoConfig& config, const LearnerShape& shape) {
  return device::BatchedMlp::parameter_count(
             NetworkSizes(config, shape.observations, shape.actions)) +
         device::BatchedMlp::parameter_count(NetworkSizes(config, shape.observations, 1)) +
         shape.actions;
}

std::int64_t MinibatchRows(const PpoConfig& config) {
  if (config.batch_size() % config.minibatches != 0) {
    Fail("{} rows of experience (environments x steps) do not divide into {} minibatches",
         config.batch_size(), config.minibatches);
  }
  return config.batch_size() / config.minibatches;
}

// Largest divisor of `rows` that is at most `limit`.
std::int64_t ChunkOf(std::int64_t rows, std::int64_t limit) {
  std::int64_t chunk = std::min(rows, limit);
  while (rows % chunk != 0) --chunk;
  return chunk;
}

}  // namespace

PpoLearner::PpoLearner(const PpoConfig& config, const LearnerShape& shape, torch::Device device)
    : config_(config),
      shape_(shape),
      device_(device),
      chunk_(ChunkOf(MinibatchRows(config), device.is_cpu() ? kCpuChunk : config.batch_size())),
      parameters_(torch::zeros({shape.agents, ParameterCount(config, shape)}, device)),
      gradients_(torch::zeros_like(parameters_)),
      first_moment_(torch::zeros_like(parameters_)),
      second_moment_(torch::zeros_like(parameters_)),
      step_count_(torch::zeros({}, device)),
      // Fused Adam reads a double on a CPU, and a float on a GPU.
      learning_rate_(torch::full(
          {}, config.learning_rate,
          torch::TensorOptions(device).dtype(device.is_cpu() ? torch::kFloat64 : torch::kFloat32))),
      max_log_deviation_(torch::full({}, std::log(config.max_deviation), device)),
      policy_(NetworkSizes(config, shape.observations, shape.actions), config.activation,
              parameters_, gradients_, offset_),
      value_(NetworkSizes(config, shape.observations, 1), config.activation, parameters_,
             gradients_, offset_) {
  const std::int64_t agents = shape.agents, batch = config.batch_size();
  log_deviation_ = parameters_.narrow(1, offset_, shape.actions).view({agents, 1, shape.actions});
  log_deviation_gradient_ =
      gradients_.narrow(1, offset_, shape.actions).view({agents, 1, shape.actions});
  policy_.Reserve(chunk_);
  value_.Reserve(chunk_);
  const auto options = torch::TensorOptions(device);
  observations_ = torch::zeros({agents * batch, shape.observations}, options);
  actions_ = torch::zeros({agents * batch, shape.actions}, options);
  advantages_ = torch::zeros({agents * batch}, options);
  returns_ = torch::zeros({agents * batch}, options);
  old_log_probability_ = torch::zeros({agents * batch}, options);
  agent_offset_ = torch::arange(agents, options.dtype(torch::kInt64)).mul_(batch).unsqueeze(1);
  rows_ = torch::zeros({agents, MinibatchRows(config)}, options.dtype(torch::kInt64));
  losses_ = torch::zeros({2, agents}, options);
  loss_sums_ = torch::zeros({4, agents}, options);
}

void PpoLearner::Initialise(std::uint64_t seed, std::span<const int> agent_ids) {
  const torch::NoGradGuard no_grad;
  for (std::size_t a = 0; a < agent_ids.size(); ++a) {
    core::Stream noise(seed, core::Purpose::kInitialWeights, agent_ids[a]);
    const auto fill = [&](device::BatchedMlp& network, double last_gain) {
      for (std::size_t i = 0; i < network.layer_count(); ++i) {
        torch::Tensor weight = network.layer(i).weight[static_cast<std::int64_t>(a)];
        const double gain = i + 1 == network.layer_count() ? last_gain : std::sqrt(2.0);
        weight.copy_(device::Orthogonal(weight.size(0), weight.size(1), gain, noise));
        network.layer(i).bias[static_cast<std::int64_t>(a)].zero_();
      }
    };
    fill(policy_, 0.01);
    fill(value_, 1.0);
  }
  log_deviation_.fill_(std::log(config_.initial_deviation));
}

void PpoLearner::SetObservations(const torch::Tensor& normalised) {
  observations_.copy_(normalised.reshape(observations_.sizes()));
}

void PpoLearner::SetActions(const torch::Tensor& actions) {
  actions_.copy_(actions.reshape(actions_.sizes()));
}

// log N(a; mu, sigma) up to the constant, which cancels in every ratio:
//   sum_d -1/2 ((a_d - mu_d) / sigma_d)^2 - log sigma_d
torch::Tensor PpoLearner::LogProbability(const torch::Tensor& mean,
                                         const torch::Tensor& actions) const {
  const torch::Tensor z = (actions - mean) * (-log_deviation_).exp();
  return (z.square().mul_(-0.5) - log_deviation_).sum(-1);
}

torch::Tensor PpoLearner::Values() {
  const torch::NoGradGuard no_grad;
  const std::int64_t batch = config_.batch_size();
  const torch::Tensor observations = observations_.view({shape_.agents, batch, -1});
  const torch::Tensor actions = actions_.view({shape_.agents, batch, -1});
  torch::Tensor values = torch::empty({shape_.agents, batch}, observations_.options());
  torch::Tensor old = old_log_probability_.view({shape_.agents, batch});
  for (std::int64_t row = 0; row < batch; row += chunk_) {
    const torch::Tensor x = observations.narrow(1, row, chunk_);
    values.narrow(1, row, chunk_).copy_(value_.Forward(x).squeeze(-1));
    // Evaluates the acting policy with the arithmetic of the update, so the first ratio is exactly
    // 1.
    old.narrow(1, row, chunk_)
        .copy_(LogProbability(policy_.Forward(x), actions.narrow(1, row, chunk_)));
  }
  return values.cpu();
}

torch::Tensor PpoLearner::ValuesOf(const torch::Tensor& observations) {
  const torch::NoGradGuard no_grad;
  const std::int64_t count = observations.size(1);
  torch::Tensor values = torch::empty({shape_.agents, count}, observations_.options());
  torch::Tensor padded =
      torch::zeros({shape_.agents, chunk_, shape_.observations}, observations_.options());
  for (std::int64_t row = 0; row < count; row += chunk_) {
    const std::int64_t rows = std::min(chunk_, count - row);
    padded.narrow(1, 0, rows).copy_(observations.narrow(1, row, rows));
    values.narrow(1, row, rows).copy_(value_.Forward(padded).squeeze(-1).narrow(1, 0, rows));
  }
  return values.cpu();
}

void PpoLearner::SetTargets(const torch::Tensor& advantages, const torch::Tensor& returns) {
  advantages_.copy_(advantages.reshape({-1}));
  returns_.copy_(returns.reshape({-1}));
}

// Adds the gradients of some rows [A, C] of the minibatch:
//   L = 1/B sum_b [ -min(rho A, clip(rho, 1-e, 1+e) A) + c_v (V - R)^2 ] - c_e H
//   rho = pi / pi_old
void PpoLearner::AccumulateChunk(const torch::Tensor& rows, bool accumulate) {
  const std::int64_t agents = shape_.agents, count = rows.size(1);
  const double share = 1.0 / static_cast<double>(rows_.size(1));  // 1/B
  const torch::Tensor index = (rows + agent_offset_).view({-1});
  const auto pick = [&](const torch::Tensor& from) {
    torch::Tensor picked = from.index_select(0, index);
    return from.dim() == 1 ? picked.view({agents, count}) : picked.view({agents, count, -1});
  };
  const torch::Tensor x = pick(observations_);
  const torch::Tensor advantage = pick(advantages_);

  // Policy. If the clip is active the gradient is zero; otherwise dL/dlog pi = -rho A / B, and
  //   dlog pi/dmu = z / sigma,   dlog pi/dlog sigma = z^2 - 1   with z = (a - mu) / sigma.
  const torch::Tensor& mean = policy_.Forward(x);
  const torch::Tensor inverse_deviation = (-log_deviation_).exp();
  const torch::Tensor z = (pick(actions_) - mean) * inverse_deviation;
  const torch::Tensor log_probability = (z.square().mul_(-0.5) - log_deviation_).sum(-1);
  const torch::Tensor ratio = (log_probability - pick(old_log_probability_)).exp_();
  const torch::Tensor plain = ratio * advantage;
  const torch::Tensor clipped = ratio.clamp(1 - config_.clip, 1 + config_.clip) * advantage;
  const torch::Tensor by_log_probability =
      (plain.masked_fill(plain > clipped, 0) * -share).unsqueeze(-1);  // [A, C, 1]
  policy_.Backward(x, by_log_probability * z * inverse_deviation, accumulate);
  torch::Tensor by_log_deviation = (by_log_probability * (z.square() - 1)).sum(1, true);
  // H = sum_d log sigma_d + const, counted once per minibatch.
  if (!accumulate) by_log_deviation.sub_(config_.entropy_coefficient);
  if (accumulate) {
    log_deviation_gradient_.add_(by_log_deviation);
  } else {
    log_deviation_gradient_.copy_(by_log_deviation);
  }
  losses_[0].sub_(torch::minimum(plain, clipped).sum(1), share);

  const torch::Tensor error = value_.Forward(x).squeeze(-1) - pick(returns_);
  value_.Backward(x, (error * (2 * config_.value_coefficient * share)).unsqueeze(-1), accumulate);
  losses_[1].add_(error.square().sum(1), config_.value_coefficient * share);
}

void PpoLearner::Minibatch() {
  losses_.zero_();
  for (std::int64_t row = 0; row < rows_.size(1); row += chunk_) {
    AccumulateChunk(rows_.narrow(1, row, chunk_), row > 0);
  }
  // One norm per agent. A non-finite gradient is replaced by zero and counted as skipped.
  const torch::Tensor norm = gradients_.square().sum(1).sqrt_();  // [A]
  const torch::Tensor finite = norm.isfinite();
  const torch::Tensor scale = (config_.max_gradient_norm / (norm + 1e-6))
                                  .clamp_max_(1)
                                  .masked_fill_(finite.logical_not(), 0);
  gradients_.nan_to_num_(0, 0, 0).mul_(scale.unsqueeze(1));
  loss_sums_.narrow(0, 0, 2).add_(losses_.nan_to_num(0, 0, 0));
  loss_sums_[2].add_(norm.nan_to_num(0, 0, 0));
  loss_sums_[3].add_(finite.logical_not());
  step_count_.add_(1);
  at::_fused_adam_(parameters_, gradients_, first_moment_, second_moment_, {}, step_count_,
                   learning_rate_, 0.9, 0.999, 0.0, config_.adam_epsilon, false, false);
  log_deviation_.clamp_min_(std::log(config_.min_deviation));
  at::minimum_out(log_deviation_, log_deviation_, max_log_deviation_);
}

UpdateReport PpoLearner::Update(const torch::Tensor& permutations) {
  const torch::NoGradGuard no_grad;
  loss_sums_.zero_();
  const torch::Tensor orders = permutations.to(device_);
  if (!step_) step_ = device::MakeRepeatedStep(device_, [this] { Minibatch(); });
  for (int epoch = 0; epoch < config_.epochs; ++epoch) {
    for (int m = 0; m < config_.minibatches; ++m) {
      rows_.copy_(orders.select(1, epoch).narrow(1, m * rows_.size(1), rows_.size(1)));
      step_->Run();
    }
  }
  const torch::Tensor sums = (loss_sums_ / (config_.epochs * config_.minibatches)).cpu();
  return {device::FloatsOf(sums[0]), device::FloatsOf(sums[1]), device::FloatsOf(sums[2]),
          device::FloatsOf(sums[3])};
}

}  // namespace rhumb::learn::ppo
