// The decoder forward and back by whole tensors, written out: for a GPU, where the parts of a step
// run beside each other.
//
//   RunStates     rows -> x [R, O] -> s1 -> s2 -> s2 Wj^T    needs no code
//   RunToCode     code h -> j1 -> j2 -> out -> dh            what the encoder's way back waits for
//   AddGradients  dW, db of every layer, and the loss        what only the optimiser waits for
//
// With the equations and names of cpu_decoder_gradient.h.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/learn/representation/training_set.h"

namespace rhumb::learn::representation {

// Keeps what it computed until the next RunStates, so that the three parts may run on different
// streams. Reads the decoder's parameters, which are where they will stay.
class GpuDecoderGradient {
 public:
  GpuDecoderGradient(const RepresentationConfig& config, const RepresentationShape& shape,
                     const Decoder& decoder);

  // rows [n, Q] of the targets.
  void RunStates(const Targets& targets, const torch::Tensor& rows);

  // For codes [n, H] of these rows -> the gradient by the code [n, H], with the weight.
  torch::Tensor RunToCode(const torch::Tensor& code, double weight);

  // Adds to the gradients of the decoder's parameters; where there are none, these become them.
  // Returns the loss, a scalar: the mean over all queries, without the weight.
  torch::Tensor AddGradients();

 private:
  struct Layer {
    torch::Tensor weight;       // W [out, in]
    torch::Tensor bias;         // [out], or undefined
    torch::Tensor parameter_w;  // the same, as the optimiser knows them
    torch::Tensor parameter_b;
  };

  Layer FindLayer(const Decoder& decoder, const char* name) const;
  static torch::Tensor Apply(const Layer& layer, const torch::Tensor& x);
  static void Add(const Layer& layer, const torch::Tensor& y_gradient, const torch::Tensor& x);
  torch::Tensor Loss() const;

  std::int64_t actions_;
  bool deviation_from_code_;
  Layer state_in_, state_out_, joint_state_, joint_code_, joint_hidden_, joint_out_;
  Layer deviation_in_, deviation_hidden_, deviation_out_;

  std::int64_t contexts_ = 0;
  // Of the rows, [R, ..].
  torch::Tensor states_, state1_, state2_, joint1_, joint2_;
  torch::Tensor wanted_, wanted_log_deviation_, wanted_variance_;
  torch::Tensor log_deviation_, scaled_;  // l, and e / sigma^2
  torch::Tensor out_gradient_, joint2_gradient_, joint1_gradient_;
  // Of the contexts, [n, ..].
  torch::Tensor code_, share_gradient_;
  torch::Tensor deviation1_, deviation2_;
  torch::Tensor deviation_gradient_, deviation2_gradient_, deviation1_gradient_;
};

}  // namespace rhumb::learn::representation
