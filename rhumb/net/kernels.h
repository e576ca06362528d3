// The kernels of affine.h for each instruction set, and the choice among them.
//
// Every instruction set gives the same bits, but for the sign of a zero.
#pragma once

#include <string_view>
#include <vector>

namespace rhumb::net {

// One instruction set's kernels; affine.h says what each computes. Constant, and thread-safe.
struct Kernels {
  const char* name;  // "avx512", "avx2", "neon" or "portable"
  void (*affine)(const float* x, int stride, int rows, int inputs, const float* weights,
                 const float* bias, int outputs, float* y);
  void (*elu)(float* values, int count);
  void (*gelu)(float* values, int count);
  void (*softmax_columns)(float* values, int rows, int columns);
};

// Those that this machine can run, fastest first; "portable" is always the last.
std::vector<const Kernels*> AvailableKernels();

// The available kernels of that name. The empty name is the fastest; any other is an Error that
// lists the available ones.
const Kernels& FindKernels(std::string_view name);

// Those that the program uses: FindKernels of the environment variable RHUMB_ISA, looked up once.
const Kernels& ActiveKernels();

}  // namespace rhumb::net
