// For arm64, where NEON is always there: 32 registers of 4 floats.
#include <arm_neon.h>

#include "rhumb/net/kernel_loops.h"
#include "rhumb/net/kernel_tiles.h"
#include "rhumb/net/kernels.h"

namespace rhumb::net {
namespace {

struct Neon {
  using Vector = float32x4_t;
  static constexpr int kLanes = 4;
  static Vector Load(const float* p) { return vld1q_f32(p); }
  static void Store(float* p, Vector v) { vst1q_f32(p, v); }
  static Vector Broadcast(float x) { return vdupq_n_f32(x); }
  static Vector MultiplyAdd(Vector a, Vector b, Vector c) { return vfmaq_f32(c, a, b); }
};

// 4 x 4 sums, 4 vectors of weights and the inputs of 4 rows are 24 registers.
void Affine(const AffineCall& call) {
  int row = AffineRows<Neon, 4, 4>(call, 0);
  row = AffineRows<Neon, 2, 4>(call, row);
  AffineSingleRows<Neon, 16, 8>(call, row);
}

}  // namespace

extern const Kernels kNeonKernels;
const Kernels kNeonKernels = {"neon", Affine, EluLoop, GeluLoop, SoftmaxColumnsLoop};

}  // namespace rhumb::net
