#include "rhumb/net/mlp.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"
#include "rhumb/net/affine.h"

namespace rhumb::net {
namespace {

constexpr Activation kActivations[] = {Activation::kRelu, Activation::kElu, Activation::kTanh};

void Activate(Activation activation, float* values, std::size_t count) {
  switch (activation) {
    case Activation::kRelu:
      for (std::size_t i = 0; i < count; ++i) values[i] = std::max(values[i], 0.0f);
      break;
    case Activation::kElu:
      Elu(values, static_cast<int>(count));
      break;
    case Activation::kTanh:
      for (std::size_t i = 0; i < count; ++i) values[i] = std::tanh(values[i]);
      break;
  }
}

}  // namespace

std::string ToString(Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return "relu";
    case Activation::kElu:
      return "elu";
    case Activation::kTanh:
      return "tanh";
  }
  return "";
}

Activation ParseActivation(std::string_view word) {
  std::vector<std::string> known;
  for (const Activation activation : kActivations) {
    if (ToString(activation) == word) return activation;
    known.push_back(ToString(activation));
  }
  Fail("unknown activation '{}'{}", word, core::Suggestion(word, known));
}

Mlp::Mlp(std::vector<int> sizes, Activation activation)
    : sizes_(std::move(sizes)), activation_(activation) {
  RHUMB_CHECK(sizes_.size() >= 2, "{} sizes", sizes_.size());
  for (std::size_t i = 0; i + 1 < sizes_.size(); ++i) {
    Layer layer{.inputs = sizes_[i], .outputs = sizes_[i + 1]};
    const auto padded = static_cast<std::size_t>(layer.padded_outputs());
    layer.weights.resize(static_cast<std::size_t>(layer.inputs) * padded);
    layer.bias.resize(padded);
    layers_.push_back(std::move(layer));
  }
}

void Mlp::SetLayer(std::size_t index, std::span<const float> weights, std::span<const float> bias) {
  Layer& layer = layers_.at(index);
  const auto outputs = static_cast<std::size_t>(layer.outputs);
  const auto padded = static_cast<std::size_t>(layer.padded_outputs());
  RHUMB_CHECK(
      weights.size() == static_cast<std::size_t>(layer.inputs) * outputs && bias.size() == outputs,
      "layer {} takes {}x{} weights, got {} and {} biases", index, layer.inputs, layer.outputs,
      weights.size(), bias.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(layer.inputs); ++i) {
    std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(i * outputs), outputs,
                layer.weights.begin() + static_cast<std::ptrdiff_t>(i * padded));
  }
  std::copy(bias.begin(), bias.end(), layer.bias.begin());
}

std::size_t Mlp::workspace_size(int rows) const {
  int widest = 0;
  for (const Layer& layer : layers_) widest = std::max(widest, layer.padded_outputs());
  return 2 * static_cast<std::size_t>(rows * widest);
}

void Mlp::Forward(const float* x, int rows, float* y, std::span<float> workspace) const {
  RHUMB_CHECK(workspace.size() >= workspace_size(rows), "{} floats of workspace, {} needed",
              workspace.size(), workspace_size(rows));
  float* current = workspace.data();
  float* other = workspace.data() + workspace_size(rows) / 2;
  const float* input = x;
  int stride = inputs();
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    const int padded = layer.padded_outputs();
    Affine(input, stride, rows, layer.inputs, layer.weights.data(), layer.bias.data(), padded,
           current);
    if (i + 1 < layers_.size()) {
      Activate(activation_, current, static_cast<std::size_t>(rows * padded));
    }
    input = current;
    stride = padded;
    std::swap(current, other);
  }
  for (int row = 0; row < rows; ++row) {
    std::copy_n(input + row * stride, outputs(), y + row * outputs());
  }
}

}  // namespace rhumb::net
