// The hot kernels of the runtime's networks.
#pragma once

namespace rhumb::net {

// y[r, o] = bias[o] + sum_i x[r, i] weights[i, o], summed in the order of i with fused
// multiply-adds: the same bits, but for the sign of a zero, on every instruction set and for every
// grouping of rows.
//   x [rows, inputs] with `stride` floats from row to row
//   weights [inputs, outputs], bias [outputs], y [rows, outputs]; outputs is a multiple of 16
// All kernels use the machine's best instruction set, or the one that RHUMB_ISA names (kernels.h).
void Affine(const float* x, int stride, int rows, int inputs, const float* weights,
            const float* bias, int outputs, float* y);

// values[i] = x < 0 ? e^x - 1 : x in place, to the rounding of float.
void Elu(float* values, int count);

// values[i] = x (1 + erf(x / sqrt 2)) / 2 in place, to 1e-7 times 1 + |x|.
void Gelu(float* values, int count);

// values [rows, columns] -> e^value / sum over the rows, column by column, in place; columns is a
// multiple of 16.
void SoftmaxColumns(float* values, int rows, int columns);

}  // namespace rhumb::net
