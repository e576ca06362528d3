#include "rhumb/net/affine.h"

#include <cstddef>
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

// `Rows` rows and `Vectors` vectors of columns at a time. Each vector of weights that comes from
// the cache is used `Rows` times, and Rows * Vectors sums are under way at once, which hides the
// latency of the multiply-adds when there are few rows.
template <int Rows, int Vectors>
[[gnu::always_inline]] inline void AffineBlock(const float* x, int stride, int inputs,
                                               const float* weights, const float* bias, int outputs,
                                               float* y) {
  Lanes sum[Rows][Vectors];
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < Vectors; ++v) {
      sum[r][v] = *reinterpret_cast<const Lanes*>(bias + v * kLanes);
    }
  }
  const float* w = weights;
  for (int i = 0; i < inputs; ++i, w += outputs) {
    Lanes weight[Vectors];
    for (int v = 0; v < Vectors; ++v) {
      weight[v] = *reinterpret_cast<const Lanes*>(w + v * kLanes);
    }
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < Vectors; ++v) sum[r][v] += x[r * stride + i] * weight[v];
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < Vectors; ++v) {
      *reinterpret_cast<Lanes*>(y + r * outputs + v * kLanes) = sum[r][v];
    }
  }
}

template <int Rows, int Vectors>
[[gnu::always_inline]] inline void AffineRows(const float* x, int stride, int inputs,
                                              const float* weights, const float* bias, int outputs,
                                              float* y) {
  int column = 0;
  for (; column + Vectors * kLanes <= outputs; column += Vectors * kLanes) {
    AffineBlock<Rows, Vectors>(x, stride, inputs, weights + column, bias + column, outputs,
                               y + column);
  }
  for (; column < outputs; column += kLanes) {
    AffineBlock<Rows, 1>(x, stride, inputs, weights + column, bias + column, outputs, y + column);
  }
}

// One row alone waits for its weights to come from the cache, so those of inputs that are 0, about
// half of them after a ReLU, stay there: adding 0 changes no sum, but for the sign of a zero.
// `indices` [count] are the other inputs.
template <int Vectors>
[[gnu::always_inline]] inline void AddInputs(const float* x, const int* indices, int count,
                                             const float* weights, int outputs, float* y) {
  Lanes sum[Vectors];
  for (int v = 0; v < Vectors; ++v) sum[v] = *reinterpret_cast<const Lanes*>(y + v * kLanes);
  for (int i = 0; i < count; ++i) {
    const float* w = weights + std::ptrdiff_t{indices[i]} * outputs;
    for (int v = 0; v < Vectors; ++v) {
      sum[v] += x[indices[i]] * *reinterpret_cast<const Lanes*>(w + v * kLanes);
    }
  }
  for (int v = 0; v < Vectors; ++v) *reinterpret_cast<Lanes*>(y + v * kLanes) = sum[v];
}

[[gnu::always_inline]] inline void AffineRow(const float* x, int inputs, const float* weights,
                                             const float* bias, int outputs, float* y) {
  constexpr int kInputs = 512;  // at a time
  constexpr int kVectors = 4;
  int indices[kInputs];
  std::memcpy(y, bias, sizeof(float) * static_cast<std::size_t>(outputs));
  for (int begin = 0; begin < inputs; begin += kInputs) {
    const int end = begin + kInputs < inputs ? begin + kInputs : inputs;
    int count = 0;
    for (int i = begin; i < end; ++i) {
      indices[count] = i;
      count += x[i] != 0;
    }
    int column = 0;
    for (; column + kVectors * kLanes <= outputs; column += kVectors * kLanes) {
      AddInputs<kVectors>(x, indices, count, weights + column, outputs, y + column);
    }
    for (; column < outputs; column += kLanes) {
      AddInputs<1>(x, indices, count, weights + column, outputs, y + column);
    }
  }
}

// e^x for x <= 0: 2^k 2^f with x log2(e) = k + f, |f| <= 1/2, and 2^f by its Taylor series to the
// 6th power (error below 1e-7, the rounding of the result). Below -87 it stays at e^-87.
[[gnu::always_inline]] inline float Exp(float x) {
  const float t = (x > -87.0f ? x : -87.0f) * 1.44269504f;
  const float k = __builtin_rintf(t);
  const float f = (t - k) * 0.693147181f;
  float p = 1.0f / 720;
  p = p * f + 1.0f / 120;
  p = p * f + 1.0f / 24;
  p = p * f + 1.0f / 6;
  p = p * f + 0.5f;
  p = p * f + 1.0f;
  p = p * f + 1.0f;
  const int bits = (static_cast<int>(k) + 127) << 23;
  float scale;
  __builtin_memcpy(&scale, &bits, sizeof scale);
  return p * scale;
}

}  // namespace

RHUMB_CLONES
void Affine(const float* x, int stride, int rows, int inputs, const float* weights,
            const float* bias, int outputs, float* y) {
  int row = 0;
  for (; row + 8 <= rows; row += 8) {
    AffineRows<8, 1>(x + row * stride, stride, inputs, weights, bias, outputs, y + row * outputs);
  }
  for (; row + 4 <= rows; row += 4) {
    AffineRows<4, 2>(x + row * stride, stride, inputs, weights, bias, outputs, y + row * outputs);
  }
  for (; row + 2 <= rows; row += 2) {
    AffineRows<2, 4>(x + row * stride, stride, inputs, weights, bias, outputs, y + row * outputs);
  }
  for (; row < rows; ++row) {
    AffineRow(x + row * stride, inputs, weights, bias, outputs, y + row * outputs);
  }
}

RHUMB_CLONES
void Elu(float* values, int count) {
  for (int i = 0; i < count; ++i) {
    const float x = values[i];
    const float power = Exp(x < 0 ? x : 0.0f);
    values[i] = x < 0 ? power - 1.0f : x;
  }
}

// The upper tail of the normal distribution, 1 - erf(z) = 2q with z = |x| / sqrt 2, is Abramowitz
// and Stegun's 7.1.26: a polynomial of t = 1 / (1 + 0.3275911 z) times e^-z^2, to 1.5e-7.
RHUMB_CLONES
void Gelu(float* values, int count) {
  for (int i = 0; i < count; ++i) {
    const float x = values[i];
    const float z = (x < 0 ? -x : x) * 0.707106781f;
    const float t = 1.0f / (1.0f + 0.3275911f * z);
    float p = 1.061405429f;
    p = p * t - 1.453152027f;
    p = p * t + 1.421413741f;
    p = p * t - 0.284496736f;
    p = p * t + 0.254829592f;
    const float q = 0.5f * p * t * Exp(-z * z);
    values[i] = x < 0 ? x * q : x - x * q;
  }
}

RHUMB_CLONES
void SoftmaxColumns(float* values, int rows, int columns) {
  for (int column = 0; column < columns; column += kLanes) {
    float* top = values + column;
    float largest[kLanes], sum[kLanes] = {};
    for (int l = 0; l < kLanes; ++l) largest[l] = top[l];
    for (int row = 1; row < rows; ++row) {
      for (int l = 0; l < kLanes; ++l) {
        const float x = top[row * columns + l];
        largest[l] = x > largest[l] ? x : largest[l];
      }
    }
    for (int row = 0; row < rows; ++row) {
      for (int l = 0; l < kLanes; ++l) {
        const float power = Exp(top[row * columns + l] - largest[l]);
        top[row * columns + l] = power;
        sum[l] += power;
      }
    }
    for (int row = 0; row < rows; ++row) {
      for (int l = 0; l < kLanes; ++l) top[row * columns + l] /= sum[l];
    }
  }
}

}  // namespace rhumb::net
