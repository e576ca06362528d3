// A fixed sequence of tensor operations that runs many times.
#pragma once

#include <c10/core/Device.h>

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
std::unique_ptr<RepeatedStep> MakeRepeatedStep(c10::Device device, std::function<void()> function);

}  // namespace rhumb::learn::device
