#include "rhumb/learn/representation/gpu_decoder_gradient.h"

#include <cmath>
#include <numbers>

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

torch::Tensor Apply(const torch::nn::Linear& layer, const torch::Tensor& x) {
  const torch::Tensor &weight = layer->weight, &bias = layer->bias;
  return bias.defined() ? at::addmm(bias, x, weight.t()) : x.mm(weight.t());
}

// dW = dy^T x, db = sum of the rows of dy
void AddGradient(const torch::nn::Linear& layer, const torch::Tensor& y_gradient,
                 const torch::Tensor& x) {
  torch::Tensor& weight = layer->weight.mutable_grad();
  if (weight.defined()) {
    weight.addmm_(y_gradient.t(), x);
  } else {
    weight = y_gradient.t().mm(x);
  }
  if (!layer->bias.defined()) return;
  torch::Tensor& bias = layer->bias.mutable_grad();
  bias = bias.defined() ? bias + y_gradient.sum(0) : y_gradient.sum(0);
}

}  // namespace

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
  state1_ = Apply(decoder_->state_in, states_).relu_();
  state2_ = Apply(decoder_->state_out, state1_).relu_();
  joint1_ = Apply(decoder_->joint_state, state2_);
}

// The loss and its gradient are those of CpuDecoderGradient::Compare.
torch::Tensor GpuDecoderGradient::RunToCode(const torch::Tensor& code, double weight) {
  const torch::NoGradGuard no_grad;
  code_ = code.detach();
  const std::int64_t queries = states_.size(0) / contexts_;
  const auto by_context = [&](const torch::Tensor& values) {
    return values.view({contexts_, queries, -1});
  };
  by_context(joint1_).add_(Apply(decoder_->joint_code, code_).unsqueeze(1)).relu_();
  joint2_ = Apply(decoder_->joint_hidden, joint1_).relu_();
  const torch::Tensor out = by_context(Apply(decoder_->joint_out, joint2_));
  torch::Tensor mean = out, raw_deviation;
  if (deviation_from_code_) {
    deviation1_ = Apply(decoder_->deviation_in, code_).relu_();
    deviation2_ = Apply(decoder_->deviation_hidden, deviation1_).relu_();
    raw_deviation = Apply(decoder_->deviation_out, deviation2_).unsqueeze(1);
  } else {
    mean = out.narrow(2, 0, actions_);
    raw_deviation = out.narrow(2, actions_, actions_);
  }
  log_deviation_ = raw_deviation.clamp(net::kMinActionLogDeviation, net::kMaxActionLogDeviation);
  torch::Tensor precision = (-2 * log_deviation_).exp_();
  const torch::Tensor difference = mean - by_context(wanted_);
  torch::Tensor widening;  // what the deviation's gradient subtracts from 1
  if (split_kl_ && wanted_variance_.defined()) {
    widening = by_context(wanted_variance_) * precision;
    precision = by_context(wanted_variance_).reciprocal();
    scaled_ = widening + difference.square().mul_(precision);
  } else {
    scaled_ = wanted_variance_.defined()
                  ? at::addcmul(by_context(wanted_variance_), difference, difference)
                  : difference.square();
    scaled_.mul_(precision);
    widening = scaled_;
  }

  const double each = weight / static_cast<double>(contexts_ * queries);
  const torch::Tensor mean_gradient = (difference * precision).mul_(each);
  const torch::Tensor inside = raw_deviation.eq(log_deviation_);
  torch::Tensor deviation_gradient = (1 - widening).mul_(each);
  if (deviation_from_code_) {
    deviation_gradient = deviation_gradient.sum(1, /*keepdim=*/true) * inside;
    out_gradient_ = mean_gradient.view({contexts_ * queries, -1});
  } else {
    out_gradient_ =
        torch::cat({mean_gradient, deviation_gradient * inside}, 2).view({contexts_ * queries, -1});
  }
  joint2_gradient_ = BackThrough(out_gradient_, decoder_->joint_out->weight, joint2_);
  joint1_gradient_ = BackThrough(joint2_gradient_, decoder_->joint_hidden->weight, joint1_);
  share_gradient_ = by_context(joint1_gradient_).sum(1);
  torch::Tensor code_gradient = share_gradient_.mm(decoder_->joint_code->weight);
  if (deviation_from_code_) {
    deviation_gradient_ = deviation_gradient.squeeze(1);
    deviation2_gradient_ =
        BackThrough(deviation_gradient_, decoder_->deviation_out->weight, deviation2_);
    deviation1_gradient_ =
        BackThrough(deviation2_gradient_, decoder_->deviation_hidden->weight, deviation1_);
    code_gradient.addmm_(deviation1_gradient_, decoder_->deviation_in->weight);
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
  AddGradient(decoder_->joint_out, out_gradient_, joint2_);
  AddGradient(decoder_->joint_hidden, joint2_gradient_, joint1_);
  AddGradient(decoder_->joint_state, joint1_gradient_, state2_);
  AddGradient(decoder_->joint_code, share_gradient_, code_);
  if (deviation_from_code_) {
    AddGradient(decoder_->deviation_out, deviation_gradient_, deviation2_);
    AddGradient(decoder_->deviation_hidden, deviation2_gradient_, deviation1_);
    AddGradient(decoder_->deviation_in, deviation1_gradient_, code_);
  }
  const torch::Tensor state2_gradient =
      BackThrough(joint1_gradient_, decoder_->joint_state->weight, state2_);
  AddGradient(decoder_->state_out, state2_gradient, state1_);
  AddGradient(decoder_->state_in,
              BackThrough(state2_gradient, decoder_->state_out->weight, state1_), states_);
  return Loss();
}

}  // namespace rhumb::learn::representation
