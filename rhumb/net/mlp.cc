#include "rhumb/net/mlp.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "rhumb/core/error.h"
#include "rhumb/net/kernels.h"

namespace rhumb::net {

void Activate(Activation activation, float* values, std::size_t count) {
  switch (activation) {
    case Activation::kRelu:
      Relu(values, count);
      break;
    case Activation::kElu:
      ActiveKernels().elu(values, static_cast<int>(count));
      break;
    case Activation::kTanh:
      for (std::size_t i = 0; i < count; ++i) values[i] = std::tanh(values[i]);
      break;
  }
}

Activation ReadActivation(const SafetensorsFile& in, const std::string& key) {
  const auto found = in.metadata().find(key);
  if (found == in.metadata().end()) Fail("{}: metadata '{}' is missing", in.place(), key);
  return kActivationNames.Parse(found->second, in.place() + ": unknown activation");
}

Layer::Layer(int input_count, int output_count)
    : inputs(input_count),
      outputs(output_count),
      weights(static_cast<std::size_t>(input_count) *
              static_cast<std::size_t>(Padded(output_count))),
      bias(static_cast<std::size_t>(Padded(output_count))) {
  ActiveKernels();
}

Layer::Layer(int input_count, int output_count, std::span<const float> dense_weights,
             std::span<const float> dense_bias)
    : Layer(input_count, output_count) {
  const auto columns = static_cast<std::size_t>(outputs);
  const auto padded = static_cast<std::size_t>(padded_outputs());
  RHUMB_CHECK(dense_weights.size() == static_cast<std::size_t>(inputs) * columns &&
                  dense_bias.size() == columns,
              "a layer {}x{} got {} weights and {} biases", inputs, outputs, dense_weights.size(),
              dense_bias.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(inputs); ++i) {
    std::copy_n(dense_weights.data() + i * columns, columns, weights.data() + i * padded);
  }
  std::copy(dense_bias.begin(), dense_bias.end(), bias.begin());
}

void Layer::Apply(const float* x, int stride, int rows, float* y) const {
  ActiveKernels().affine(
      {x, stride, rows, inputs, weights.data(), bias.data(), padded_outputs(), y});
}

void Layer::Write(SafetensorsWriter& out, const std::string& name, bool half) const {
  std::vector<float> dense;
  for (int row = 0; row < inputs; ++row) {
    const auto begin = weights.begin() + row * padded_outputs();
    dense.insert(dense.end(), begin, begin + outputs);
  }
  const SafetensorsWriter::Shape shape = {inputs, outputs};
  if (half) {
    out.AddHalf(name + ".weight", shape, dense);
  } else {
    out.Add(name + ".weight", shape, dense);
  }
  out.Add(name + ".bias", {outputs}, std::span(bias).first(static_cast<std::size_t>(outputs)));
}

Layer Layer::Read(const SafetensorsFile& in, const std::string& name, int wanted_inputs,
                  int wanted_outputs) {
  const std::vector<std::int64_t>& shape = in.shape(name + ".weight");
  const auto fits = [](std::int64_t size, int wanted) {
    return size >= 1 && size <= kMaxLayerSize && (wanted == 0 || size == wanted);
  };
  if (shape.size() != 2 || !fits(shape[0], wanted_inputs) || !fits(shape[1], wanted_outputs)) {
    const auto words = [](int wanted) {
      return wanted == 0 ? fmt::format("1 to {}", kMaxLayerSize) : std::to_string(wanted);
    };
    Fail("{}: '{}.weight' has shape {}, expected [{}, {}]", in.place(), name, shape,
         words(wanted_inputs), words(wanted_outputs));
  }
  return Layer(static_cast<int>(shape[0]), static_cast<int>(shape[1]), in.Floats(name + ".weight"),
               in.Floats(name + ".bias", {shape[1]}));
}

void Relu(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = std::max(values[i], 0.0f);
}

Mlp::Mlp(const std::vector<int>& sizes, Activation activation) : activation_(activation) {
  RHUMB_CHECK(sizes.size() >= 2, "{} sizes, at least 2 needed", sizes.size());
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) layers_.emplace_back(sizes[i], sizes[i + 1]);
}

void Mlp::SetLayer(std::size_t index, std::span<const float> weights, std::span<const float> bias) {
  Layer& layer = layers_.at(index);
  layer = Layer(layer.inputs, layer.outputs, weights, bias);
}

std::vector<int> Mlp::sizes() const {
  std::vector<int> sizes = {inputs()};
  for (const Layer& layer : layers_) sizes.push_back(layer.outputs);
  return sizes;
}

std::size_t Mlp::workspace_size(int rows) const {
  int widest = 0;
  for (const Layer& layer : layers_) widest = std::max(widest, layer.padded_outputs());
  return 2 * static_cast<std::size_t>(rows * widest);
}

void Mlp::Forward(const float* x, int rows, float* y, std::span<float> workspace) const {
  const float* last = Run(x, inputs(), rows, workspace);
  for (int row = 0; row < rows; ++row) {
    std::copy_n(last + row * padded_outputs(), outputs(), y + row * outputs());
  }
}

float* Mlp::Run(const float* x, int stride, int rows, std::span<float> workspace) const {
  RHUMB_CHECK(workspace.size() >= workspace_size(rows), "{} floats of workspace, {} needed",
              workspace.size(), workspace_size(rows));
  float* current = workspace.data();
  float* other = workspace.data() + workspace_size(rows) / 2;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (i > 0) Activate(activation_, other, static_cast<std::size_t>(rows * stride));
    layers_[i].Apply(i == 0 ? x : other, stride, rows, current);
    stride = layers_[i].padded_outputs();
    std::swap(current, other);
  }
  return other;
}

void Mlp::Write(SafetensorsWriter& out, const std::string& name, bool half) const {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    layers_[i].Write(out, fmt::format("{}.{}", name, i), half);
  }
}

Mlp Mlp::Read(const SafetensorsFile& in, const std::string& name, Activation activation,
              int wanted_inputs) {
  Mlp network;
  network.activation_ = activation;
  int inputs = wanted_inputs;
  for (int i = 0; i == 0 || in.Has(fmt::format("{}.{}.weight", name, i)); ++i) {
    network.layers_.push_back(Layer::Read(in, fmt::format("{}.{}", name, i), inputs));
    inputs = network.outputs();
  }
  return network;
}

}  // namespace rhumb::net
