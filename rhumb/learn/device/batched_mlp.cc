#include "rhumb/learn/device/batched_mlp.h"

namespace rhumb::learn::device {
namespace {

torch::Tensor Slice(const torch::Tensor& flat, std::int64_t& offset, std::int64_t rows,
                    std::int64_t columns) {
  torch::Tensor slice = flat.narrow(1, offset, rows * columns).view({flat.size(0), rows, columns});
  offset += rows * columns;
  return slice;
}

// out = beta * added + x y per agent; `added` may be `out`. A single agent uses the plain product,
// which is faster than a batched one of size 1.
void Multiply(torch::Tensor& out, const torch::Tensor& added, const torch::Tensor& x,
              const torch::Tensor& y, double beta) {
  if (out.size(0) == 1) {
    torch::Tensor plain = out[0];
    at::addmm_out(plain, added[0], x[0], y[0], beta, 1);
  } else {
    at::baddbmm_out(out, added, x, y, beta, 1);
  }
}

}  // namespace

std::int64_t BatchedMlp::parameter_count(const std::vector<int>& sizes) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    count += static_cast<std::int64_t>(sizes[i] + 1) * sizes[i + 1];
  }
  return count;
}

BatchedMlp::BatchedMlp(const std::vector<int>& sizes, net::Activation activation,
                       const torch::Tensor& parameters, const torch::Tensor& gradients,
                       std::int64_t& offset)
    : sizes_(sizes), activation_(activation) {
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    std::int64_t same = offset;
    LayerSlice layer;
    layer.weight = Slice(parameters, offset, sizes[i], sizes[i + 1]);
    layer.bias = Slice(parameters, offset, 1, sizes[i + 1]);
    layer.weight_gradient = Slice(gradients, same, sizes[i], sizes[i + 1]);
    layer.bias_gradient = Slice(gradients, same, 1, sizes[i + 1]);
    layers_.push_back(layer);
  }
}

void BatchedMlp::Reserve(std::int64_t rows) {
  outputs_.clear();
  gradients_.clear();
  for (const LayerSlice& layer : layers_) {
    outputs_.push_back(
        torch::empty({layer.weight.size(0), rows, layer.weight.size(2)}, layer.weight.options()));
    gradients_.push_back(torch::empty_like(outputs_.back()));
  }
  gradients_.pop_back();  // the output's gradient comes from the caller
}

const torch::Tensor& BatchedMlp::Forward(const torch::Tensor& x) {
  const torch::Tensor* input = &x;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    torch::Tensor& output = outputs_[i];
    Multiply(output, layers_[i].bias, *input, layers_[i].weight, 1);
    if (i + 1 < layers_.size()) Activate(output);
    input = &output;
  }
  return outputs_.back();
}

void BatchedMlp::Backward(const torch::Tensor& x, const torch::Tensor& output_gradient,
                          bool accumulate) {
  const double beta = accumulate ? 1 : 0;
  for (std::size_t i = layers_.size(); i-- > 0;) {
    LayerSlice& layer = layers_[i];
    const torch::Tensor& gradient = i + 1 == layers_.size() ? output_gradient : gradients_[i];
    const torch::Tensor& input = i == 0 ? x : outputs_[i - 1];
    Multiply(layer.weight_gradient, layer.weight_gradient, input.transpose(1, 2), gradient, beta);
    if (accumulate) {
      layer.bias_gradient.add_(gradient.sum(1, /*keepdim=*/true));
    } else {
      at::sum_out(layer.bias_gradient, gradient, {1}, /*keepdim=*/true);
    }
    if (i > 0) {
      Multiply(gradients_[i - 1], gradients_[i - 1], gradient, layer.weight.transpose(1, 2), 0);
      MultiplyByDerivative(gradients_[i - 1], outputs_[i - 1]);
    }
  }
}

void BatchedMlp::Activate(torch::Tensor& values) const {
  switch (activation_) {
    case net::Activation::kRelu:
      values.relu_();
      break;
    case net::Activation::kElu:
      at::elu_(values);
      break;
    case net::Activation::kTanh:
      values.tanh_();
      break;
  }
}

// Uses only the activated value h: relu' = [h > 0], elu' = h > 0 ? 1 : h + 1, tanh' = 1 - h^2.
void BatchedMlp::MultiplyByDerivative(torch::Tensor& gradient,
                                      const torch::Tensor& activated) const {
  switch (activation_) {
    case net::Activation::kRelu:
      at::threshold_backward_out(gradient, gradient, activated, 0);
      break;
    case net::Activation::kElu:
      at::elu_backward_out(gradient, gradient, 1, 1, 1, /*is_result=*/true, activated);
      break;
    case net::Activation::kTanh:
      at::tanh_backward_out(gradient, gradient, activated);
      break;
  }
}

}  // namespace rhumb::learn::device
