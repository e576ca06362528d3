// One small network per agent, all of the same shape, computed together: weights [A, in, out].
//
// Forward and backward are written out, with their equations, instead of recorded by autograd: they
// run into buffers made once, so that nothing is allocated in a step and a CUDA graph can hold it.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "rhumb/net/mlp.h"

namespace rhumb::learn::device {

// Where one layer's numbers lie inside the flat parameter and gradient arrays [A, P].
struct LayerSlice {
  torch::Tensor weight, bias;                    // [A, in, out], [A, 1, out]
  torch::Tensor weight_gradient, bias_gradient;  // alike
};

class BatchedMlp {
 public:
  // Takes its slices from `parameters` and `gradients` [A, P] at `offset`, and moves it on.
  BatchedMlp(const std::vector<int>& sizes, net::Activation activation,
             const torch::Tensor& parameters, const torch::Tensor& gradients, std::int64_t& offset);

  static std::int64_t parameter_count(const std::vector<int>& sizes);

  // Makes the buffers for `rows` rows per agent.
  void Reserve(std::int64_t rows);

  // x [A, B, in] with B the reserved rows -> [A, B, out], valid until the next call.
  const torch::Tensor& Forward(const torch::Tensor& x);

  // After Forward(x): gradients of the loss, given that of the output [A, B, out]. `accumulate`
  // adds to the gradients that are there.
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
