// librhumb_cuda: records a step as a CUDA graph.
// Includes only headers that need just the CUDA runtime, so it builds without the toolkit.
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <utility>

#include "rhumb/learn/device/cuda/nccl_exchange.h"
#include "rhumb/learn/device/cuda_library.h"

namespace rhumb::learn::device {
namespace {

// The first runs are not recorded, so libraries allocate their workspaces outside the graph.
constexpr int kPlainRuns = 3;

class GraphStep {
 public:
  explicit GraphStep(std::function<void()> function)
      : function_(std::move(function)), stream_(c10::cuda::getStreamFromPool()) {}

  void Run() {
    if (runs_ < kPlainRuns) {
      ++runs_;
      const c10::cuda::CUDAStreamGuard guard(stream_);
      c10::cuda::device_synchronize();
      function_();
      c10::cuda::device_synchronize();
      return;
    }
    if (!recorded_) {
      c10::cuda::device_synchronize();
      const c10::cuda::CUDAStreamGuard guard(stream_);
      graph_.capture_begin();
      function_();
      graph_.capture_end();
      recorded_ = true;
      c10::cuda::device_synchronize();
    }
    graph_.replay();
  }

 private:
  std::function<void()> function_;
  c10::cuda::CUDAStream stream_;
  at::cuda::CUDAGraph graph_;
  int runs_ = 0;
  bool recorded_ = false;
};

std::function<void()> MakeGraphStep(std::function<void()> function) {
  return [step = std::make_shared<GraphStep>(std::move(function))] { step->Run(); };
}

std::string DescribeDevice() {
  cudaDeviceProp properties;
  C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, c10::cuda::current_device()));
  return std::string(properties.name) + ", " + std::to_string(properties.totalGlobalMem >> 30) +
         " GiB";
}

constexpr CudaLibrary kLibrary = {MakeGraphStep, DescribeDevice, MakeExchangeId, MakeExchange,
                                  UseDevice};

}  // namespace
}  // namespace rhumb::learn::device

const rhumb::learn::device::CudaLibrary* RhumbCudaLibrary() {
  return &rhumb::learn::device::kLibrary;
}
