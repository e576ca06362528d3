// The affine kernel, written once over the vectors of an instruction set.
//
// One source per instruction set includes this and is compiled with its own flags; kernel_loops.h
// says why everything is in an unnamed namespace. `Isa` has the type Vector, its number of floats
// kLanes, and Load, Store (both need no alignment), Broadcast and MultiplyAdd(a, b, c) = a b + c
// with one rounding. The number of floats in a vector divides 16, as outputs is a multiple of it.
#pragma once

#include <cstddef>

#include "rhumb/net/kernels.h"

namespace rhumb::net {
namespace {

// `Rows` rows and `Vectors` vectors of columns at a time. Each vector of weights that comes from
// the cache is used `Rows` times, and Rows * Vectors sums are under way at once, which hides the
// latency of the multiply-adds. All sums and one row's weights fit into the registers.
template <class Isa, int Rows, int Vectors>
[[gnu::always_inline]] inline void AffineTile(const AffineCall& call, int row, int column) {
  using Vector = typename Isa::Vector;
  Vector sum[Rows][Vectors];
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < Vectors; ++v) sum[r][v] = Isa::Load(call.bias + column + v * Isa::kLanes);
  }
  const float* x = call.x + row * call.stride;
  const float* w = call.weights + column;
  for (int i = 0; i < call.inputs; ++i, w += call.outputs) {
    Vector weight[Vectors];
    for (int v = 0; v < Vectors; ++v) weight[v] = Isa::Load(w + v * Isa::kLanes);
    for (int r = 0; r < Rows; ++r) {
      const Vector input = Isa::Broadcast(x[r * call.stride + i]);
      for (int v = 0; v < Vectors; ++v) sum[r][v] = Isa::MultiplyAdd(input, weight[v], sum[r][v]);
    }
  }
  float* y = call.y + row * call.outputs + column;
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < Vectors; ++v) Isa::Store(y + r * call.outputs + v * Isa::kLanes, sum[r][v]);
  }
}

// `Rows` rows from `row` on, and their columns from `column` on; the last tile may be narrower.
template <class Isa, int Rows, int Vectors>
[[gnu::always_inline]] inline void AffineColumns(const AffineCall& call, int row, int column) {
  for (; column + Vectors * Isa::kLanes <= call.outputs; column += Vectors * Isa::kLanes) {
    AffineTile<Isa, Rows, Vectors>(call, row, column);
  }
  if constexpr (Vectors > 1) {
    if (column < call.outputs) AffineColumns<Isa, Rows, Vectors - 1>(call, row, column);
  }
}

// The rows from `row` on, `Rows` at a time while there are as many; returns the first one left.
template <class Isa, int Rows, int Vectors>
[[gnu::always_inline]] inline int AffineRows(const AffineCall& call, int row) {
  for (; row + Rows <= call.rows; row += Rows) AffineColumns<Isa, Rows, Vectors>(call, row, 0);
  return row;
}

// y[0 .. Vectors * kLanes) += x[indices] * weights[indices, …]. Inputs `Ahead` of the one that is
// added are fetched into the cache (none with 0), so `indices` [count + Ahead].
template <class Isa, int Vectors, int Ahead>
[[gnu::always_inline]] inline void AddInputs(const float* x, const int* indices, int count,
                                             const float* weights, int outputs, float* y) {
  constexpr int kLineFloats = 64 / sizeof(float);
  typename Isa::Vector sum[Vectors];
  for (int v = 0; v < Vectors; ++v) sum[v] = Isa::Load(y + v * Isa::kLanes);
  for (int i = 0; i < count; ++i) {
    if constexpr (Ahead > 0) {
      const float* later = weights + std::ptrdiff_t{indices[i + Ahead]} * outputs;
      for (int f = 0; f < Vectors * Isa::kLanes; f += kLineFloats) __builtin_prefetch(later + f);
    }
    const float* w = weights + std::ptrdiff_t{indices[i]} * outputs;
    const typename Isa::Vector input = Isa::Broadcast(x[indices[i]]);
    for (int v = 0; v < Vectors; ++v) {
      sum[v] = Isa::MultiplyAdd(input, Isa::Load(w + v * Isa::kLanes), sum[v]);
    }
  }
  for (int v = 0; v < Vectors; ++v) Isa::Store(y + v * Isa::kLanes, sum[v]);
}

// AddInputs for the columns from `column` on; the last ones may be fewer than `Vectors` vectors.
template <class Isa, int Vectors, int Ahead>
[[gnu::always_inline]] inline void AddInputsToColumns(const float* x, const int* indices, int count,
                                                      const float* weights, int outputs, float* y,
                                                      int column) {
  for (; column + Vectors * Isa::kLanes <= outputs; column += Vectors * Isa::kLanes) {
    AddInputs<Isa, Vectors, Ahead>(x, indices, count, weights + column, outputs, y + column);
  }
  if constexpr (Vectors > 1) {
    if (column < outputs) {
      AddInputsToColumns<Isa, Vectors / 2, Ahead>(x, indices, count, weights, outputs, y, column);
    }
  }
}

// The rows from `row` on, one by one. One row alone waits for its weights to come from the cache,
// so those of inputs that are 0, about half of them after a ReLU, stay there: adding 0 changes no
// sum, but for the sign of a zero. Vectors is a power of two.
template <class Isa, int Vectors, int Ahead>
[[gnu::always_inline]] inline void AffineSingleRows(const AffineCall& call, int row) {
  constexpr int kInputs = 512;  // at a time
  for (; row < call.rows; ++row) {
    const float* x = call.x + row * call.stride;
    float* y = call.y + row * call.outputs;
    __builtin_memcpy(y, call.bias, sizeof(float) * static_cast<std::size_t>(call.outputs));
    for (int begin = 0; begin < call.inputs; begin += kInputs) {
      const int end = begin + kInputs < call.inputs ? begin + kInputs : call.inputs;
      int indices[kInputs + Ahead];
      int count = 0;
      for (int i = begin; i < end; ++i) {
        indices[count] = i;
        count += x[i] != 0;
      }
      for (int i = 0; i < Ahead; ++i) indices[count + i] = begin;
      AddInputsToColumns<Isa, Vectors, Ahead>(x, indices, count, call.weights, call.outputs, y, 0);
    }
  }
}

}  // namespace
}  // namespace rhumb::net
