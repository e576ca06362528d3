#include "rhumb/net/affine.h"

#include <cstring>

// One source, compiled once per instruction set and dispatched at load time. Vectors are the
// compiler's own (a type of 16 floats is one AVX-512 register, two of AVX2, four of NEON), so there
// is no intrinsic and no second version to keep.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define RHUMB_CLONES __attribute__((target_clones("arch=x86-64-v4", "default")))
#else
#define RHUMB_CLONES
#endif

namespace rhumb::net {
namespace {

typedef float Lanes __attribute__((vector_size(64), aligned(4), may_alias));
constexpr int kLanes = 16;

// `Rows` rows at a time: each vector of weights that comes from the cache is used `Rows` times.
template <int Rows>
[[gnu::always_inline]] inline void AffineRows(const float* x, int stride, int inputs,
                                              const float* weights, const float* bias, int outputs,
                                              float* y) {
  for (int column = 0; column < outputs; column += kLanes) {
    Lanes sum[Rows];
    for (int r = 0; r < Rows; ++r) sum[r] = *reinterpret_cast<const Lanes*>(bias + column);
    const float* w = weights + column;
    for (int i = 0; i < inputs; ++i, w += outputs) {
      const Lanes weight = *reinterpret_cast<const Lanes*>(w);
      for (int r = 0; r < Rows; ++r) sum[r] += x[r * stride + i] * weight;
    }
    for (int r = 0; r < Rows; ++r) {
      *reinterpret_cast<Lanes*>(y + r * outputs + column) = sum[r];
    }
  }
}

}  // namespace

RHUMB_CLONES
void Affine(const float* x, int stride, int rows, int inputs, const float* weights,
            const float* bias, int outputs, float* y) {
  int row = 0;
  for (; row + 8 <= rows; row += 8) {
    AffineRows<8>(x + row * stride, stride, inputs, weights, bias, outputs, y + row * outputs);
  }
  for (; row + 4 <= rows; row += 4) {
    AffineRows<4>(x + row * stride, stride, inputs, weights, bias, outputs, y + row * outputs);
  }
  for (; row + 2 <= rows; row += 2) {
    AffineRows<2>(x + row * stride, stride, inputs, weights, bias, outputs, y + row * outputs);
  }
  for (; row < rows; ++row) {
    AffineRows<1>(x + row * stride, stride, inputs, weights, bias, outputs, y + row * outputs);
  }
}

}  // namespace rhumb::net
