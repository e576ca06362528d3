#include "rhumb/learn/representation/representation_trainer.h"

#include <torch/autograd.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/math/shuffle.h"
#include "rhumb/learn/representation/rank_contrast.h"
#include "rhumb/learn/representation/representation_losses.h"

namespace rhumb::learn::representation {
namespace {

constexpr std::uint32_t kStage = 0;  // of the noise; the DAgger rounds have other stages
// Number of values that a step adds to its epoch's record.
constexpr std::int64_t kStepNumbers = kEpochNumbers.size() - 2;

NoiseShape NoiseOf(const RepresentationConfig& config, const RepresentationNetwork& network,
                   std::int64_t contexts) {
  return {.contexts = contexts,
          .picks = config.context + config.queries,
          .code = config.code,
          .masks = network.encoder->mask_count(contexts, config.context)};
}

RepresentationNetwork MakeNetwork(const RepresentationConfig& config,
                                  const RepresentationShape& shape, torch::Device device,
                                  std::uint64_t seed) {
  RepresentationNetwork network(config, shape);
  network.Initialise(seed);
  network.to(device);
  return network;
}

}  // namespace

RepresentationTrainer::RepresentationTrainer(const RepresentationConfig& config,
                                             const RepresentationShape& shape,
                                             const TrainingSet& set, torch::Device device,
                                             std::uint64_t seed, const device::Ranks& ranks)
    : config_(config),
      set_(set),
      device_(device),
      seed_(seed),
      ranks_(ranks),
      batch_(std::min<std::int64_t>(config.batch, set.episode_count())),
      steps_per_epoch_(set.episode_count() / batch_),
      share_(ranks.ShareOf(2 * batch_)),
      network_(MakeNetwork(config, shape, device, seed)),
      reconstruction_(config, shape, network_.decoder),
      side_(device),
      optimiser_(network_.parameters(), config.weight_decay, config.max_gradient_norm),
      noise_(NoiseOf(config, network_, 2 * batch_), config.dropout, seed, kStage, device) {
  const torch::NoGradGuard no_grad;
  const std::int64_t steps = config.epochs * steps_per_epoch_;
  torch::Tensor schedule = torch::empty({2, steps});
  float* rates = schedule.data_ptr<float>();
  float* betas = rates + steps;
  for (std::int64_t step = 0; step < steps; ++step) {
    const double progress = static_cast<double>(step) / static_cast<double>(steps);
    const double falling = 0.5 * (1 + std::cos(std::numbers::pi * progress));
    rates[step] = static_cast<float>(config.final_learning_rate +
                                     falling * (config.learning_rate - config.final_learning_rate));
    const double epochs =
        static_cast<double>(step / steps_per_epoch_) / std::max(1, config.epochs - 1);
    betas[step] =
        static_cast<float>(config.beta_start + (config.beta_end - config.beta_start) * epochs);
  }
  const auto integers = torch::TensorOptions().dtype(torch::kInt64).device(device);
  schedule_ = schedule.to(device);
  position_ = torch::zeros({1}, integers);
  order_ = torch::zeros({steps_per_epoch_ * batch_}, integers);
  within_ = torch::arange(batch_, integers);
  sums_ = torch::zeros({kStepNumbers}, device);
  repeated_ = device::MakeRepeatedStep(device, [this] { ComputeStep(); });
}

void RepresentationTrainer::ShuffleEpisodes() {
  std::vector<std::int64_t> order(static_cast<std::size_t>(set_.episode_count()));
  std::iota(order.begin(), order.end(), 0);
  core::Stream noise(seed_, core::Purpose::kRepresentation, core::stream_key::kEpisodeOrder,
                     epoch());
  core::Shuffle(std::span(order), noise);
  order.resize(static_cast<std::size_t>(order_.size(0)));
  order_.copy_(torch::tensor(order, torch::kInt64));
}

void RepresentationTrainer::ComputeStep() {
  noise_.Draw(step_);
  const torch::Tensor now = schedule_.index_select(1, position_);  // [2, 1]
  const torch::Tensor first = position_.remainder(steps_per_epoch_).mul_(batch_);
  const torch::Tensor episodes = order_.index_select(0, first + within_)
                                     .unsqueeze(1)
                                     .expand({batch_, 2})
                                     .reshape({2 * batch_});  // two views of each episode, adjacent
  const torch::Tensor rows = set_.episodes.Pick(share_.Of(episodes), share_.Of(noise_.picks()));
  const torch::Tensor tokens = set_.Tokens(rows.narrow(1, 0, config_.context));

  optimiser_.ClearGradients();
  // Work that needs no code runs in parallel with the encoder.
  const torch::Tensor queries = rows.narrow(1, config_.context, config_.queries);
  const bool ranks = config_.contrast_weight() > 0 && !config_.uses_infonce();
  LabelRanking ranking;
  side_.Begin([&] {
    reconstruction_.Begin(set_.targets, queries);
    if (ranks) ranking = RankLabels(set_.labels.index_select(0, episodes).t().contiguous());
  });
  const Gaussian posterior =
      network_.encoder->forward(tokens, DropoutMasks(noise_.masks(), config_.dropout, ranks_));
  const torch::Tensor deviation = posterior.log_deviation.exp();
  const torch::Tensor code = config_.is_deterministic()
                                 ? posterior.mean
                                 : posterior.mean + deviation * share_.Of(noise_.normals());

  // The decoder backpropagates to the code by itself; from there both parts share one backward
  // pass.
  side_.Join();
  const torch::Tensor fixed_code = code.detach();
  torch::Tensor code_gradient;
  side_.Begin([&] { code_gradient = reconstruction_.RunToCode(fixed_code, share_.weight); });

  torch::Tensor loss = torch::zeros({}, code.options());
  torch::Tensor contrast = loss, posterior_kl = loss;
  if (config_.contrast_weight() > 0) {
    // The contrast compares all contexts; the gradient goes to this rank's.
    const torch::Tensor z = ranks_.GatherRows(network_.projections->forward(code));
    contrast = ranks ? RankContrast(z, ranking, config_.temperature)
                     : InfoNce(z, config_.infonce_temperature);
    loss = loss + config_.contrast_weight() * contrast;
  }
  if (!config_.is_deterministic()) {
    posterior_kl = PosteriorKl(posterior.mean, posterior.log_deviation);
    loss = loss + share_.weight * now[1][0] * posterior_kl;
  }
  const torch::Tensor orthonormality = Orthonormality(
      network_.projections->weights(), config_.orthonormality == EntryReduction::kMean);
  if (config_.orthonormality_weight() > 0) {
    loss = loss + share_.weight * config_.orthonormality_weight() * orthonormality;
  }
  side_.Join();
  // The gradients of the decoder's weights and the record run in parallel with the encoder's
  // backward pass.
  torch::Tensor record;
  side_.Begin([&] {
    const torch::Tensor reconstruction = reconstruction_.AddGradients();
    const torch::NoGradGuard no_grad;
    record = torch::stack({reconstruction, posterior_kl, contrast, orthonormality,
                           posterior.mean.norm(2, 1).mean(), deviation.mean()})
                 .mul_(share_.weight);
  });
  std::vector<torch::Tensor> ends = {code}, gradients = {code_gradient};
  if (loss.requires_grad()) {
    ends.push_back(loss);
    gradients.push_back(torch::ones({}, code.options()));
  }
  torch::autograd::backward(ends, gradients);
  side_.Join();
  std::vector<torch::Tensor> summed = optimiser_.gradients();
  summed.push_back(record);
  ranks_.Sum(summed);
  optimiser_.Step(now[0][0]);

  const torch::NoGradGuard no_grad;
  position_.add_(1);
  sums_.add_(torch::cat({record.narrow(0, 0, 4), optimiser_.gradient_norm().view({1}),
                         record.narrow(0, 4, 2)})
                 .nan_to_num_(0, 0, 0));
}

void RepresentationTrainer::Step() {
  repeated_->Run();
  ++step_;
}

void RepresentationTrainer::RunEpoch() {
  RHUMB_CHECK(epoch() < config_.epochs, "epoch {} of {}", epoch(), config_.epochs);
  ShuffleEpisodes();
  noise_.Reseed(epoch());
  sums_.zero_();
  for (std::int64_t i = 0; i < steps_per_epoch_; ++i) Step();
  const torch::Tensor means =
      (sums_ / static_cast<double>(steps_per_epoch_)).to(torch::kCPU, torch::kFloat64);
  EpochRecord record;
  record.epoch = static_cast<double>(epoch() + 1);
  for (std::int64_t i = 0; i < kStepNumbers; ++i) {
    record.*kEpochNumbers[static_cast<std::size_t>(1 + i)].value = means[i].item<double>();
  }
  record.skipped_steps = optimiser_.skipped().item<double>();
  history_.push_back(record);
}

void RepresentationTrainer::SaveState(net::SafetensorsWriter& out) const {
  optimiser_.Save(out, network_.named_parameters().keys());
  std::vector<double> numbers;
  for (const EpochRecord& record : history_) {
    for (const EpochNumber& number : kEpochNumbers) numbers.push_back(record.*number.value);
  }
  out.Add("history", {epoch(), static_cast<std::int64_t>(kEpochNumbers.size())},
          std::span<const double>(numbers));
}

void RepresentationTrainer::RestoreState(const net::SafetensorsFile& in) {
  optimiser_.Restore(in, network_.named_parameters().keys());
  const std::vector<double> numbers = in.Doubles("history");
  if (numbers.size() % kEpochNumbers.size() != 0) Fail("{}: 'history' is damaged", in.place());
  history_.resize(numbers.size() / kEpochNumbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto value = kEpochNumbers[i % kEpochNumbers.size()].value;
    history_[i / kEpochNumbers.size()].*value = numbers[i];
  }
  step_ = epoch() * steps_per_epoch_;
  position_.fill_(step_);
}

}  // namespace rhumb::learn::representation
