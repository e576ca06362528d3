// The decoder and its losses by plain autograd: the reference for the hand-written gradients.
#pragma once

#include <torch/types.h>

#include <cmath>
#include <numbers>
#include <string>

#include "rhumb/learn/representation/representation_network.h"

namespace rhumb::learn::representation {

// states [n, Q, O], code [n, H] -> mean [n, Q, A], log-deviation [n, Q or 1, A].
inline Gaussian Decode(const Decoder& decoder, const torch::Tensor& states,
                       const torch::Tensor& code) {
  const auto parameters = decoder->named_parameters();
  const auto linear = [&](const std::string& layer, const torch::Tensor& x) {
    const torch::Tensor* bias = parameters.find(layer + ".bias");
    const torch::Tensor y = x.matmul(parameters[layer + ".weight"].t());
    return bias == nullptr ? y : y + *bias;
  };
  const auto hidden = [&](const std::string& layer, const torch::Tensor& x) {
    return linear(layer, x).relu();
  };
  const torch::Tensor state = hidden("state_out", hidden("state_in", states));
  const torch::Tensor joint =
      (linear("joint_state", state) + linear("joint_code", code).unsqueeze(1)).relu();
  const torch::Tensor out = linear("joint_out", hidden("joint_hidden", joint));
  torch::Tensor mean = out, log_deviation;
  if (parameters.contains("deviation_in.weight")) {
    log_deviation =
        linear("deviation_out", hidden("deviation_hidden", hidden("deviation_in", code)))
            .unsqueeze(1);
  } else {
    mean = out.chunk(2, -1)[0];
    log_deviation = out.chunk(2, -1)[1];
  }
  return {mean, log_deviation.clamp(net::kMinActionLogDeviation, net::kMaxActionLogDeviation)};
}

// -log N(action; mean, e^log_deviation), summed over the last axis, averaged over the others:
//   sum_d 1/2 ((a - mu) / sigma)^2 + log sigma + 1/2 log 2 pi
inline torch::Tensor GaussianNll(const torch::Tensor& action, const torch::Tensor& mean,
                                 const torch::Tensor& log_deviation) {
  const torch::Tensor z = (action - mean) * (-log_deviation).exp();
  return (0.5 * z.square() + log_deviation + 0.5 * std::log(2 * std::numbers::pi)).sum(-1).mean();
}

// KL(teacher || student) of diagonal Gaussians, summed over the last axis, averaged over the
// others:
//   sum_d log sigma/sigma_t + (sigma_t^2 + (mu_t - mu)^2) / (2 sigma^2) - 1/2
inline torch::Tensor GaussianKl(const torch::Tensor& teacher_mean,
                                const torch::Tensor& teacher_log_deviation,
                                const torch::Tensor& mean, const torch::Tensor& log_deviation) {
  const torch::Tensor squares = (2 * teacher_log_deviation).exp() + (teacher_mean - mean).square();
  const torch::Tensor terms =
      log_deviation - teacher_log_deviation + 0.5 * squares * (-2 * log_deviation).exp() - 0.5;
  return terms.sum(-1).mean();
}

// The KL of the deviations alone, and the mean's error in the teacher's deviations:
//   sum_d log sigma/sigma_t + sigma_t^2 / (2 sigma^2) - 1/2 + (mu_t - mu)^2 / (2 sigma_t^2)
inline torch::Tensor GaussianSplitKl(const torch::Tensor& teacher_mean,
                                     const torch::Tensor& teacher_log_deviation,
                                     const torch::Tensor& mean,
                                     const torch::Tensor& log_deviation) {
  const torch::Tensor error = (teacher_mean - mean) * (-teacher_log_deviation).exp();
  return GaussianKl(teacher_mean, teacher_log_deviation, teacher_mean, log_deviation) +
         0.5 * error.square().sum(-1).mean();
}

}  // namespace rhumb::learn::representation
