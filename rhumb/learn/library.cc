#include "rhumb/learn/library.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <cstdint>
#include <string>

namespace rhumb::learn {
namespace {

// Asked of the library that was loaded, not of the headers this file was compiled with: the highest
// three bytes are major, minor and patch.
std::string LoadedTorchVersion() {
  const std::uint64_t abi = aoti_torch_abi_version();
  return std::to_string(abi >> 56) + "." + std::to_string(abi >> 48 & 0xff) + "." +
         std::to_string(abi >> 40 & 0xff);
}

}  // namespace
}  // namespace rhumb::learn

const RhumbLearnInfo* DescribeRhumbLearn() {
  static const std::string torch_version = rhumb::learn::LoadedTorchVersion();
  static const std::string cpu_capability = at::get_cpu_capability();
  static const RhumbLearnInfo info = {kRhumbLearnAbi, torch_version.c_str(), cpu_capability.c_str(),
                                      at::get_num_threads()};
  return &info;
}
