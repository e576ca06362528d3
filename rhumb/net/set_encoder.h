// The encoder g of the paper: an unordered set of state-action pairs -> a Gaussian over codes.
//
//   a learnt class token [T], then tokens [C, T]
//     -> token MLP (T -> 256 -> 32, ReLU)
//     -> layers: x += Attention(Norm(x)), x += Feed(Norm(x)); no positions, so order has no effect
//     -> Norm of the class token -> linear -> mean [H], log standard deviation [H] in [-10, 2]
// The mean-pool baseline: tokens -> token MLP -> average -> linear.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "rhumb/net/mlp.h"
#include "rhumb/net/safetensors.h"

namespace rhumb::net {

// How the tokens of a set are combined into one vector.
enum class Pooling { kClassToken, kMean };

constexpr float kMinCodeLogDeviation = -10, kMaxCodeLogDeviation = 2;

// y = (x - mean(x)) / sqrt(var(x) + 1e-5) * weight + bias over the last axis.
struct LayerNorm {
  std::vector<float> weight, bias;
};

// One pre-norm transformer layer of width W, with exact (erf) GELU. Each head has W / heads
// numbers.
struct TransformerLayer {
  LayerNorm attention_norm;
  Layer queries_keys_values;  // W -> 3W: all queries, then all keys, then all values
  Layer attention_output;     // W -> W
  LayerNorm feed_norm;
  Layer feed_in, feed_out;  // W -> F -> W
};

// Constant and thread-safe once filled in; each caller brings its own workspace.
struct SetEncoder {
  Pooling pooling = Pooling::kClassToken;
  int heads = 4;
  std::vector<float> class_token;  // [T]; empty for mean-pool
  Mlp token_mlp;                   // T -> 256 -> W
  std::vector<TransformerLayer> layers;
  LayerNorm last_norm;
  Layer posterior;  // W -> 2H: means, then log standard deviations

  int token_size() const { return token_mlp.inputs(); }
  int code_size() const { return posterior.outputs / 2; }

  // Number of floats that Encode needs for a set of `tokens` tokens.
  std::size_t workspace_size(int tokens) const;

  // tokens [count, T], normalised -> mean [H] and log_deviation [H], clamped. Allocates nothing.
  void Encode(const float* tokens, int count, float* mean, float* log_deviation,
              std::span<float> workspace) const;

  void Write(SafetensorsWriter& out, const std::string& prefix) const;
  // Throws Error with the array and the file if the shapes disagree.
  static SetEncoder Read(const SafetensorsFile& in, const std::string& prefix, Pooling pooling,
                         int heads);
};

}  // namespace rhumb::net
