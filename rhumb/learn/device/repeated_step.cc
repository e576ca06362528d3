#include "rhumb/learn/device/repeated_step.h"

#include "rhumb/learn/device/cuda_library.h"

namespace rhumb::learn::device {

std::unique_ptr<RepeatedStep> MakeRepeatedStep(torch::Device device,
                                               std::function<void()> function) {
  if (device.is_cuda()) function = LoadCudaLibrary().make_graph_step(std::move(function));
  return std::make_unique<RepeatedStep>(std::move(function));
}

}  // namespace rhumb::learn::device
