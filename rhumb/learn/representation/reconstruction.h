// How well the decoder does what a policy does, and the gradients of that.
#pragma once

#include <torch/torch.h>

#include <optional>
#include <vector>

#include "rhumb/learn/representation/cpu_decoder_gradient.h"
#include "rhumb/learn/representation/gpu_decoder_gradient.h"
#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/learn/representation/training_set.h"

namespace rhumb::learn::representation {

struct ReconstructionResult {
  torch::Tensor loss;           // a scalar: the mean over all queries, without the weight
  torch::Tensor code_gradient;  // [n, H], with the weight
};

// The mean over queries of KL(policy || decoder), or of -log pi(action taken).
//
// On the CPU contexts are divided into lanes with gradients of their own, which threads take as
// they become free. Lanes are fixed and added up in order: the bits depend neither on timing nor on
// the number of threads. On CUDA the three parts may run beside other work.
class Reconstruction {
 public:
  // Keeps a reference to the decoder's parameters, which are where they will stay.
  Reconstruction(const RepresentationConfig& config, const RepresentationShape& shape,
                 const Decoder& decoder);

  // rows [n, Q] of the targets: what needs no code.
  void Begin(const Targets& targets, const torch::Tensor& rows);
  // For codes [n, H] of these rows -> the gradient by the code [n, H], with the weight.
  torch::Tensor RunToCode(const torch::Tensor& code, double weight);
  // Adds weight * the gradients to the decoder's parameters, and returns the loss.
  torch::Tensor AddGradients();

  // The three of them.
  ReconstructionResult Accumulate(const Targets& targets, const torch::Tensor& rows,
                                  const torch::Tensor& code, double weight);

 private:
  torch::Tensor RunLanes(const torch::Tensor& code, double weight);

  Decoder decoder_;
  std::vector<CpuDecoderGradient> lanes_;      // on the CPU
  std::optional<GpuDecoderGradient> tensors_;  // elsewhere
  Targets targets_;
  torch::Tensor rows_;
  std::size_t lanes_used_ = 0;
  double lanes_loss_ = 0;
};

}  // namespace rhumb::learn::representation
