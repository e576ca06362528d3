#include "rhumb/net/kernels.h"

#include <fmt/ranges.h>

#include <cstdlib>

#include "rhumb/core/error.h"

namespace rhumb::net {

extern const Kernels kAvx512Kernels, kAvx2Kernels, kNeonKernels, kPortableKernels;

namespace {

struct BuiltKernels {
  const Kernels* kernels;
  bool (*run_here)();
};

// Those that are compiled for this architecture (cmake/Kernels.cmake), fastest first.
const BuiltKernels kBuilt[] = {
#if defined(__x86_64__)
    {&kAvx512Kernels,
     [] {
       return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl");
     }},
    {&kAvx2Kernels, [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }},
#elif defined(__aarch64__)
    {&kNeonKernels, [] { return true; }},
#endif
    {&kPortableKernels, [] { return true; }},
};

}  // namespace

std::vector<const Kernels*> AvailableKernels() {
  std::vector<const Kernels*> available;
  for (const BuiltKernels& built : kBuilt) {
    if (built.run_here()) available.push_back(built.kernels);
  }
  return available;
}

const Kernels& FindKernels(std::string_view name) {
  const std::vector<const Kernels*> available = AvailableKernels();
  if (name.empty()) return *available.front();
  std::vector<std::string_view> names;
  for (const Kernels* kernels : available) {
    if (kernels->name == name) return *kernels;
    names.emplace_back(kernels->name);
  }
  Fail("RHUMB_ISA is '{}'; this machine can use {}", name, fmt::join(names, ", "));
}

const Kernels& ActiveKernels() {
  static const Kernels& active = [&]() -> const Kernels& {
    const char* wanted = std::getenv("RHUMB_ISA");
    return FindKernels(wanted == nullptr ? "" : wanted);
  }();
  return active;
}

}  // namespace rhumb::net
