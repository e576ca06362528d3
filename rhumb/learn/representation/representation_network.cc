#include "rhumb/learn/representation/representation_network.h"

#include <torch/nn/functional/linear.h>

#include <cmath>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/learn/device/clipped_adamw.h"
#include "rhumb/learn/device/initial_weights.h"

namespace rhumb::learn::representation {
namespace {

constexpr int kFeedFactor = 4;  // width of a feed-forward layer, in token widths

// Our weights are [inputs, outputs]; PyTorch's are transposed.
std::vector<float> WeightsOf(const torch::nn::Linear& linear) {
  return device::FloatsOf(linear->weight.t());
}

std::vector<float> BiasOf(const torch::nn::Linear& linear) {
  return device::FloatsOf(linear->bias.defined() ? linear->bias
                                                 : torch::zeros({linear->weight.size(0)}));
}

net::Layer ToLayer(const torch::nn::Linear& linear) {
  return net::Layer(static_cast<int>(linear->weight.size(1)),
                    static_cast<int>(linear->weight.size(0)), WeightsOf(linear), BiasOf(linear));
}

net::Mlp ToMlp(const std::vector<torch::nn::Linear>& layers) {
  std::vector<int> sizes = {static_cast<int>(layers.front()->weight.size(1))};
  for (const auto& layer : layers) sizes.push_back(static_cast<int>(layer->weight.size(0)));
  net::Mlp mlp(sizes, net::Activation::kRelu);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    mlp.SetLayer(i, WeightsOf(layers[i]), BiasOf(layers[i]));
  }
  return mlp;
}

net::LayerNorm ToNorm(const torch::nn::LayerNorm& norm) {
  return {device::FloatsOf(norm->weight), device::FloatsOf(norm->bias)};
}

torch::nn::Linear MakeLinear(int inputs, int outputs, bool bias = true) {
  return torch::nn::Linear(torch::nn::LinearOptions(inputs, outputs).bias(bias));
}

torch::nn::LayerNorm MakeNorm(int width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
}

torch::Tensor Relu(torch::nn::Linear& layer, const torch::Tensor& x) {
  return layer->forward(x).relu_();
}

// A linear layer, restricted to some of its outputs.
torch::Tensor Part(const torch::nn::Linear& layer, const torch::Tensor& x, std::int64_t first,
                   std::int64_t count) {
  return torch::nn::functional::linear(x, layer->weight.narrow(0, first, count),
                                       layer->bias.narrow(0, first, count));
}

}  // namespace

torch::Tensor DropoutMasks::Apply(const torch::Tensor& values) {
  if (!flat_.defined()) return values;
  std::vector<std::int64_t> shape = values.sizes().vec();
  shape[0] *= ranks_.count();
  const std::int64_t size = values.numel() * ranks_.count();
  const torch::Tensor mask = flat_.narrow(0, used_, size).view(shape);
  used_ += size;
  return values * ranks_.ShareOf(shape[0]).Of(mask);
}

SetEncoderImpl::SetEncoderImpl(const RepresentationConfig& config, const RepresentationShape& shape)
    : token_size_(shape.observations + shape.actions),
      width_(config.code),
      heads_(config.attention_heads),
      mean_pool_(config.is_mean_pool()),
      deterministic_(config.is_deterministic()) {
  if (!mean_pool_ && width_ % heads_ != 0) {
    Fail("attention_heads is {}, which does not divide code, {}", heads_, width_);
  }
  token_in_ = register_module("token_in", MakeLinear(token_size_, config.hidden));
  token_out_ = register_module("token_out", MakeLinear(config.hidden, width_));
  if (!mean_pool_) {
    class_token_ = register_parameter("class_token", torch::zeros({token_size_}));
    for (int i = 0; i < config.layers; ++i) {
      const auto name = [&](const char* part) { return fmt::format("layer_{}_{}", i, part); };
      const int feed = kFeedFactor * width_;
      Layer layer;
      layer.attention_norm = register_module(name("attention_norm"), MakeNorm(width_));
      layer.queries_keys_values =
          register_module(name("queries_keys_values"), MakeLinear(width_, 3 * width_));
      layer.attention_output =
          register_module(name("attention_output"), MakeLinear(width_, width_));
      layer.feed_norm = register_module(name("feed_norm"), MakeNorm(width_));
      layer.feed_in = register_module(name("feed_in"), MakeLinear(width_, feed));
      layer.feed_out = register_module(name("feed_out"), MakeLinear(feed, width_));
      layers_.push_back(layer);
    }
    last_norm_ = register_module("last_norm", MakeNorm(width_));
  }
  posterior_ = register_module("posterior", MakeLinear(width_, 2 * config.code));
}

// After the last layer only the class token is read, so only its row is computed: `rows` is 1
// there.
torch::Tensor SetEncoderImpl::Attend(const Layer& layer, const torch::Tensor& x, std::int64_t rows,
                                     DropoutMasks& masks) const {
  const std::int64_t n = x.size(0), tokens = x.size(1), width = width_, size = width / heads_;
  const auto split = [&](const torch::Tensor& values) {
    return values.view({n, -1, heads_, size}).transpose(1, 2);  // [n, heads, tokens, size]
  };
  const torch::Tensor normed = layer.attention_norm.ptr()->forward(x);
  torch::Tensor queries, keys, values;
  if (rows == tokens) {
    const auto all = layer.queries_keys_values.ptr()->forward(normed).split(width, 2);
    queries = split(all[0]), keys = split(all[1]), values = split(all[2]);
  } else {
    queries = split(Part(layer.queries_keys_values, normed.narrow(1, 0, rows), 0, width));
    const auto both = Part(layer.queries_keys_values, normed, width, 2 * width).split(width, 2);
    keys = split(both[0]), values = split(both[1]);
  }
  torch::Tensor mixed;
  if (x.is_cuda()) {
    // One kernel, which draws dropout from the device's generator.
    mixed = at::scaled_dot_product_attention(queries, keys, values, {}, masks.rate());
  } else {
    const double scale = 1 / std::sqrt(static_cast<double>(size));
    const torch::Tensor weights = (queries * scale).matmul(keys.transpose(2, 3)).softmax(3);
    mixed = masks.Apply(weights).matmul(values);
  }
  mixed = mixed.transpose(1, 2).reshape({n, rows, width});
  return masks.Apply(layer.attention_output.ptr()->forward(mixed));
}

Gaussian SetEncoderImpl::forward(const torch::Tensor& tokens, DropoutMasks masks) {
  const std::int64_t n = tokens.size(0);
  torch::Tensor inputs = masks.Apply(tokens);
  torch::Tensor pooled;
  if (mean_pool_) {
    pooled = token_out_->forward(Relu(token_in_, inputs)).mean(1);
  } else {
    inputs = torch::cat({class_token_.expand({n, 1, token_size_}), inputs}, 1);
    torch::Tensor x = token_out_->forward(Relu(token_in_, inputs));
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      Layer& layer = layers_[i];
      const std::int64_t rows = i + 1 == layers_.size() ? 1 : x.size(1);
      x = x.narrow(1, 0, rows) + Attend(layer, x, rows, masks);
      const torch::Tensor hidden = torch::gelu(layer.feed_in->forward(layer.feed_norm->forward(x)));
      x = x + masks.Apply(layer.feed_out->forward(hidden));
    }
    pooled = last_norm_->forward(x.select(1, 0));
  }
  const auto parts = posterior_->forward(pooled).chunk(2, 1);
  if (deterministic_) return {parts[0], torch::full_like(parts[0], net::kMinCodeLogDeviation)};
  return {parts[0], parts[1].clamp(net::kMinCodeLogDeviation, net::kMaxCodeLogDeviation)};
}

std::int64_t SetEncoderImpl::mask_count(std::int64_t n, std::int64_t context) const {
  std::int64_t each = context * token_size_;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const std::int64_t tokens = context + 1, rows = i + 1 == layers_.size() ? 1 : tokens;
    each += rows * (heads_ * tokens + 2 * width_);
  }
  return n * each;
}

net::SetEncoder SetEncoderImpl::Export() const {
  net::SetEncoder out;
  out.pooling = mean_pool_ ? net::Pooling::kMean : net::Pooling::kClassToken;
  out.heads = heads_;
  out.token_mlp = ToMlp({token_in_, token_out_});
  torch::nn::Linear posterior = MakeLinear(width_, static_cast<int>(posterior_->bias.size(0)));
  {
    const torch::NoGradGuard no_grad;
    posterior->weight.copy_(posterior_->weight);
    posterior->bias.copy_(posterior_->bias);
    if (deterministic_) {
      const std::int64_t code = posterior->bias.size(0) / 2;
      posterior->weight.narrow(0, code, code).zero_();
      posterior->bias.narrow(0, code, code).fill_(net::kMinCodeLogDeviation);
    }
  }
  out.posterior = ToLayer(posterior);
  if (mean_pool_) return out;
  out.class_token = device::FloatsOf(class_token_);
  for (const Layer& layer : layers_) {
    out.layers.push_back({ToNorm(layer.attention_norm), ToLayer(layer.queries_keys_values),
                          ToLayer(layer.attention_output), ToNorm(layer.feed_norm),
                          ToLayer(layer.feed_in), ToLayer(layer.feed_out)});
  }
  out.last_norm = ToNorm(last_norm_);
  return out;
}

DecoderImpl::DecoderImpl(const RepresentationConfig& config, const RepresentationShape& shape) {
  const int hidden = config.hidden, actions = shape.actions;
  state_in = register_module("state_in", MakeLinear(shape.observations, hidden));
  state_out = register_module("state_out", MakeLinear(hidden, hidden));
  // One layer on [s, h], split in two: the code's half is computed once per context.
  joint_state = register_module("joint_state", MakeLinear(hidden, hidden, /*bias=*/false));
  joint_code = register_module("joint_code", MakeLinear(config.code, hidden));
  joint_hidden = register_module("joint_hidden", MakeLinear(hidden, hidden));
  const bool from_code = config.has_deviation_from_code();
  joint_out = register_module("joint_out", MakeLinear(hidden, from_code ? actions : 2 * actions));
  if (!from_code) return;
  deviation_in = register_module("deviation_in", MakeLinear(config.code, hidden));
  deviation_hidden = register_module("deviation_hidden", MakeLinear(hidden, hidden));
  deviation_out = register_module("deviation_out", MakeLinear(hidden, actions));
}

net::Decoder DecoderImpl::Export() const {
  net::Decoder out;
  out.state_mlp = ToMlp({state_in, state_out});
  out.joint_state = ToLayer(joint_state);
  out.joint_code = ToLayer(joint_code);
  out.joint_mlp = ToMlp({joint_hidden, joint_out});
  out.deviation_source = net::DeviationSource::kStateAndCode;
  if (!deviation_in.is_empty()) {
    out.deviation_source = net::DeviationSource::kCode;
    out.deviation_mlp = ToMlp({deviation_in, deviation_hidden, deviation_out});
  }
  return out;
}

ProjectionsImpl::ProjectionsImpl(const RepresentationConfig& config,
                                 const RepresentationShape& shape) {
  if (config.projection > config.code) {
    Fail("projection is {}; it must not exceed code, {}", config.projection, config.code);
  }
  weights_ =
      register_parameter("weights", torch::zeros({shape.labels, config.projection, config.code}));
  bias_ = register_parameter("bias", torch::zeros({shape.labels, 1, config.projection}));
}

torch::Tensor ProjectionsImpl::forward(const torch::Tensor& code) {
  const std::int64_t labels = weights_.size(0);
  return torch::baddbmm(bias_, code.unsqueeze(0).expand({labels, -1, -1}),
                        weights_.transpose(1, 2));
}

net::Projections ProjectionsImpl::Export() const {
  return {.labels = static_cast<int>(weights_.size(0)),
          .code_size = static_cast<int>(weights_.size(2)),
          .size = static_cast<int>(weights_.size(1)),
          .weights = device::FloatsOf(weights_),
          .bias = device::FloatsOf(bias_)};
}

RepresentationNetwork::RepresentationNetwork(const RepresentationConfig& config,
                                             const RepresentationShape& shape)
    : encoder(config, shape), decoder(config, shape), projections(config, shape) {
  register_module("encoder", encoder);
  register_module("decoder", decoder);
  register_module("projections", projections);
}

void RepresentationNetwork::Initialise(std::uint64_t seed) {
  const torch::NoGradGuard no_grad;
  core::Stream noise(seed, core::Purpose::kRepresentation);
  // Both halves of the joint layer are initialised as one layer with all inputs.
  const auto joint_inputs = static_cast<double>(decoder->joint_state->weight.size(1) +
                                                decoder->joint_code->weight.size(1));
  double inputs = 1;
  for (const auto& parameter : named_parameters()) {
    const std::string& name = parameter.key();
    const torch::Tensor& value = parameter.value();
    if (name.find("norm") != std::string::npos) {
      value.fill_(name.ends_with("weight") ? 1 : 0);
    } else if (name == "encoder.class_token") {
      value.copy_(device::Normal(value.sizes(), 0.02, noise));
    } else if (name == "projections.weights") {
      for (std::int64_t k = 0; k < value.size(0); ++k) {
        value[k].copy_(device::Orthogonal(value.size(1), value.size(2), 1, noise));
      }
    } else if (name == "projections.bias") {
      value.zero_();
    } else {
      // Each bias follows its layer's weight.
      if (name.ends_with("weight")) inputs = static_cast<double>(value.size(1));
      if (name.find("joint_state") != std::string::npos ||
          name.find("joint_code") != std::string::npos) {
        inputs = joint_inputs;
      }
      value.copy_(device::Uniform(value.sizes(), 1 / std::sqrt(inputs), noise));
    }
  }
}

}  // namespace rhumb::learn::representation
