// Phase 1 of the paper's algorithm: trains encoder, decoder and projections together.
//
//   batch of episodes -> two contexts of each -> posterior -> code h -> projections z
//     loss = reconstruction + beta KL(posterior) + mean_k (alpha RNC(z_k) + zeta |U U^T - I|^2)
//   -> gradients -> clipped -> AdamW
//
// On CUDA one graph holds a whole step, from drawing the contexts to AdamW, and the data never
// leave the device.
#pragma once

#include <torch/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "rhumb/learn/device/clipped_adamw.h"
#include "rhumb/learn/device/overlapped_work.h"
#include "rhumb/learn/device/ranks.h"
#include "rhumb/learn/device/repeated_step.h"
#include "rhumb/learn/representation/reconstruction.h"
#include "rhumb/learn/representation/representation_config.h"
#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/learn/representation/step_noise.h"
#include "rhumb/learn/representation/training_set.h"

namespace rhumb::learn::representation {

// Means over the steps of an epoch.
struct EpochRecord {
  double epoch = 0;  // from 1
  double reconstruction = 0;
  double posterior_kl = 0;
  double contrast = 0;
  double orthonormality = 0;
  double gradient_norm = 0;
  double code_norm = 0;       // of the posterior means
  double code_deviation = 0;  // standard deviation of the posteriors
  double skipped_steps = 0;   // total since the start
};

// The fields of a record in the order of the state file, with their TensorBoard names. All but the
// first and the last are means, which the steps sum in this order.
struct EpochNumber {
  double EpochRecord::*value;
  std::string_view tag;
};
inline constexpr std::array<EpochNumber, 9> kEpochNumbers = {{
    {&EpochRecord::epoch, ""},
    {&EpochRecord::reconstruction, "loss/reconstruction"},
    {&EpochRecord::posterior_kl, "loss/posterior_kl"},
    {&EpochRecord::contrast, "loss/contrast"},
    {&EpochRecord::orthonormality, "loss/orthonormality"},
    {&EpochRecord::gradient_norm, "update/gradient_norm"},
    {&EpochRecord::code_norm, "code/norm"},
    {&EpochRecord::code_deviation, "code/deviation"},
    {&EpochRecord::skipped_steps, "update/skipped_steps"},
}};

class RepresentationTrainer {
 public:
  // Draws the initial weights from `seed`. Keeps a reference to the set. Several ranks share the
  // contexts of every batch.
  RepresentationTrainer(const RepresentationConfig& config, const RepresentationShape& shape,
                        const TrainingSet& set, torch::Device device, std::uint64_t seed,
                        const device::Ranks& ranks = {});

  void RunEpoch();
  // Runs one step; RunEpoch calls it.
  void Step();

  std::int64_t epoch() const { return static_cast<std::int64_t>(history_.size()); }
  std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  const std::vector<EpochRecord>& history() const { return history_; }
  RepresentationNetwork& network() { return network_; }

  // Call between epochs. Saves weights, moments and history. All randomness is keyed by the epoch.
  void SaveState(net::SafetensorsWriter& out) const;
  void RestoreState(const net::SafetensorsFile& in);

 private:
  void ComputeStep();
  void ShuffleEpisodes();

  RepresentationConfig config_;
  const TrainingSet& set_;
  torch::Device device_;
  std::uint64_t seed_;
  device::Ranks ranks_;
  std::int64_t batch_, steps_per_epoch_;
  device::Ranks::Share share_;  // of the contexts of a batch
  RepresentationNetwork network_;
  Reconstruction reconstruction_;
  device::OverlappedWork side_;  // work that the encoder does not wait for
  device::ClippedAdamW optimiser_;
  StepNoise noise_;
  torch::Tensor schedule_;  // [2, steps]: learning rate and beta of every step
  torch::Tensor position_;  // [1] int64: the next step, on the device
  std::int64_t step_ = 0;   // the next step, on the host
  torch::Tensor order_;     // [steps_per_epoch * batch] int64: the epoch's episodes
  torch::Tensor within_;    // [batch] int64: 0, 1, 2, …
  torch::Tensor sums_;      // sums of the epoch's recorded values
  std::unique_ptr<device::RepeatedStep> repeated_;
  std::vector<EpochRecord> history_;
};

}  // namespace rhumb::learn::representation
