// The reconstruction loss, which compares the decoder with a policy, and its gradients.
#pragma once

#include <torch/types.h>

#include <optional>
#include <vector>

#include "rhumb/learn/representation/cpu_decoder_gradient.h"
#include "rhumb/learn/representation/gpu_decoder_gradient.h"
#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/learn/representation/training_set.h"

namespace rhumb::learn::representation {

struct ReconstructionResult {
  torch::Tensor loss;           // a scalar: the unweighted mean over all queries
  torch::Tensor code_gradient;  // [n, H], times the weight
};

// The mean over queries of KL(policy || decoder), split or not, or of -log pi(action taken).
//
// On the CPU, contexts are divided into lanes with their own gradients, and free threads take the
// next lane. Lanes are fixed and summed in order, so the bits depend neither on timing nor on the
// number of threads. On CUDA the three parts may run in parallel with other work.
class Reconstruction {
 public:
  // Keeps a reference to the decoder's parameters, which must not move.
  Reconstruction(const RepresentationConfig& config, const RepresentationShape& shape,
                 const Decoder& decoder);

  // The three parts, as in gpu_decoder_gradient.h; Begin is RunStates there.
  void Begin(const Targets& targets, const torch::Tensor& rows);
  torch::Tensor RunToCode(const torch::Tensor& code, double weight);
  torch::Tensor AddGradients();

  // Runs all three parts.
  ReconstructionResult Accumulate(const Targets& targets, const torch::Tensor& rows,
                                  const torch::Tensor& code, double weight);

 private:
  torch::Tensor RunLanes(const torch::Tensor& code, double weight);

  Decoder decoder_;
  std::vector<CpuDecoderGradient> lanes_;      // on the CPU
  std::optional<GpuDecoderGradient> tensors_;  // on other devices
  Targets targets_;
  torch::Tensor rows_;
  std::size_t lanes_used_ = 0;
  double lanes_loss_ = 0;
};

}  // namespace rhumb::learn::representation
