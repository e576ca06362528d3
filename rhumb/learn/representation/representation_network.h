// The trained networks (libtorch). net/set_encoder.h and net/decoder.h compute the same without
// libtorch; Export converts to them.
//
//   tokens [n, C, T] -> SetEncoder -> mean, log-deviation [n, H]
//   states [n, Q, O], code [n, H] -> Decoder -> mean, log-deviation [n, Q, A]
//   code [n, H] -> Projections -> z [K, n, Z]
#pragma once

#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "rhumb/learn/device/ranks.h"
#include "rhumb/learn/representation/representation_config.h"
#include "rhumb/net/decoder.h"
#include "rhumb/net/set_encoder.h"
#include "rhumb/net/value_heads.h"

namespace rhumb::learn::representation {

struct RepresentationShape {
  int observations = 1;  // O
  int actions = 1;       // A
  int labels = 1;        // K
};

// The dropout masks of one pass: slices of one array of 0 and 1/(1-p), so all are drawn at once.
// Without an array nothing is dropped. A rank passes only its share of the rows, and takes their
// part of each mask.
class DropoutMasks {
 public:
  DropoutMasks() = default;
  DropoutMasks(torch::Tensor flat, double rate, const device::Ranks& ranks = {})
      : flat_(std::move(flat)), rate_(flat_.defined() ? rate : 0), ranks_(ranks) {}
  torch::Tensor Apply(const torch::Tensor& values);
  double rate() const { return rate_; }

 private:
  torch::Tensor flat_;
  double rate_ = 0;  // p
  device::Ranks ranks_;
  std::int64_t used_ = 0;
};

struct Gaussian {
  torch::Tensor mean, log_deviation;
};

class SetEncoderImpl : public torch::nn::Module {
 public:
  SetEncoderImpl(const RepresentationConfig& config, const RepresentationShape& shape);
  Gaussian forward(const torch::Tensor& tokens, DropoutMasks masks);
  // Number of mask elements for a pass over [n, C, T].
  std::int64_t mask_count(std::int64_t n, std::int64_t context) const;
  // An autoencoder, which has no posterior, exports one of zero width.
  net::SetEncoder Export() const;

 private:
  struct Layer {
    torch::nn::LayerNorm attention_norm{nullptr}, feed_norm{nullptr};
    torch::nn::Linear queries_keys_values{nullptr}, attention_output{nullptr};
    torch::nn::Linear feed_in{nullptr}, feed_out{nullptr};
  };
  torch::Tensor Attend(const Layer& layer, const torch::Tensor& x, std::int64_t rows,
                       DropoutMasks& masks) const;

  int token_size_, width_, heads_;
  bool mean_pool_, deterministic_;
  torch::Tensor class_token_;  // [T]
  torch::nn::Linear token_in_{nullptr}, token_out_{nullptr};
  std::vector<Layer> layers_;
  torch::nn::LayerNorm last_norm_{nullptr};
  torch::nn::Linear posterior_{nullptr};
};
TORCH_MODULE(SetEncoder);

// Holds the parameters; Reconstruction does the computation. The layers stand in the order of the
// parameters; those of the deviation are empty unless it depends on the code alone.
struct DecoderImpl : torch::nn::Module {
  DecoderImpl(const RepresentationConfig& config, const RepresentationShape& shape);
  net::Decoder Export() const;

  torch::nn::Linear state_in{nullptr}, state_out{nullptr};
  torch::nn::Linear joint_state{nullptr}, joint_code{nullptr};  // joint_state has no bias
  torch::nn::Linear joint_hidden{nullptr}, joint_out{nullptr};
  torch::nn::Linear deviation_in{nullptr}, deviation_hidden{nullptr}, deviation_out{nullptr};
};
TORCH_MODULE(Decoder);

class ProjectionsImpl : public torch::nn::Module {
 public:
  ProjectionsImpl(const RepresentationConfig& config, const RepresentationShape& shape);
  torch::Tensor forward(const torch::Tensor& code);
  torch::Tensor& weights() { return weights_; }  // [K, Z, H]
  net::Projections Export() const;

 private:
  torch::Tensor weights_, bias_;  // [K, Z, H], [K, 1, Z]
};
TORCH_MODULE(Projections);

// Its parameters are those of encoder, decoder and projections, in this order.
struct RepresentationNetwork : torch::nn::Module {
  RepresentationNetwork(const RepresentationConfig& config, const RepresentationShape& shape);

  // Draws every parameter from `seed`. Linear layers are uniform within 1/sqrt(inputs) as in
  // PyTorch, projections semi-orthonormal, the class token N(0, 0.02^2). Norms start at 1 and 0.
  void Initialise(std::uint64_t seed);

  SetEncoder encoder;
  Decoder decoder;
  Projections projections;
};

}  // namespace rhumb::learn::representation
