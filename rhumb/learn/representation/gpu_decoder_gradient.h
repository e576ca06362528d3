// The decoder's forward and backward pass with whole tensors, written out. It is for a GPU, where
// the parts of a step run in parallel.
//
//   RunStates     rows -> x [R, O] -> s1 -> s2 -> s2 Wj^T    needs no code
//   RunToCode     code h -> j1 -> j2 -> out -> dh            the encoder waits for it
//   AddGradients  dW, db of every layer, and the loss        only the optimiser waits for it
//
// Equations and names are those of cpu_decoder_gradient.h.
#pragma once

#include <torch/types.h>

#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/learn/representation/training_set.h"

namespace rhumb::learn::representation {

// Keeps its intermediate results until the next RunStates, so the three parts may run on different
// streams. Reads the decoder's parameters in place, so they must not move.
class GpuDecoderGradient {
 public:
  GpuDecoderGradient(const RepresentationConfig& config, const RepresentationShape& shape,
                     const Decoder& decoder)
      : decoder_(decoder),
        actions_(shape.actions),
        deviation_from_code_(config.has_deviation_from_code()),
        split_kl_(config.splits_kl()) {}

  // rows [n, Q] of the targets.
  void RunStates(const Targets& targets, const torch::Tensor& rows);

  // Takes codes [n, H] of these rows and returns the loss gradient with respect to the code [n, H],
  // times `weight`.
  torch::Tensor RunToCode(const torch::Tensor& code, double weight);

  // Adds to the gradients of the decoder's parameters, or sets them if undefined. Returns the loss,
  // a scalar: the unweighted mean over all queries.
  torch::Tensor AddGradients();

 private:
  torch::Tensor Loss() const;

  Decoder decoder_;
  std::int64_t actions_;
  bool deviation_from_code_, split_kl_;

  std::int64_t contexts_ = 0;
  // Per row, [R, ..].
  torch::Tensor states_, state1_, state2_, joint1_, joint2_;
  torch::Tensor wanted_, wanted_log_deviation_, wanted_variance_;
  torch::Tensor log_deviation_, scaled_;  // l, and twice the loss's squares: e / sigma^2
  torch::Tensor out_gradient_, joint2_gradient_, joint1_gradient_;
  // Per context, [n, ..].
  torch::Tensor code_, share_gradient_;
  torch::Tensor deviation1_, deviation2_;
  torch::Tensor deviation_gradient_, deviation2_gradient_, deviation1_gradient_;
};

}  // namespace rhumb::learn::representation
