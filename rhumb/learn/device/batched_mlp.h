// One small network per agent, all of the same shape, computed together: weights [A, in, out].
//
// Forward and backward passes are written out, with their equations, instead of using autograd.
// They use buffers allocated once, so a step allocates nothing and a CUDA graph can hold it.
#pragma once

#include <torch/types.h>

#include <vector>

#include "rhumb/net/mlp.h"

namespace rhumb::learn::device {

// Views of one layer's values in the flat parameter and gradient arrays [A, P].
struct LayerSlice {
  torch::Tensor weight, bias;                    // [A, in, out], [A, 1, out]
  torch::Tensor weight_gradient, bias_gradient;  // same shapes
};

class BatchedMlp {
 public:
  // Takes its slices from `parameters` and `gradients` [A, P] at `offset`, and advances `offset`.
  BatchedMlp(const std::vector<int>& sizes, net::Activation activation,
             const torch::Tensor& parameters, const torch::Tensor& gradients, std::int64_t& offset);

  static std::int64_t parameter_count(const std::vector<int>& sizes);

  // Allocates the buffers for `rows` rows per agent.
  void Reserve(std::int64_t rows);

  // x [A, B, in] with B the reserved rows -> [A, B, out], valid until the next call.
  const torch::Tensor& Forward(const torch::Tensor& x);

  // Call after Forward(x). Computes the gradients of the loss from the gradient of the output [A,
  // B, out]. `accumulate` adds to the existing gradients.
  //   dW_i = h_{i-1}^T g_i,  db_i = sum_b g_i,  g_{i-1} = (g_i W_i^T) * act'(h_{i-1})
  void Backward(const torch::Tensor& x, const torch::Tensor& output_gradient, bool accumulate);

  std::size_t layer_count() const { return layers_.size(); }
  LayerSlice& layer(std::size_t index) { return layers_[index]; }
  const std::vector<int>& sizes() const { return sizes_; }

 private:
  void Activate(torch::Tensor& values) const;
  void MultiplyByDerivative(torch::Tensor& gradient, const torch::Tensor& activated) const;

  std::vector<int> sizes_;
  net::Activation activation_;
  std::vector<LayerSlice> layers_;
  std::vector<torch::Tensor> outputs_;    // per layer, [A, B, out]
  std::vector<torch::Tensor> gradients_;  // of the hidden layers' outputs, [A, B, out]
};

}  // namespace rhumb::learn::device
