#include "rhumb/learn/representation/cpu_decoder_gradient.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "rhumb/core/error.h"
#include "rhumb/net/decoder.h"

namespace rhumb::learn::representation {
namespace {

// Small enough that the activations of a piece stay in a core's second-level cache.
constexpr std::int64_t kPieceRows = 256;

// y = y + b
void AddBias(torch::Tensor& y, const torch::Tensor& bias) {
  const std::int64_t rows = y.size(0), columns = y.size(1);
  float* __restrict values = y.data_ptr<float>();
  const float* __restrict b = bias.data_ptr<float>();
  for (std::int64_t r = 0; r < rows; ++r, values += columns) {
    for (std::int64_t i = 0; i < columns; ++i) values[i] += b[i];
  }
}

// y = max(y + b, 0) for some rows of y; NaN stays NaN.
void Activate(float* __restrict y, const float* __restrict bias, std::int64_t rows,
              std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r, y += columns) {
    for (std::int64_t i = 0; i < columns; ++i) y[i] = std::max(y[i] + bias[i], 0.0f);
  }
}

// g = g [y > 0] for some rows of y = max(.., 0), and sum += the rows of g.
void Deactivate(float* __restrict g, const float* __restrict y, float* __restrict sum,
                std::int64_t rows, std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r, g += columns, y += columns) {
    for (std::int64_t i = 0; i < columns; ++i) {
      const float value = y[i] <= 0 ? 0.0f : g[i];
      g[i] = value;
      sum[i] += value;
    }
  }
}

// sum += the rows of g
void AddRows(torch::Tensor& sum, const torch::Tensor& g) {
  const std::int64_t rows = g.size(0), columns = g.size(1);
  const float* __restrict values = g.data_ptr<float>();
  float* __restrict out = sum.data_ptr<float>();
  for (std::int64_t r = 0; r < rows; ++r, values += columns) {
    for (std::int64_t i = 0; i < columns; ++i) out[i] += values[i];
  }
}

// y = x W^T
void Multiply(const DecoderLayer& layer, const torch::Tensor& x, torch::Tensor& y) {
  at::mm_out(y, x, layer.weight.t());
}

// y = x W^T + b
void Apply(const DecoderLayer& layer, const torch::Tensor& x, torch::Tensor& y) {
  Multiply(layer, x, y);
  AddBias(y, layer.bias);
}

// y = max(x W^T + b, 0)
void ApplyRelu(const DecoderLayer& layer, const torch::Tensor& x, torch::Tensor& y) {
  Multiply(layer, x, y);
  Activate(y.data_ptr<float>(), layer.bias.data_ptr<float>(), y.size(0), y.size(1));
}

// dW += g^T x
void AddProduct(DecoderLayer& layer, const torch::Tensor& g, const torch::Tensor& x) {
  at::addmm_out(layer.weight_gradient, layer.weight_gradient, g.t(), x);
}

// dW += g^T x and db += sum g for a layer without activation.
void AddGradient(DecoderLayer& layer, const torch::Tensor& g, const torch::Tensor& x) {
  AddProduct(layer, g, x);
  AddRows(layer.bias_gradient, g);
}

// Backpropagates the gradient `above_g` of the output of the layer `above` to its input y, which is
// the output of `layer` for input x: g = (above_g W) [y > 0], dW += g^T x and db += sum g.
void BackThrough(const DecoderLayer& above, const torch::Tensor& above_g, const torch::Tensor& y,
                 DecoderLayer& layer, const torch::Tensor& x, torch::Tensor& g) {
  at::mm_out(g, above_g, above.weight);
  Deactivate(g.data_ptr<float>(), y.data_ptr<float>(), layer.bias_gradient.data_ptr<float>(),
             g.size(0), g.size(1));
  AddProduct(layer, g, x);
}

// Calls task(context, first row, rows) for every context in the rows [begin, end); rows count from
// `begin`.
template <typename Task>
void ForEachContext(std::int64_t begin, std::int64_t end, std::int64_t queries, const Task& task) {
  for (std::int64_t row = begin; row < end;) {
    const std::int64_t context = row / queries, last = std::min(end, (context + 1) * queries);
    task(context, row - begin, last - row);
    row = last;
  }
}

}  // namespace

CpuDecoderGradient::CpuDecoderGradient(const RepresentationConfig& config,
                                       const RepresentationShape& shape, const Decoder& decoder)
    : actions_(shape.actions),
      deviation_from_code_(config.has_deviation_from_code()),
      split_kl_(config.splits_kl()) {
  const torch::NoGradGuard no_grad;
  std::int64_t count = 0, offset = 0;
  for (const torch::Tensor& parameter : decoder->parameters()) count += parameter.numel();
  flat_gradient_ = torch::zeros({count});
  const auto add = [&](const torch::Tensor& parameter) {
    gradients_.push_back(
        flat_gradient_.narrow(0, offset, parameter.numel()).view(parameter.sizes()));
    offset += parameter.numel();
    return gradients_.back();
  };
  const auto view = [&](const torch::nn::Linear& linear) {
    DecoderLayer layer;
    layer.weight = linear->weight.detach();
    layer.weight_gradient = add(linear->weight);
    if (linear->bias.defined()) {
      layer.bias = linear->bias.detach();
      layer.bias_gradient = add(linear->bias);
    }
    return layer;
  };
  // In the order of the parameters.
  state_in_ = view(decoder->state_in);
  state_out_ = view(decoder->state_out);
  joint_state_ = view(decoder->joint_state);
  joint_code_ = view(decoder->joint_code);
  joint_hidden_ = view(decoder->joint_hidden);
  joint_out_ = view(decoder->joint_out);
  if (deviation_from_code_) {
    deviation_in_ = view(decoder->deviation_in);
    deviation_hidden_ = view(decoder->deviation_hidden);
    deviation_out_ = view(decoder->deviation_out);
  }
  for (torch::Tensor* buffer :
       {&states_, &state1_, &state2_, &joint1_, &joint2_, &out_, &out_gradient_, &gradient1_,
        &gradient2_, &share_, &deviation1_, &deviation2_, &deviation_, &share_gradient_,
        &deviation1_gradient_, &deviation2_gradient_, &deviation_gradient_}) {
    *buffer = torch::empty({0, 0});
  }
}

// Allocates only if a buffer has to grow.
void CpuDecoderGradient::Reserve(std::int64_t contexts, std::int64_t rows) {
  const std::int64_t hidden = joint_state_.weight.size(0), outputs = joint_out_.weight.size(0);
  states_.resize_({rows, state_in_.weight.size(1)});
  for (torch::Tensor* buffer : {&state1_, &state2_, &joint1_, &joint2_, &gradient1_, &gradient2_}) {
    buffer->resize_({rows, hidden});
  }
  out_.resize_({rows, outputs});
  out_gradient_.resize_({rows, outputs});
  share_.resize_({contexts, hidden});
  share_gradient_.resize_({contexts, hidden});
  if (!deviation_from_code_) return;
  for (torch::Tensor* buffer :
       {&deviation1_, &deviation2_, &deviation1_gradient_, &deviation2_gradient_}) {
    buffer->resize_({contexts, hidden});
  }
  deviation_.resize_({contexts, actions_});
  deviation_gradient_.resize_({contexts, actions_});
}

double CpuDecoderGradient::Compute(const Targets& targets, const QueryRows& queries,
                                   const torch::Tensor& code, double weight,
                                   torch::Tensor code_gradient) {
  const torch::NoGradGuard no_grad;
  const std::int64_t rows = queries.contexts * queries.queries;
  Reserve(queries.contexts, std::min(rows, kPieceRows));
  flat_gradient_.zero_();
  share_gradient_.zero_();
  deviation_gradient_.zero_();
  RunCodeForward(code);
  double loss = 0;
  for (std::int64_t begin = 0; begin < rows; begin += kPieceRows) {
    const Piece piece{begin, std::min(begin + kPieceRows, rows)};
    if (piece.end - piece.begin < states_.size(0)) {
      Reserve(queries.contexts, piece.end - piece.begin);
    }
    RunForward(targets, queries, piece);
    loss += Compare(targets, queries, piece, weight);
    RunBackward(queries, piece);
  }
  RunCodeBackward(code, code_gradient);
  return loss;
}

// c = Wc h + bc,  d1 = relu(W h + b),  d2 = relu(W d1 + b),  log-deviation = W d2 + b before
// clamping.
void CpuDecoderGradient::RunCodeForward(const torch::Tensor& code) {
  Apply(joint_code_, code, share_);
  if (!deviation_from_code_) return;
  ApplyRelu(deviation_in_, code, deviation1_);
  ApplyRelu(deviation_hidden_, deviation1_, deviation2_);
  Apply(deviation_out_, deviation2_, deviation_);
}

// s1 = relu(W x + b),  s2 = relu(W s1 + b),  j1 = relu(Wj s2 + c),  j2 = relu(W j1 + b),
// out = W j2 + b
void CpuDecoderGradient::RunForward(const Targets& targets, const QueryRows& queries, Piece piece) {
  const std::int64_t size = targets.states.size(1), known = targets.states.size(0);
  const float* from = targets.states.data_ptr<float>();
  float* to = states_.data_ptr<float>();
  for (std::int64_t r = piece.begin; r < piece.end; ++r, to += size) {
    const std::int64_t row = queries.rows[r];
    RHUMB_CHECK(row >= 0 && row < known, "row {} of {}", row, known);
    std::memcpy(to, from + row * size, static_cast<std::size_t>(size) * sizeof(float));
  }
  ApplyRelu(state_in_, states_, state1_);
  ApplyRelu(state_out_, state1_, state2_);
  Multiply(joint_state_, state2_, joint1_);
  const std::int64_t hidden = joint1_.size(1);
  ForEachContext(piece.begin, piece.end, queries.queries,
                 [&](std::int64_t context, std::int64_t first, std::int64_t rows) {
                   Activate(joint1_.data_ptr<float>() + first * hidden,
                            share_.data_ptr<float>() + context * hidden, rows, hidden);
                 });
  ApplyRelu(joint_hidden_, joint1_, joint2_);
  Apply(joint_out_, joint2_, out_);
}

// Per query, with l = log sigma clamped to its range, e = (mu - t)^2 + sigma_t^2 (0 for actions):
//   KL:   sum_d l - l_t + e / (2 sigma^2) - 1/2
//   NLL:  sum_d l + e / (2 sigma^2) + log(2 pi) / 2
// Gradient by mu: (mu - t) / sigma^2; by l: 1 - e / sigma^2, and 0 out of range.
//
// Its minimum over sigma is e: an error of the mean widens the decoder's noise. A split KL fits the
// deviation to the teacher's alone, and weighs the mean's error by the teacher's deviation:
//   sum_d l - l_t + sigma_t^2 / (2 sigma^2) - 1/2 + (mu - t)^2 / (2 sigma_t^2)
// Gradient by mu: (mu - t) / sigma_t^2; by l: 1 - sigma_t^2 / sigma^2.
double CpuDecoderGradient::Compare(const Targets& targets, const QueryRows& queries, Piece piece,
                                   double weight) {
  const bool has_teacher = targets.log_deviations.defined(), split = has_teacher && split_kl_;
  const float* means = targets.means.data_ptr<float>();
  const float* spreads = has_teacher ? targets.log_deviations.data_ptr<float>() : nullptr;
  const auto scale = static_cast<float>(weight);
  const std::int64_t outputs = out_.size(1);
  const auto constant =
      has_teacher ? -0.5f : static_cast<float>(0.5 * std::log(2 * std::numbers::pi));
  double loss = 0;
  for (std::int64_t r = piece.begin; r < piece.end; ++r) {
    const float* out = out_.data_ptr<float>() + (r - piece.begin) * outputs;
    float* gradient = out_gradient_.data_ptr<float>() + (r - piece.begin) * outputs;
    const float* deviation = out + actions_;
    float* deviation_gradient = gradient + actions_;
    if (deviation_from_code_) {
      const std::int64_t context = r / queries.queries;
      deviation = deviation_.data_ptr<float>() + context * actions_;
      deviation_gradient = deviation_gradient_.data_ptr<float>() + context * actions_;
    } else {
      std::fill_n(deviation_gradient, actions_, 0.0f);
    }
    const std::int64_t row = queries.rows[r];
    for (std::int64_t d = 0; d < actions_; ++d) {
      const float l =
          std::clamp(deviation[d], net::kMinActionLogDeviation, net::kMaxActionLogDeviation);
      const float precision = std::exp(-2 * (split ? spreads[row * actions_ + d] : l));
      const float difference = out[d] - means[row * actions_ + d];
      const float error = difference * difference * precision;
      float variance = 0, term = l + constant;  // sigma_t^2 / sigma^2
      if (has_teacher) {
        const float spread = spreads[row * actions_ + d];
        variance = std::exp(2 * (spread - l));
        term -= spread;
      }
      const float scaled = error + variance;
      loss += static_cast<double>(term + 0.5f * scaled);
      gradient[d] = difference * precision * scale;
      if (l == deviation[d]) deviation_gradient[d] += (1 - (split ? variance : scaled)) * scale;
    }
  }
  return loss;
}

void CpuDecoderGradient::RunBackward(const QueryRows& queries, Piece piece) {
  AddGradient(joint_out_, out_gradient_, joint2_);
  BackThrough(joint_out_, out_gradient_, joint2_, joint_hidden_, joint1_, gradient1_);

  // The bias of the joint layer is the code's share, one row per context.
  at::mm_out(gradient2_, gradient1_, joint_hidden_.weight);
  const std::int64_t hidden = joint1_.size(1);
  ForEachContext(piece.begin, piece.end, queries.queries,
                 [&](std::int64_t context, std::int64_t first, std::int64_t rows) {
                   Deactivate(gradient2_.data_ptr<float>() + first * hidden,
                              joint1_.data_ptr<float>() + first * hidden,
                              share_gradient_.data_ptr<float>() + context * hidden, rows, hidden);
                 });
  AddProduct(joint_state_, gradient2_, state2_);

  BackThrough(joint_state_, gradient2_, state2_, state_out_, state1_, gradient1_);
  BackThrough(state_out_, gradient1_, state1_, state_in_, states_, gradient2_);
}

// The same for the layers computed once per context; the code gradient sums both paths.
void CpuDecoderGradient::RunCodeBackward(const torch::Tensor& code, torch::Tensor& code_gradient) {
  AddGradient(joint_code_, share_gradient_, code);
  at::mm_out(code_gradient, share_gradient_, joint_code_.weight);
  if (!deviation_from_code_) return;
  AddGradient(deviation_out_, deviation_gradient_, deviation2_);
  BackThrough(deviation_out_, deviation_gradient_, deviation2_, deviation_hidden_, deviation1_,
              deviation2_gradient_);
  BackThrough(deviation_hidden_, deviation2_gradient_, deviation1_, deviation_in_, code,
              deviation1_gradient_);
  at::addmm_out(code_gradient, code_gradient, deviation1_gradient_, deviation_in_.weight);
}

}  // namespace rhumb::learn::representation
