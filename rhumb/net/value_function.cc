#include "rhumb/net/value_function.h"

#include <algorithm>
#include <cmath>

#include "rhumb/core/error.h"

namespace rhumb::net {
namespace {

// An ensemble with one affine member, on codes that are not standardised.
HeadEnsemble AsEnsemble(const LinearHeads& heads) {
  const auto inputs = static_cast<std::size_t>(heads.code_size);
  const auto outputs = static_cast<std::size_t>(heads.objectives);
  RHUMB_CHECK(heads.weights.size() == inputs * outputs, "{} weights for {} objectives of {}",
              heads.weights.size(), outputs, inputs);
  std::vector<float> weights(inputs * outputs);
  for (std::size_t k = 0; k < outputs; ++k) {
    for (std::size_t i = 0; i < inputs; ++i) {
      weights[i * outputs + k] = heads.weights[k * inputs + i];
    }
  }
  HeadEnsemble ensemble;
  ensemble.code_mean.assign(inputs, 0);
  ensemble.code_inverse_scale.assign(inputs, 1);
  ensemble.members.emplace_back(std::vector<int>{heads.code_size, heads.objectives},
                                Activation::kRelu);
  ensemble.members.back().SetLayer(0, weights, heads.bias);
  return ensemble;
}

// The layer with weights W^T and zero bias.
Layer Transposed(const Layer& layer) {
  Layer transposed(layer.outputs, layer.inputs);
  for (int i = 0; i < layer.inputs; ++i) {
    for (int o = 0; o < layer.outputs; ++o) {
      transposed.weights[static_cast<std::size_t>(o * transposed.padded_outputs() + i)] =
          layer.weights[static_cast<std::size_t>(i * layer.padded_outputs() + o)];
    }
  }
  return transposed;
}

// Multiplies cotangents by the activation's derivative, computed from its output y. For ELU below
// 0, e^x = y + 1.
void MultiplyByDerivative(Activation activation, const float* y, std::size_t count,
                          float* cotangents) {
  switch (activation) {
    case Activation::kRelu:
      for (std::size_t i = 0; i < count; ++i) cotangents[i] = y[i] > 0 ? cotangents[i] : 0.0f;
      break;
    case Activation::kElu:
      for (std::size_t i = 0; i < count; ++i) cotangents[i] *= std::min(y[i], 0.0f) + 1.0f;
      break;
    case Activation::kTanh:
      for (std::size_t i = 0; i < count; ++i) cotangents[i] *= 1.0f - y[i] * y[i];
      break;
  }
}

}  // namespace

ValueFunction::ValueFunction(const LinearHeads& heads) : ValueFunction(AsEnsemble(heads)) {}

ValueFunction::ValueFunction(const HeadEnsemble& heads)
    : code_size_(heads.code_size()),
      objectives_(heads.objectives()),
      code_mean_(heads.code_mean),
      code_inverse_scale_(heads.code_inverse_scale) {
  RHUMB_CHECK(!heads.members.empty() && code_mean_.size() == code_inverse_scale_.size(),
              "{} members, {} means and {} scales of a code", heads.members.size(),
              code_mean_.size(), code_inverse_scale_.size());
  for (const Mlp& network : heads.members) {
    RHUMB_CHECK(network.inputs() == code_size_ && network.sizes() == heads.members.front().sizes(),
                "a member of {} layers for codes of {}, not {}", network.layer_count(),
                network.inputs(), code_size_);
    members_.push_back({network, {}});
    for (std::size_t i = 0; i < network.layer_count(); ++i) {
      members_.back().transposed.push_back(Transposed(network.layer(i)));
    }
  }
  for (const Layer& layer : members_.front().transposed) {
    member_size_ += static_cast<std::size_t>(Layer::Padded(layer.inputs));
    widest_ = std::max(widest_, static_cast<std::size_t>(layer.padded_outputs()));
  }
}

std::size_t ValueFunction::workspace_size(int rows) const {
  return static_cast<std::size_t>(rows) *
         (code_mean_.size() + members_.size() * member_size_ + 2 * widest_);
}

void ValueFunction::Evaluate(const float* codes, int rows, float* values, float* spread,
                             std::span<float> workspace) const {
  RHUMB_CHECK(workspace.size() >= workspace_size(rows), "{} floats of workspace, {} needed",
              workspace.size(), workspace_size(rows));
  float* standardised = workspace.data();
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < code_size_; ++i) {
      const int at = row * code_size_ + i;
      standardised[at] = (codes[at] - code_mean_[static_cast<std::size_t>(i)]) *
                         code_inverse_scale_[static_cast<std::size_t>(i)];
    }
  }

  float* y = standardised + rows * code_size_;
  for (const Member& member : members_) {
    const float* x = standardised;
    int stride = code_size_;
    for (std::size_t i = 0; i < member.network.layer_count(); ++i) {
      member.network.layer(i).Apply(x, stride, rows, y);
      stride = member.network.layer(i).padded_outputs();
      const int count = rows * stride;
      if (i + 1 < member.network.layer_count()) {
        Activate(member.network.activation(), y, static_cast<std::size_t>(count));
      }
      x = y;
      y += count;
    }
  }

  // Each member's part of the workspace ends with the outputs of its last layer.
  const int stride = members_.front().network.padded_outputs();
  const std::size_t step = static_cast<std::size_t>(rows) * member_size_;
  const float* outputs =
      standardised + rows * code_size_ + step - static_cast<std::size_t>(rows * stride);
  const auto count = static_cast<float>(members_.size());
  for (int row = 0; row < rows; ++row) {
    for (int k = 0; k < objectives_; ++k) {
      const float* output = outputs + row * stride + k;
      float sum = 0;
      for (std::size_t m = 0; m < members_.size(); ++m) sum += output[m * step];
      const float mean = sum / count;
      float squares = 0;
      for (std::size_t m = 0; m < members_.size(); ++m) {
        const float difference = output[m * step] - mean;
        squares += difference * difference;
      }
      values[row * objectives_ + k] = mean;
      spread[row * objectives_ + k] = std::sqrt(squares / count);
    }
  }
}

void ValueFunction::Pullback(const float* cotangents, int rows, float* gradients,
                             std::span<float> workspace) const {
  RHUMB_CHECK(workspace.size() >= workspace_size(rows), "{} floats of workspace, {} needed",
              workspace.size(), workspace_size(rows));
  const auto row_count = static_cast<std::size_t>(rows);
  float* current =
      workspace.data() + row_count * (code_mean_.size() + members_.size() * member_size_);
  float* other = current + row_count * widest_;
  std::fill_n(gradients, rows * code_size_, 0.0f);

  const float* end = workspace.data() + rows * code_size_;
  for (const Member& member : members_) {
    end += row_count * member_size_;
    // `y` walks backwards over the layers' outputs. A layer's inputs lie right before its outputs.
    const float* y = end;
    const float* of_outputs = cotangents;
    int stride = objectives_;
    for (std::size_t i = member.transposed.size(); i-- > 0;) {
      const Layer& layer = member.transposed[i];
      layer.Apply(of_outputs, stride, rows, current);
      y -= rows * Layer::Padded(layer.inputs);
      stride = layer.padded_outputs();
      if (i > 0) {
        const auto count = static_cast<std::size_t>(rows * stride);
        MultiplyByDerivative(member.network.activation(), y - count, count, current);
      }
      of_outputs = current;
      std::swap(current, other);
    }
    for (int row = 0; row < rows; ++row) {
      for (int i = 0; i < code_size_; ++i) {
        gradients[row * code_size_ + i] += of_outputs[row * stride + i];
      }
    }
  }

  // d(mean over M) / dh = sum over members / M * inverse scale of the standardisation.
  const float share = 1.0f / static_cast<float>(members_.size());
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < code_size_; ++i) {
      gradients[row * code_size_ + i] *= share * code_inverse_scale_[static_cast<std::size_t>(i)];
    }
  }
}

}  // namespace rhumb::net
