// Compiled with -march=x86-64-v3: 16 registers of 8 floats.
#include <immintrin.h>

#include "rhumb/net/kernel_loops.h"
#include "rhumb/net/kernel_tiles.h"
#include "rhumb/net/kernels.h"

namespace rhumb::net {
namespace {

struct Avx2 {
  using Vector = __m256;
  static constexpr int kLanes = 8;
  static Vector Load(const float* p) { return _mm256_loadu_ps(p); }
  static void Store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
  static Vector Broadcast(float x) { return _mm256_set1_ps(x); }
  static Vector MultiplyAdd(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
};

// 4 x 3 sums, 3 vectors of weights and an input are the 16 registers.
void Affine(const AffineCall& call) {
  int row = AffineRows<Avx2, 4, 3>(call, 0);
  row = AffineRows<Avx2, 3, 4>(call, row);
  row = AffineRows<Avx2, 2, 4>(call, row);
  AffineSingleRows<Avx2, 8, 8>(call, row);
}

}  // namespace

extern const Kernels kAvx2Kernels;
const Kernels kAvx2Kernels = {"avx2", Affine, EluLoop, GeluLoop, SoftmaxColumnsLoop};

}  // namespace rhumb::net
