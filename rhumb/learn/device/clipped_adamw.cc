#include "rhumb/learn/device/clipped_adamw.h"

#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_fused_adamw.h>

#include "rhumb/core/error.h"

namespace rhumb::learn::device {
namespace {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

}  // namespace

ClippedAdamW::ClippedAdamW(std::vector<torch::Tensor> parameters, double weight_decay,
                           double max_gradient_norm)
    : parameters_(std::move(parameters)),
      weight_decay_(weight_decay),
      max_norm_(max_gradient_norm) {
  const torch::NoGradGuard no_grad;
  for (const torch::Tensor& parameter : parameters_) {
    first_moments_.push_back(torch::zeros_like(parameter));
    second_moments_.push_back(torch::zeros_like(parameter));
  }
  const auto options = parameters_.front().options().requires_grad(false);
  steps_ = torch::zeros({}, options);
  norm_ = torch::zeros({}, options);
  skipped_ = torch::zeros({}, options);
}

void ClippedAdamW::ClearGradients() {
  for (torch::Tensor& parameter : parameters_) parameter.mutable_grad() = torch::Tensor();
}

std::vector<torch::Tensor> ClippedAdamW::gradients() const {
  std::vector<torch::Tensor> gradients;
  for (const torch::Tensor& parameter : parameters_) {
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  }
  return gradients;
}

void ClippedAdamW::Step(const torch::Tensor& learning_rate) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> gradients;
  for (const torch::Tensor& parameter : parameters_) {
    // Some variants leave a parameter out of the loss.
    gradients.push_back(parameter.grad().defined() ? parameter.grad()
                                                   : torch::zeros_like(parameter));
  }
  at::linalg_vector_norm_out(norm_, torch::stack(at::_foreach_norm(gradients, 2)), 2);
  const torch::Tensor not_finite = norm_.isfinite().logical_not().to(norm_.dtype());
  // The kernel divides gradients by `scale`, and does nothing if `not_finite` is 1.
  const torch::Tensor scale = (norm_ / max_norm_).clamp_min_(1);
  steps_.add_(1).sub_(not_finite);
  skipped_.add_(not_finite);
  const std::vector<torch::Tensor> steps(parameters_.size(), steps_);
  at::_fused_adamw_(parameters_, gradients, first_moments_, second_moments_, {}, steps,
                    learning_rate, kBeta1, kBeta2, weight_decay_, kEpsilon, /*amsgrad=*/false,
                    /*maximize=*/false, scale, not_finite);
}

void ClippedAdamW::Save(net::SafetensorsWriter& out, const std::vector<std::string>& names) const {
  for (std::size_t i = 0; i < names.size(); ++i) {
    AddTensor(out, "network." + names[i], parameters_[i]);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    AddTensor(out, "adamw.first." + names[i], first_moments_[i]);
    AddTensor(out, "adamw.second." + names[i], second_moments_[i]);
  }
  AddTensor(out, "adamw.steps", steps_);
  AddTensor(out, "adamw.skipped", skipped_);
}

void ClippedAdamW::Restore(const net::SafetensorsFile& in, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    CopyTensor(in, "network." + names[i], parameters_[i]);
    CopyTensor(in, "adamw.first." + names[i], first_moments_[i]);
    CopyTensor(in, "adamw.second." + names[i], second_moments_[i]);
  }
  CopyTensor(in, "adamw.steps", steps_);
  CopyTensor(in, "adamw.skipped", skipped_);
}

std::vector<float> FloatsOf(const torch::Tensor& tensor) {
  const torch::Tensor host = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  return {host.data_ptr<float>(), host.data_ptr<float>() + host.numel()};
}

void AddTensor(net::SafetensorsWriter& out, const std::string& name, const torch::Tensor& tensor) {
  out.Add(name, tensor.sizes().vec(), FloatsOf(tensor));
}

void CopyTensor(const net::SafetensorsFile& in, const std::string& name,
                const torch::Tensor& into) {
  if (in.shape(name) != into.sizes().vec()) {
    Fail("{}: '{}' has the shape [{}], but this run needs [{}]", in.place(), name,
         fmt::join(in.shape(name), ", "), fmt::join(into.sizes(), ", "));
  }
  const torch::NoGradGuard no_grad;
  const std::vector<float> values = in.Floats(name);
  into.copy_(torch::from_blob(const_cast<float*>(values.data()), into.sizes(), torch::kFloat32));
}

}  // namespace rhumb::learn::device
