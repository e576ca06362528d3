// Plain loops for any machine, and what the tests compare the others with. The compiler makes
// vectors of them where the architecture can fuse multiply-adds; elsewhere fmaf is a slow call.
#include <cstddef>

#include "rhumb/net/kernel_loops.h"
#include "rhumb/net/kernels.h"

namespace rhumb::net {
namespace {

void Affine(const AffineCall& call) {
  const float* x = call.x;
  float* y = call.y;
  for (int row = 0; row < call.rows; ++row, x += call.stride, y += call.outputs) {
    __builtin_memcpy(y, call.bias, sizeof(float) * static_cast<std::size_t>(call.outputs));
    const float* w = call.weights;
    for (int i = 0; i < call.inputs; ++i, w += call.outputs) {
      const float input = x[i];
      if (input == 0) continue;
      for (int o = 0; o < call.outputs; ++o) y[o] = __builtin_fmaf(input, w[o], y[o]);
    }
  }
}

}  // namespace

extern const Kernels kPortableKernels;
const Kernels kPortableKernels = {"portable", Affine, EluLoop, GeluLoop, SoftmaxColumnsLoop};

}  // namespace rhumb::net
