// Compiled with -march=x86-64-v4: 32 registers of 16 floats.
#include <immintrin.h>

#include "rhumb/net/kernel_loops.h"
#include "rhumb/net/kernel_tiles.h"
#include "rhumb/net/kernels.h"

namespace rhumb::net {
namespace {

struct Avx512 {
  using Vector = __m512;
  static constexpr int kLanes = 16;
  static Vector Load(const float* p) { return _mm512_loadu_ps(p); }
  static void Store(float* p, Vector v) { _mm512_storeu_ps(p, v); }
  static Vector Broadcast(float x) { return _mm512_set1_ps(x); }
  static Vector MultiplyAdd(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
};

void Affine(const AffineCall& call) {
  int row = AffineRows<Avx512, 8, 1>(call, 0);
  row = AffineRows<Avx512, 4, 2>(call, row);
  row = AffineRows<Avx512, 2, 4>(call, row);
  AffineSingleRows<Avx512, 4, 0>(call, row);
}

}  // namespace

extern const Kernels kAvx512Kernels;
const Kernels kAvx512Kernels = {"avx512", Affine, EluLoop, GeluLoop, SoftmaxColumnsLoop};

}  // namespace rhumb::net
