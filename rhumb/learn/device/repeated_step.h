// A fixed sequence of tensor operations that runs many times.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <memory>
#include <utility>

namespace rhumb::learn::device {

class RepeatedStep {
 public:
  explicit RepeatedStep(std::function<void()> run) : run_(std::move(run)) {}
  void Run() { run_(); }

 private:
  std::function<void()> run_;
};

// On the CPU, Run calls the function each time. On CUDA the function is recorded once into a graph,
// which is then replayed as one launch. It must therefore use the same memory each time and read
// nothing back.
std::unique_ptr<RepeatedStep> MakeRepeatedStep(torch::Device device,
                                               std::function<void()> function);

}  // namespace rhumb::learn::device
