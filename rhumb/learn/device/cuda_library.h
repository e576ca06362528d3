// librhumb_cuda: what needs CUDA's own headers, in a library of its own. librhumb_learn loads it,
// and libtorch's CUDA half with it, only for --device cuda; both are built by the same compiler.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rhumb/learn/device/repeated_step.h"

namespace rhumb::learn::device {

struct CudaLibrary {
  // A step that is recorded at its first run and replayed from then on.
  std::unique_ptr<RepeatedStep> (*make_graph_step)(std::function<void()> function);
  // "NVIDIA H200, 139 GiB"
  std::string (*describe_device)();
};

// Loads it once; an Error says what is missing: the library, libtorch_cuda or a GPU.
const CudaLibrary& LoadCudaLibrary();

}  // namespace rhumb::learn::device

// What librhumb_cuda exports.
extern "C" [[gnu::visibility("default")]] const rhumb::learn::device::CudaLibrary*
RhumbCudaLibrary();
