// AdamW on gradients of bounded norm. It never reads back to the host, so a CUDA graph can hold it.
#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "rhumb/net/safetensors.h"

namespace rhumb::learn::device {

class ClippedAdamW {
 public:
  ClippedAdamW(std::vector<torch::Tensor> parameters, double weight_decay,
               double max_gradient_norm);

  // Call before the backward pass.
  void ClearGradients();
  // After the backward pass: the gradients of the parameters that have one.
  std::vector<torch::Tensor> gradients() const;
  // Call after the backward pass. If the gradient's norm is not finite, parameters and moments stay
  // unchanged and the step counts as skipped. `learning_rate` is a scalar on the parameters'
  // device.
  void Step(const torch::Tensor& learning_rate);

  const torch::Tensor& gradient_norm() const { return norm_; }  // of the last step, a scalar
  const torch::Tensor& skipped() const { return skipped_; }     // number so far, a scalar

  // Saves the parameters as "network.NAME", and moments and counters as "adamw....".
  void Save(net::SafetensorsWriter& out, const std::vector<std::string>& names) const;
  void Restore(const net::SafetensorsFile& in, const std::vector<std::string>& names);

 private:
  std::vector<torch::Tensor> parameters_, first_moments_, second_moments_;
  double weight_decay_, max_norm_;
  torch::Tensor steps_, norm_, skipped_;
};

// The numbers of a tensor on any device, in order.
std::vector<float> FloatsOf(const torch::Tensor& tensor);
// Writes a tensor from any device to a safetensors file, as float32.
void AddTensor(net::SafetensorsWriter& out, const std::string& name, const torch::Tensor& tensor);
// Copies into a tensor of the same shape; throws an Error that names the file if shapes differ.
void CopyTensor(const net::SafetensorsFile& in, const std::string& name, const torch::Tensor& into);

}  // namespace rhumb::learn::device
