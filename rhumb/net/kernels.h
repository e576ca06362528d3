// The hot kernels of the runtime's networks for each instruction set, and the choice among them.
//
// Every instruction set gives the same bits, but for the sign of a zero.
#pragma once

#include <string_view>
#include <vector>

namespace rhumb::net {

// y[r, o] = bias[o] + sum_i x[r, i] weights[i, o], summed in the order of i with fused
// multiply-adds, for every grouping of rows.
struct AffineCall {
  const float* x;  // [rows, inputs], with `stride` floats from row to row
  int stride, rows, inputs;
  const float* weights;  // [inputs, outputs]
  const float* bias;     // [outputs]
  int outputs;           // a multiple of 16
  float* y;              // [rows, outputs]
};

// One instruction set's kernels. Constant, and thread-safe.
struct Kernels {
  const char* name;  // "avx512", "avx2", "neon" or "portable"
  void (*affine)(const AffineCall& call);
  // values[i] = x < 0 ? e^x - 1 : x in place, to the rounding of float.
  void (*elu)(float* values, int count);
  // values[i] = x (1 + erf(x / sqrt 2)) / 2 in place, to 1e-7 times 1 + |x|.
  void (*gelu)(float* values, int count);
  // values [rows, columns] -> e^value / sum over the rows, column by column, in place; columns is
  // a multiple of 16.
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
