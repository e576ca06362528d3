#include "rhumb/learn/representation/gpu_decoder_gradient.h"

#include <cmath>
#include <numbers>
#include <string>

#include "rhumb/core/error.h"
#include "rhumb/net/decoder.h"

namespace rhumb::learn::representation {
namespace {

torch::Tensor Gather(const torch::Tensor& from, const torch::Tensor& rows) {
  return from.index_select(0, rows.reshape({-1}));
}

// dx = (dy W) [x > 0] for x = max(.., 0)
torch::Tensor BackThrough(const torch::Tensor& y_gradient, const torch::Tensor& weight,
                          const torch::Tensor& x) {
  return at::threshold_backward(y_gradient.mm(weight), x, 0);
}

}  // namespace

GpuDecoderGradient::GpuDecoderGradient(const RepresentationConfig& config,
                                       const RepresentationShape& shape, const Decoder& decoder)
    : actions_(shape.actions), deviation_from_code_(config.has_deviation_from_code()) {
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
}

GpuDecoderGradient::Layer GpuDecoderGradient::FindLayer(const Decoder& decoder,
                                                        const char* name) const {
  Layer layer;
  for (const auto& item : decoder->named_parameters()) {
    if (item.key() == std::string(name) + ".weight") {
      layer.parameter_w = item.value();
      layer.weight = item.value().detach();
    } else if (item.key() == std::string(name) + ".bias") {
      layer.parameter_b = item.value();
      layer.bias = item.value().detach();
    }
  }
  RHUMB_CHECK(layer.weight.defined(), "the decoder has no layer '{}'", name);
  return layer;
}

torch::Tensor GpuDecoderGradient::Apply(const Layer& layer, const torch::Tensor& x) {
  return layer.bias.defined() ? at::addmm(layer.bias, x, layer.weight.t()) : x.mm(layer.weight.t());
}

// dW = dy^T x, db = sum of the rows of dy
void GpuDecoderGradient::Add(const Layer& layer, const torch::Tensor& y_gradient,
                             const torch::Tensor& x) {
  torch::Tensor& weight = layer.parameter_w.mutable_grad();
  if (weight.defined()) {
    weight.addmm_(y_gradient.t(), x);
  } else {
    weight = y_gradient.t().mm(x);
  }
  if (!layer.bias.defined()) return;
  torch::Tensor& bias = layer.parameter_b.mutable_grad();
  bias = bias.defined() ? bias + y_gradient.sum(0) : y_gradient.sum(0);
}

void GpuDecoderGradient::RunStates(const Targets& targets, const torch::Tensor& rows) {
  const torch::NoGradGuard no_grad;
  contexts_ = rows.size(0);
  states_ = Gather(targets.states, rows);
  wanted_ = Gather(targets.means, rows);
  if (targets.log_deviations.defined()) {
    wanted_log_deviation_ = Gather(targets.log_deviations, rows);
    wanted_variance_ = (2 * wanted_log_deviation_).exp_();
  } else {
    wanted_log_deviation_ = wanted_variance_ = torch::Tensor();
  }
  state1_ = Apply(state_in_, states_).relu_();
  state2_ = Apply(state_out_, state1_).relu_();
  joint1_ = Apply(joint_state_, state2_);
}

// Per query, with l = log sigma clamped to its range, e = (mu - t)^2 + sigma_t^2 (0 for actions):
//   KL:   sum_d l - l_t + e / (2 sigma^2) - 1/2
//   NLL:  sum_d l + e / (2 sigma^2) + log(2 pi) / 2
// Gradient by mu: (mu - t) / sigma^2; by l: 1 - e / sigma^2, and 0 out of range.
torch::Tensor GpuDecoderGradient::RunToCode(const torch::Tensor& code, double weight) {
  const torch::NoGradGuard no_grad;
  code_ = code.detach();
  const std::int64_t queries = states_.size(0) / contexts_;
  const auto by_context = [&](const torch::Tensor& values) {
    return values.view({contexts_, queries, -1});
  };
  by_context(joint1_).add_(Apply(joint_code_, code_).unsqueeze(1)).relu_();
  joint2_ = Apply(joint_hidden_, joint1_).relu_();
  const torch::Tensor out = by_context(Apply(joint_out_, joint2_));
  torch::Tensor mean = out, raw_deviation;
  if (deviation_from_code_) {
    deviation1_ = Apply(deviation_in_, code_).relu_();
    deviation2_ = Apply(deviation_hidden_, deviation1_).relu_();
    raw_deviation = Apply(deviation_out_, deviation2_).unsqueeze(1);
  } else {
    mean = out.narrow(2, 0, actions_);
    raw_deviation = out.narrow(2, actions_, actions_);
  }
  log_deviation_ = raw_deviation.clamp(net::kMinActionLogDeviation, net::kMaxActionLogDeviation);
  const torch::Tensor precision = (-2 * log_deviation_).exp_();
  const torch::Tensor difference = mean - by_context(wanted_);
  scaled_ = wanted_variance_.defined()
                ? at::addcmul(by_context(wanted_variance_), difference, difference)
                : difference.square();
  scaled_.mul_(precision);

  const double each = weight / static_cast<double>(contexts_ * queries);
  const torch::Tensor mean_gradient = (difference * precision).mul_(each);
  const torch::Tensor inside = raw_deviation.eq(log_deviation_);
  torch::Tensor deviation_gradient = (1 - scaled_).mul_(each);
  if (deviation_from_code_) {
    deviation_gradient = deviation_gradient.sum(1, /*keepdim=*/true) * inside;
    out_gradient_ = mean_gradient.view({contexts_ * queries, -1});
  } else {
    out_gradient_ =
        torch::cat({mean_gradient, deviation_gradient * inside}, 2).view({contexts_ * queries, -1});
  }
  joint2_gradient_ = BackThrough(out_gradient_, joint_out_.weight, joint2_);
  joint1_gradient_ = BackThrough(joint2_gradient_, joint_hidden_.weight, joint1_);
  share_gradient_ = by_context(joint1_gradient_).sum(1);
  torch::Tensor code_gradient = share_gradient_.mm(joint_code_.weight);
  if (deviation_from_code_) {
    deviation_gradient_ = deviation_gradient.squeeze(1);
    deviation2_gradient_ = BackThrough(deviation_gradient_, deviation_out_.weight, deviation2_);
    deviation1_gradient_ = BackThrough(deviation2_gradient_, deviation_hidden_.weight, deviation1_);
    code_gradient.addmm_(deviation1_gradient_, deviation_in_.weight);
  }
  return code_gradient;
}

torch::Tensor GpuDecoderGradient::Loss() const {
  const auto queries = static_cast<double>(states_.size(0));
  torch::Tensor loss = (log_deviation_ + 0.5 * scaled_).sum();
  double constant = 0.5 * std::log(2 * std::numbers::pi) * static_cast<double>(actions_);
  if (wanted_log_deviation_.defined()) {
    loss.sub_(wanted_log_deviation_.sum());
    constant = -0.5 * static_cast<double>(actions_);
  }
  return loss.mul_(1 / queries).add_(constant);
}

torch::Tensor GpuDecoderGradient::AddGradients() {
  const torch::NoGradGuard no_grad;
  Add(joint_out_, out_gradient_, joint2_);
  Add(joint_hidden_, joint2_gradient_, joint1_);
  Add(joint_state_, joint1_gradient_, state2_);
  Add(joint_code_, share_gradient_, code_);
  if (deviation_from_code_) {
    Add(deviation_out_, deviation_gradient_, deviation2_);
    Add(deviation_hidden_, deviation2_gradient_, deviation1_);
    Add(deviation_in_, deviation1_gradient_, code_);
  }
  const torch::Tensor state2_gradient = BackThrough(joint1_gradient_, joint_state_.weight, state2_);
  Add(state_out_, state2_gradient, state1_);
  Add(state_in_, BackThrough(state2_gradient, state_out_.weight, state1_), states_);
  return Loss();
}

}  // namespace rhumb::learn::representation
