#include "rhumb/learn/representation/cpu_decoder_gradient.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>

#include "rhumb/core/error.h"
#include "rhumb/net/decoder.h"

namespace rhumb::learn::representation {
namespace {

// Small enough that the activations of a piece stay in a core's second-level cache.
constexpr std::int64_t kPieceRows = 256;

// y = x W^T
void Multiply(torch::Tensor& y, const torch::Tensor& x, const torch::Tensor& weight) {
  at::mm_out(y, x, weight.t());
}

// dx = dy W
void MultiplyBack(torch::Tensor& x_gradient, const torch::Tensor& y_gradient,
                  const torch::Tensor& weight) {
  at::mm_out(x_gradient, y_gradient, weight);
}

// dW += dy^T x
void AddProduct(torch::Tensor& weight_gradient, const torch::Tensor& y_gradient,
                const torch::Tensor& x) {
  at::addmm_out(weight_gradient, weight_gradient, y_gradient.t(), x);
}

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

void Activate(torch::Tensor& y, const torch::Tensor& bias) {
  Activate(y.data_ptr<float>(), bias.data_ptr<float>(), y.size(0), y.size(1));
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

void Deactivate(torch::Tensor& g, const torch::Tensor& y, torch::Tensor& sum) {
  Deactivate(g.data_ptr<float>(), y.data_ptr<float>(), sum.data_ptr<float>(), g.size(0), g.size(1));
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
    : actions_(shape.actions), deviation_from_code_(config.has_deviation_from_code()) {
  const torch::NoGradGuard no_grad;
  std::int64_t count = 0;
  for (const torch::Tensor& parameter : decoder->parameters()) count += parameter.numel();
  flat_gradient_ = torch::zeros({count});
  std::int64_t offset = 0;
  for (const torch::Tensor& parameter : decoder->parameters()) {
    gradients_.push_back(
        flat_gradient_.narrow(0, offset, parameter.numel()).view(parameter.sizes()));
    offset += parameter.numel();
  }
  state_in_ = FindLayer(decoder, "state_in");
  state_out_ = FindLayer(decoder, "state_out");
  joint_state_ = FindLayer(decoder, "joint_state");
  joint_code_ = FindLayer(decoder, "joint_code");
  joint_hidden_ = FindLayer(decoder, "joint_hidden");
  joint_out_ = FindLayer(decoder, "joint_out");
  if (deviation_from_code_) {
    deviation_in_ = FindLayer(decoder, "deviation_in");
    deviation_hidden_ = FindLayer(decoder, "deviation_hidden");
    deviation_out_ = FindLayer(decoder, "deviation_out");
  }
  for (torch::Tensor* buffer :
       {&states_, &state1_, &state2_, &joint1_, &joint2_, &out_, &out_gradient_, &gradient1_,
        &gradient2_, &share_, &deviation1_, &deviation2_, &deviation_, &share_gradient_,
        &deviation1_gradient_, &deviation2_gradient_, &deviation_gradient_}) {
    *buffer = torch::empty({0, 0});
  }
}

CpuDecoderGradient::Layer CpuDecoderGradient::FindLayer(const Decoder& decoder,
                                                        const char* name) const {
  Layer layer;
  std::size_t index = 0;
  for (const auto& item : decoder->named_parameters()) {
    if (item.key() == std::string(name) + ".weight") {
      layer.weight = item.value().detach();
      layer.weight_gradient = gradients_[index];
    } else if (item.key() == std::string(name) + ".bias") {
      layer.bias = item.value().detach();
      layer.bias_gradient = gradients_[index];
    }
    ++index;
  }
  RHUMB_CHECK(layer.weight.defined(), "the decoder has no layer '{}'", name);
  return layer;
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
  Multiply(share_, code, joint_code_.weight);
  AddBias(share_, joint_code_.bias);
  if (!deviation_from_code_) return;
  Multiply(deviation1_, code, deviation_in_.weight);
  Activate(deviation1_, deviation_in_.bias);
  Multiply(deviation2_, deviation1_, deviation_hidden_.weight);
  Activate(deviation2_, deviation_hidden_.bias);
  Multiply(deviation_, deviation2_, deviation_out_.weight);
  AddBias(deviation_, deviation_out_.bias);
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
  Multiply(state1_, states_, state_in_.weight);
  Activate(state1_, state_in_.bias);
  Multiply(state2_, state1_, state_out_.weight);
  Activate(state2_, state_out_.bias);
  Multiply(joint1_, state2_, joint_state_.weight);
  const std::int64_t hidden = joint1_.size(1);
  ForEachContext(piece.begin, piece.end, queries.queries,
                 [&](std::int64_t context, std::int64_t first, std::int64_t rows) {
                   Activate(joint1_.data_ptr<float>() + first * hidden,
                            share_.data_ptr<float>() + context * hidden, rows, hidden);
                 });
  Multiply(joint2_, joint1_, joint_hidden_.weight);
  Activate(joint2_, joint_hidden_.bias);
  Multiply(out_, joint2_, joint_out_.weight);
  AddBias(out_, joint_out_.bias);
}

// Per query, with l = log sigma clamped to its range, e = (mu - t)^2 + sigma_t^2 (0 for actions):
//   KL:   sum_d l - l_t + e / (2 sigma^2) - 1/2
//   NLL:  sum_d l + e / (2 sigma^2) + log(2 pi) / 2
// Gradient by mu: (mu - t) / sigma^2; by l: 1 - e / sigma^2, and 0 out of range.
double CpuDecoderGradient::Compare(const Targets& targets, const QueryRows& queries, Piece piece,
                                   double weight) {
  const bool has_teacher = targets.log_deviations.defined();
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
      const float precision = std::exp(-2 * l);
      const float difference = out[d] - means[row * actions_ + d];
      float scaled = difference * difference * precision, term = l + constant;
      if (has_teacher) {
        const float spread = spreads[row * actions_ + d];
        scaled += std::exp(2 * (spread - l));
        term -= spread;
      }
      loss += static_cast<double>(term + 0.5f * scaled);
      gradient[d] = difference * precision * scale;
      if (l == deviation[d]) deviation_gradient[d] += (1 - scaled) * scale;
    }
  }
  return loss;
}

// Backpropagates from g = dloss/dout. A layer with input y gets dW += g^T y and db += sum g; the
// layer below gets g <- (g W) [y > 0].
void CpuDecoderGradient::RunBackward(const QueryRows& queries, Piece piece) {
  AddProduct(joint_out_.weight_gradient, out_gradient_, joint2_);
  AddRows(joint_out_.bias_gradient, out_gradient_);

  MultiplyBack(gradient1_, out_gradient_, joint_out_.weight);
  Deactivate(gradient1_, joint2_, joint_hidden_.bias_gradient);
  AddProduct(joint_hidden_.weight_gradient, gradient1_, joint1_);

  MultiplyBack(gradient2_, gradient1_, joint_hidden_.weight);
  const std::int64_t hidden = joint1_.size(1);
  ForEachContext(piece.begin, piece.end, queries.queries,
                 [&](std::int64_t context, std::int64_t first, std::int64_t rows) {
                   Deactivate(gradient2_.data_ptr<float>() + first * hidden,
                              joint1_.data_ptr<float>() + first * hidden,
                              share_gradient_.data_ptr<float>() + context * hidden, rows, hidden);
                 });
  AddProduct(joint_state_.weight_gradient, gradient2_, state2_);

  MultiplyBack(gradient1_, gradient2_, joint_state_.weight);
  Deactivate(gradient1_, state2_, state_out_.bias_gradient);
  AddProduct(state_out_.weight_gradient, gradient1_, state1_);

  MultiplyBack(gradient2_, gradient1_, state_out_.weight);
  Deactivate(gradient2_, state1_, state_in_.bias_gradient);
  AddProduct(state_in_.weight_gradient, gradient2_, states_);
}

// The same for the layers computed once per context; the code gradient sums both paths.
void CpuDecoderGradient::RunCodeBackward(const torch::Tensor& code, torch::Tensor& code_gradient) {
  AddProduct(joint_code_.weight_gradient, share_gradient_, code);
  AddRows(joint_code_.bias_gradient, share_gradient_);
  MultiplyBack(code_gradient, share_gradient_, joint_code_.weight);
  if (!deviation_from_code_) return;

  AddProduct(deviation_out_.weight_gradient, deviation_gradient_, deviation2_);
  AddRows(deviation_out_.bias_gradient, deviation_gradient_);

  MultiplyBack(deviation2_gradient_, deviation_gradient_, deviation_out_.weight);
  Deactivate(deviation2_gradient_, deviation2_, deviation_hidden_.bias_gradient);
  AddProduct(deviation_hidden_.weight_gradient, deviation2_gradient_, deviation1_);

  MultiplyBack(deviation1_gradient_, deviation2_gradient_, deviation_hidden_.weight);
  Deactivate(deviation1_gradient_, deviation1_, deviation_in_.bias_gradient);
  AddProduct(deviation_in_.weight_gradient, deviation1_gradient_, code);
  at::addmm_out(code_gradient, code_gradient, deviation1_gradient_, deviation_in_.weight);
}

}  // namespace rhumb::learn::representation
