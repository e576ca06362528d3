// librhumb_cuda: a separate library for the code that needs CUDA's own headers. librhumb_learn
// loads it and libtorch's CUDA half only for Device::kCuda. The same compiler builds both
// libraries.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace rhumb::learn::device {

class Exchange;

struct CudaLibrary {
  // Makes a step that is recorded on its first run and replayed afterwards.
  std::function<void()> (*make_graph_step)(std::function<void()> function);
  // For example "NVIDIA H200, 139 GiB".
  std::string (*describe_device)();
  // Several processes: see cuda/nccl_exchange.h.
  std::string (*make_exchange_id)();
  std::shared_ptr<Exchange> (*make_exchange)(const std::string& id, int rank, int count);
  void (*use_device)(int index);
};

// Loads the library once. Throws an Error if the library, libtorch_cuda or a GPU is missing.
const CudaLibrary& LoadCudaLibrary();

}  // namespace rhumb::learn::device

// The function exported by librhumb_cuda.
extern "C" [[gnu::visibility("default")]] const rhumb::learn::device::CudaLibrary*
RhumbCudaLibrary();
