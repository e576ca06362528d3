#include "rhumb/learn/device/repeated_step.h"

#include "rhumb/learn/device/cuda_library.h"

namespace rhumb::learn::device {
namespace {

class PlainStep : public RepeatedStep {
 public:
  explicit PlainStep(std::function<void()> function) : function_(std::move(function)) {}
  void Run() override { function_(); }

 private:
  std::function<void()> function_;
};

}  // namespace

std::unique_ptr<RepeatedStep> MakeRepeatedStep(torch::Device device,
                                               std::function<void()> function) {
  if (device.is_cuda()) return LoadCudaLibrary().make_graph_step(std::move(function));
  return std::make_unique<PlainStep>(std::move(function));
}

}  // namespace rhumb::learn::device
