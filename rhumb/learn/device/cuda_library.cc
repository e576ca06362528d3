#include "rhumb/learn/device/cuda_library.h"

#include <dlfcn.h>
#include <torch/cuda.h>

#include <filesystem>

#include "rhumb/core/error.h"

namespace rhumb::learn::device {
namespace {

const CudaLibrary& Load() {
  // Looks in the folder from which librhumb_learn was loaded.
  Dl_info self;
  RHUMB_CHECK(dladdr(reinterpret_cast<const void*>(&LoadCudaLibrary), &self) != 0, "dladdr");
  const auto path = std::filesystem::path(self.dli_fname).parent_path() / "librhumb_cuda.so";
  if (!std::filesystem::exists(path)) {
    Fail("training on CUDA needs {}, which is not built; tools/setup learn builds it",
         path.string());
  }
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  if (library == nullptr) {
    Fail("cannot load {} (are libtorch's CUDA libraries on LD_LIBRARY_PATH?): {}", path.string(),
         dlerror());
  }
  const auto get =
      reinterpret_cast<decltype(&RhumbCudaLibrary)>(dlsym(library, "RhumbCudaLibrary"));
  if (get == nullptr) Fail("{} is not a librhumb_cuda", path.string());
  if (!torch::cuda::is_available()) Fail("no CUDA device is available");
  at::globalContext().setAllowTF32CuBLAS(true);  // the usual setting for training on these devices
  return *get();
}

}  // namespace

const CudaLibrary& LoadCudaLibrary() {
  static const CudaLibrary& library = Load();
  return library;
}

}  // namespace rhumb::learn::device
