// A fixed sequence of tensor operations that is run again and again.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <memory>

namespace rhumb::learn::device {

class RepeatedStep {
 public:
  virtual ~RepeatedStep() = default;
  virtual void Run() = 0;
};

// On the CPU the function is called each time. On CUDA it is recorded once into a graph, which is
// then replayed as one launch; so it must work on the same memory each time, and read nothing back.
std::unique_ptr<RepeatedStep> MakeRepeatedStep(torch::Device device,
                                               std::function<void()> function);

}  // namespace rhumb::learn::device
