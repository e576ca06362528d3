#include "rhumb/net/set_encoder.h"

#include <algorithm>
#include <cmath>

#include "rhumb/core/error.h"
#include "rhumb/net/kernels.h"

namespace rhumb::net {
namespace {

constexpr float kNormEpsilon = 1e-5f;

// x [rows, width] -> y [rows, width].
void Normalise(const LayerNorm& norm, const float* x, int rows, float* y) {
  const auto width = static_cast<int>(norm.weight.size());
  for (int row = 0; row < rows; ++row, x += width, y += width) {
    float sum = 0;
    for (int i = 0; i < width; ++i) sum += x[i];
    const float mean = sum / static_cast<float>(width);
    float squares = 0;
    for (int i = 0; i < width; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const float scale = 1 / std::sqrt(squares / static_cast<float>(width) + kNormEpsilon);
    for (int i = 0; i < width; ++i) {
      y[i] = (x[i] - mean) * scale * norm.weight[static_cast<std::size_t>(i)] +
             norm.bias[static_cast<std::size_t>(i)];
    }
  }
}

// x [rows, width] += update [rows, stride].
void AddTo(float* x, int width, const float* update, int stride, int rows) {
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < width; ++i) x[row * width + i] += update[row * stride + i];
  }
}

void Write(const LayerNorm& norm, SafetensorsWriter& out, const std::string& name) {
  const auto width = static_cast<std::int64_t>(norm.weight.size());
  out.Add(name + ".weight", {width}, std::span(norm.weight));
  out.Add(name + ".bias", {width}, std::span(norm.bias));
}

LayerNorm ReadNorm(const SafetensorsFile& in, const std::string& name, int width) {
  return {in.Floats(name + ".weight", {width}), in.Floats(name + ".bias", {width})};
}

// Offsets of Encode's buffers in the workspace, for a set of n tokens and width W. D is the size of
// a head.
struct Layout {
  Layout(const SetEncoder& encoder, int tokens);

  std::size_t stream;     // [n, W]: residual stream
  std::size_t normed;     // [n, W]: normalised stream, then the heads' outputs
  std::size_t projected;  // [n, 3W or F, padded]
  std::size_t update;     // [n, W padded]
  std::size_t queries;    // [D, n padded]: one head, transposed
  std::size_t values;     // [D, n]: one head, transposed
  std::size_t scores;     // [n, n padded]: one head, a column per query
  std::size_t mixed;      // [D, n padded]: one head, transposed
  std::size_t zeros;      // [n padded]
  std::size_t network;    // workspace of the token MLP
  std::size_t size = 0;

 private:
  std::size_t Take(int rows, int columns) {
    const std::size_t begin = size;
    size += static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    return begin;
  }
};

Layout::Layout(const SetEncoder& encoder, int tokens) {
  const int width = encoder.token_mlp.outputs();
  const int head_size = width / encoder.heads;
  const int padded = Layer::Padded(tokens);
  int widest = 0;
  for (const TransformerLayer& layer : encoder.layers) {
    widest = std::max(
        {widest, layer.queries_keys_values.padded_outputs(), layer.feed_in.padded_outputs()});
  }
  stream = Take(tokens, width);
  normed = Take(tokens, width);
  projected = Take(tokens, widest);
  update = Take(tokens, std::max(Layer::Padded(width), encoder.posterior.padded_outputs()));
  queries = Take(head_size, padded);
  values = Take(head_size, tokens);
  scores = Take(tokens, padded);
  mixed = Take(head_size, padded);
  zeros = Take(1, padded);
  network = Take(1, static_cast<int>(encoder.token_mlp.workspace_size(tokens)));
}

// softmax(Q K^T / sqrt(D)) V of one head, for the first `rows` of n tokens. All matrices are
// transposed, so the queries lie side by side: S = K Q^T [n, rows], softmax over each column, then
// (V^T S) [D, rows].
//   qkv [n, stride]: this head's queries first, its keys `width` and its values 2 `width` later
//   out [rows, width]: this head's columns
void Attend(const float* qkv, int stride, int width, int head_size, int tokens, int rows,
            const Layout& at, float* workspace, float* out) {
  const int padded = Layer::Padded(rows);
  float* queries = workspace + at.queries;
  float* values = workspace + at.values;
  float* scores = workspace + at.scores;
  float* mixed = workspace + at.mixed;
  const float* zeros = workspace + at.zeros;
  const float scale = 1 / std::sqrt(static_cast<float>(head_size));
  std::fill_n(queries, head_size * padded, 0.0f);
  for (int d = 0; d < head_size; ++d) {
    for (int row = 0; row < rows; ++row) queries[d * padded + row] = scale * qkv[row * stride + d];
    for (int token = 0; token < tokens; ++token) {
      values[d * tokens + token] = qkv[token * stride + 2 * width + d];
    }
  }
  const Kernels& kernels = ActiveKernels();
  kernels.affine({qkv + width, stride, tokens, head_size, queries, zeros, padded, scores});
  kernels.softmax_columns(scores, tokens, padded);
  kernels.affine({values, tokens, head_size, tokens, scores, zeros, padded, mixed});
  for (int row = 0; row < rows; ++row) {
    for (int d = 0; d < head_size; ++d) out[row * width + d] = mixed[d * padded + row];
  }
}

// Adds the layer's attention and feed-forward network to the first `rows` tokens of the stream. The
// other tokens are attended to but not updated.
void ApplyLayer(const TransformerLayer& layer, int heads, int tokens, int rows, const Layout& at,
                float* workspace) {
  const int width = layer.attention_output.inputs;
  const int head_size = width / heads;
  float* stream = workspace + at.stream;
  float* normed = workspace + at.normed;
  float* projected = workspace + at.projected;
  float* update = workspace + at.update;

  Normalise(layer.attention_norm, stream, tokens, normed);
  layer.queries_keys_values.Apply(normed, width, tokens, projected);
  for (int head = 0; head < heads; ++head) {
    Attend(projected + head * head_size, layer.queries_keys_values.padded_outputs(), width,
           head_size, tokens, rows, at, workspace, normed + head * head_size);
  }
  layer.attention_output.Apply(normed, width, rows, update);
  AddTo(stream, width, update, layer.attention_output.padded_outputs(), rows);

  Normalise(layer.feed_norm, stream, rows, normed);
  layer.feed_in.Apply(normed, width, rows, projected);
  const int feed_stride = layer.feed_in.padded_outputs();
  ActiveKernels().gelu(projected, rows * feed_stride);
  layer.feed_out.Apply(projected, feed_stride, rows, update);
  AddTo(stream, width, update, layer.feed_out.padded_outputs(), rows);
}

}  // namespace

std::size_t SetEncoder::workspace_size(int tokens) const { return Layout(*this, tokens + 1).size; }

void SetEncoder::Encode(const float* tokens, int count, float* mean, float* log_deviation,
                        std::span<float> workspace) const {
  const Layout at(*this, count + 1);
  RHUMB_CHECK(count > 0 && workspace.size() >= at.size,
              "{} tokens with {} floats of workspace, {} needed", count, workspace.size(), at.size);
  const int width = token_mlp.outputs();
  float* stream = workspace.data() + at.stream;
  float* pooled = workspace.data() + at.normed;
  const std::span<float> network = workspace.subspan(at.network);
  if (pooling == Pooling::kClassToken) {
    std::fill_n(workspace.data() + at.zeros, Layer::Padded(count + 1), 0.0f);
    token_mlp.Forward(class_token.data(), 1, stream, network);
    token_mlp.Forward(tokens, count, stream + width, network);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      // The last layer updates only the class token, since nothing else is read afterwards.
      const int rows = i + 1 < layers.size() ? count + 1 : 1;
      ApplyLayer(layers[i], heads, count + 1, rows, at, workspace.data());
    }
    Normalise(last_norm, stream, 1, pooled);
  } else {
    token_mlp.Forward(tokens, count, stream, network);
    std::fill_n(pooled, width, 0.0f);
    for (int token = 0; token < count; ++token) AddTo(pooled, width, stream + token * width, 0, 1);
    for (int i = 0; i < width; ++i) pooled[i] /= static_cast<float>(count);
  }
  const float* outputs = workspace.data() + at.update;
  posterior.Apply(pooled, width, 1, workspace.data() + at.update);
  std::copy_n(outputs, code_size(), mean);
  for (int i = 0; i < code_size(); ++i) {
    log_deviation[i] =
        std::clamp(outputs[code_size() + i], kMinCodeLogDeviation, kMaxCodeLogDeviation);
  }
}

void SetEncoder::Write(SafetensorsWriter& out, const std::string& prefix) const {
  token_mlp.Write(out, prefix + "token");
  posterior.Write(out, prefix + "posterior");
  if (pooling == Pooling::kMean) return;
  out.Add(prefix + "class_token", {token_size()}, std::span(class_token));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string name = fmt::format("{}layers.{}.", prefix, i);
    net::Write(layers[i].attention_norm, out, name + "attention_norm");
    layers[i].queries_keys_values.Write(out, name + "queries_keys_values");
    layers[i].attention_output.Write(out, name + "attention_output");
    net::Write(layers[i].feed_norm, out, name + "feed_norm");
    layers[i].feed_in.Write(out, name + "feed_in");
    layers[i].feed_out.Write(out, name + "feed_out");
  }
  net::Write(last_norm, out, prefix + "last_norm");
}

SetEncoder SetEncoder::Read(const SafetensorsFile& in, const std::string& prefix, Pooling pooling,
                            int heads) {
  SetEncoder encoder;
  encoder.pooling = pooling;
  encoder.heads = heads;
  encoder.token_mlp = Mlp::Read(in, prefix + "token", Activation::kRelu);
  const int width = encoder.token_mlp.outputs();
  if (heads < 1 || width % heads != 0) {
    Fail("{}: the encoder's width of {} cannot be split into {} heads", in.place(), width, heads);
  }
  encoder.posterior = Layer::Read(in, prefix + "posterior", width);
  if (encoder.posterior.outputs % 2 != 0) {
    Fail("{}: '{}posterior.weight' has {} outputs, expected an even number", in.place(), prefix,
         encoder.posterior.outputs);
  }
  if (pooling == Pooling::kMean) return encoder;
  encoder.class_token = in.Floats(prefix + "class_token", {encoder.token_size()});
  for (int i = 0; in.Has(fmt::format("{}layers.{}.feed_in.weight", prefix, i)); ++i) {
    const std::string name = fmt::format("{}layers.{}.", prefix, i);
    TransformerLayer layer;
    layer.attention_norm = ReadNorm(in, name + "attention_norm", width);
    layer.queries_keys_values = Layer::Read(in, name + "queries_keys_values", width, 3 * width);
    layer.attention_output = Layer::Read(in, name + "attention_output", width, width);
    layer.feed_norm = ReadNorm(in, name + "feed_norm", width);
    layer.feed_in = Layer::Read(in, name + "feed_in", width);
    layer.feed_out = Layer::Read(in, name + "feed_out", layer.feed_in.outputs, width);
    encoder.layers.push_back(std::move(layer));
  }
  encoder.last_norm = ReadNorm(in, prefix + "last_norm", width);
  return encoder;
}

}  // namespace rhumb::net
