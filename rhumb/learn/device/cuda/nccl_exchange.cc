#include "rhumb/learn/device/cuda/nccl_exchange.h"

#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace rhumb::learn::device {
namespace {

// The part of NCCL's C interface that is used here; libtorch brings the library without its header.
struct UniqueId {
  char bytes[128];
};
using Communicator = void*;
constexpr int kFloat32 = 7, kSum = 0, kSuccess = 0;

struct Nccl {
  int (*get_unique_id)(UniqueId* id);
  int (*init)(Communicator* communicator, int count, UniqueId id, int rank);
  int (*all_reduce)(const void* from, void* to, std::size_t count, int type, int operation,
                    Communicator communicator, cudaStream_t stream);
  int (*all_gather)(const void* from, void* to, std::size_t count, int type,
                    Communicator communicator, cudaStream_t stream);
  const char* (*describe)(int result);
};

const Nccl& LoadNccl() {
  static const Nccl kNccl = [] {
    void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_NODELETE);
    if (library == nullptr) {
      throw std::runtime_error(
          "several ranks on CUDA need libnccl.so.2, which is not on "
          "LD_LIBRARY_PATH");
    }
    const auto find = [&](const char* name, auto& function) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (function == nullptr) throw std::runtime_error(std::string("libnccl.so.2 has no ") + name);
    };
    Nccl found{};
    find("ncclGetUniqueId", found.get_unique_id);
    find("ncclCommInitRank", found.init);
    find("ncclAllReduce", found.all_reduce);
    find("ncclAllGather", found.all_gather);
    find("ncclGetErrorString", found.describe);
    return found;
  }();
  return kNccl;
}

void Check(int result) {
  if (result != kSuccess)
    throw std::runtime_error(std::string("NCCL: ") + LoadNccl().describe(result));
}

// Everything runs on the current stream, so a graph records it with the rest.
class NcclExchange : public Exchange {
 public:
  NcclExchange(const UniqueId& id, int rank, int count) : count_(count) {
    Check(LoadNccl().init(&communicator_, count, id, rank));
  }

  void Sum(torch::Tensor flat) override {
    Check(LoadNccl().all_reduce(flat.data_ptr(), flat.data_ptr(),
                                static_cast<std::size_t>(flat.numel()), kFloat32, kSum,
                                communicator_, c10::cuda::getCurrentCUDAStream()));
  }

  torch::Tensor Gather(const torch::Tensor& rows) override {
    std::vector<std::int64_t> shape = rows.sizes().vec();
    shape[0] *= count_;
    torch::Tensor gathered = torch::empty(shape, rows.options());
    Check(LoadNccl().all_gather(rows.data_ptr(), gathered.data_ptr(),
                                static_cast<std::size_t>(rows.numel()), kFloat32, communicator_,
                                c10::cuda::getCurrentCUDAStream()));
    return gathered;
  }

 private:
  int count_;
  Communicator communicator_ = nullptr;  // lives as long as the process
};

}  // namespace

std::string MakeExchangeId() {
  UniqueId id;
  Check(LoadNccl().get_unique_id(&id));
  return std::string(id.bytes, sizeof id.bytes);
}

std::shared_ptr<Exchange> MakeExchange(const std::string& id, int rank, int count) {
  UniqueId unique{};
  if (id.size() != sizeof unique.bytes) throw std::runtime_error("the id of NCCL is damaged");
  std::memcpy(unique.bytes, id.data(), id.size());
  return std::make_shared<NcclExchange>(unique, rank, count);
}

void UseDevice(int index) { c10::cuda::set_device(static_cast<c10::DeviceIndex>(index)); }

}  // namespace rhumb::learn::device
