// AdamW on gradients of bounded norm, in a form that a CUDA graph can hold: nothing is read back.
#pragma once

#include <torch/torch.h>

#include <string>
#include <vector>

#include "rhumb/net/safetensors.h"

namespace rhumb::learn::device {

class ClippedAdamW {
 public:
  ClippedAdamW(std::vector<torch::Tensor> parameters, double weight_decay,
               double max_gradient_norm);

  // Before the backward pass.
  void ClearGradients();
  // After it. A gradient whose norm is not finite changes nothing, neither parameters nor moments,
  // and is counted. `learning_rate` is a scalar on the parameters' device.
  void Step(const torch::Tensor& learning_rate);

  const torch::Tensor& gradient_norm() const { return norm_; }  // of the last step, a scalar
  const torch::Tensor& skipped() const { return skipped_; }     // so far, a scalar

  const std::vector<torch::Tensor>& parameters() const { return parameters_; }
  // Moments and counters, under "prefix.NAME" with the parameters' names.
  void Save(net::SafetensorsWriter& out, const std::string& prefix,
            const std::vector<std::string>& names) const;
  void Restore(const net::SafetensorsFile& in, const std::string& prefix,
               const std::vector<std::string>& names);

 private:
  std::vector<torch::Tensor> parameters_, first_moments_, second_moments_;
  double weight_decay_, max_norm_;
  torch::Tensor steps_, norm_, skipped_;
};

// Tensors in safetensors files: float32 on any device.
void AddTensor(net::SafetensorsWriter& out, const std::string& name, const torch::Tensor& tensor);
// Into a tensor of the same shape; another one is an Error that names the file.
void CopyTensor(const net::SafetensorsFile& in, const std::string& name, torch::Tensor into);

}  // namespace rhumb::learn::device
