// The elementwise kernels, as plain loops that the compiler turns into vectors.
//
// One source per instruction set includes this and is compiled with its own flags. So everything is
// in an unnamed namespace and calls no inline function of a library: the linker would keep one copy
// for all, maybe of an instruction set that the machine lacks. Multiply-adds are fused explicitly,
// so the bits do not depend on the compiler's choice.
#pragma once

namespace rhumb::net {
namespace {

// e^x for x <= 0: 2^k 2^f with x log2(e) = k + f, |f| <= 1/2, and 2^f by its Taylor series to the
// 6th power (error below 1e-7, the rounding of the result). Below -87 it stays at e^-87.
[[gnu::always_inline]] inline float Exp(float x) {
  const float t = (x > -87.0f ? x : -87.0f) * 1.44269504f;
  const float k = __builtin_rintf(t);
  const float f = (t - k) * 0.693147181f;
  float p = 1.0f / 720;
  p = __builtin_fmaf(p, f, 1.0f / 120);
  p = __builtin_fmaf(p, f, 1.0f / 24);
  p = __builtin_fmaf(p, f, 1.0f / 6);
  p = __builtin_fmaf(p, f, 0.5f);
  p = __builtin_fmaf(p, f, 1.0f);
  p = __builtin_fmaf(p, f, 1.0f);
  const int bits = (static_cast<int>(k) + 127) << 23;
  float scale;
  __builtin_memcpy(&scale, &bits, sizeof scale);
  return p * scale;
}

void EluLoop(float* values, int count) {
  for (int i = 0; i < count; ++i) {
    const float x = values[i];
    const float power = Exp(x < 0 ? x : 0.0f);
    values[i] = x < 0 ? power - 1.0f : x;
  }
}

// The upper tail of the normal distribution, 1 - erf(z) = 2q with z = |x| / sqrt 2, is Abramowitz
// and Stegun's 7.1.26: a polynomial of t = 1 / (1 + 0.3275911 z) times e^-z^2, to 1.5e-7.
void GeluLoop(float* values, int count) {
  for (int i = 0; i < count; ++i) {
    const float x = values[i];
    const float z = (x < 0 ? -x : x) * 0.707106781f;
    const float t = 1.0f / __builtin_fmaf(0.3275911f, z, 1.0f);
    float p = 1.061405429f;
    p = __builtin_fmaf(p, t, -1.453152027f);
    p = __builtin_fmaf(p, t, 1.421413741f);
    p = __builtin_fmaf(p, t, -0.284496736f);
    p = __builtin_fmaf(p, t, 0.254829592f);
    const float q = 0.5f * p * t * Exp(-z * z);
    values[i] = x < 0 ? x * q : x - x * q;
  }
}

void SoftmaxColumnsLoop(float* values, int rows, int columns) {
  constexpr int kColumns = 16;  // at a time
  for (int column = 0; column < columns; column += kColumns) {
    float* top = values + column;
    float largest[kColumns], sum[kColumns] = {};
    for (int l = 0; l < kColumns; ++l) largest[l] = top[l];
    for (int row = 1; row < rows; ++row) {
      for (int l = 0; l < kColumns; ++l) {
        const float x = top[row * columns + l];
        largest[l] = x > largest[l] ? x : largest[l];
      }
    }
    for (int row = 0; row < rows; ++row) {
      for (int l = 0; l < kColumns; ++l) {
        const float power = Exp(top[row * columns + l] - largest[l]);
        top[row * columns + l] = power;
        sum[l] += power;
      }
    }
    for (int row = 0; row < rows; ++row) {
      for (int l = 0; l < kColumns; ++l) top[row * columns + l] /= sum[l];
    }
  }
}

}  // namespace
}  // namespace rhumb::net
