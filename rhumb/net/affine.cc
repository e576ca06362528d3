#include "rhumb/net/affine.h"

#include "rhumb/net/kernels.h"

namespace rhumb::net {

void Affine(const float* x, int stride, int rows, int inputs, const float* weights,
            const float* bias, int outputs, float* y) {
  ActiveKernels().affine(x, stride, rows, inputs, weights, bias, outputs, y);
}

void Elu(float* values, int count) { ActiveKernels().elu(values, count); }

void Gelu(float* values, int count) { ActiveKernels().gelu(values, count); }

void SoftmaxColumns(float* values, int rows, int columns) {
  ActiveKernels().softmax_columns(values, rows, columns);
}

}  // namespace rhumb::net
