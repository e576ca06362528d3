// Plain loops for any machine, and what the tests compare the others with. The compiler makes
// vectors of them where the architecture can fuse multiply-adds; elsewhere fmaf is a slow call.
#include <cstddef>

#include "rhumb/net/kernel_loops.h"
#include "rhumb/net/kernels.h"

namespace rhumb::net {
namespace {

void Affine(const float* x, int stride, int rows, int inputs, const float* weights,
            const float* bias, int outputs, float* y) {
  for (int row = 0; row < rows; ++row, x += stride, y += outputs) {
    __builtin_memcpy(y, bias, sizeof(float) * static_cast<std::size_t>(outputs));
    const float* w = weights;
    for (int i = 0; i < inputs; ++i, w += outputs) {
      const float input = x[i];
      if (input == 0) continue;
      for (int o = 0; o < outputs; ++o) y[o] = __builtin_fmaf(input, w[o], y[o]);
    }
  }
}

}  // namespace

extern const Kernels kPortableKernels;
const Kernels kPortableKernels = {"portable", Affine, EluLoop, GeluLoop, SoftmaxColumnsLoop};

}  // namespace rhumb::net
