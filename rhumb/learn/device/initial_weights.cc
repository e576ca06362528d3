#include "rhumb/learn/device/initial_weights.h"

#include <algorithm>
#include <cmath>

#include "rhumb/core/function_ref.h"

namespace rhumb::learn::device {
namespace {

torch::Tensor Drawn(torch::IntArrayRef sizes, core::FunctionRef<double()> draw) {
  torch::Tensor values = torch::empty(sizes, torch::kFloat32);
  float* data = values.data_ptr<float>();
  for (std::int64_t i = 0; i < values.numel(); ++i) data[i] = static_cast<float>(draw());
  return values;
}

}  // namespace

// Gram-Schmidt on a matrix of normal draws.
torch::Tensor Orthogonal(std::int64_t rows, std::int64_t columns, double gain,
                         core::Stream& noise) {
  const std::int64_t tall = std::max(rows, columns), wide = std::min(rows, columns);
  torch::Tensor draws = torch::empty({tall, wide}, torch::kFloat64);
  double* data = draws.data_ptr<double>();
  for (std::int64_t i = 0; i < tall * wide; ++i) data[i] = noise.Normal();
  // Written out, so that the bits do not depend on a LAPACK.
  for (std::int64_t j = 0; j < wide; ++j) {
    for (std::int64_t k = 0; k < j; ++k) {
      double product = 0;
      for (std::int64_t i = 0; i < tall; ++i) product += data[i * wide + k] * data[i * wide + j];
      for (std::int64_t i = 0; i < tall; ++i) data[i * wide + j] -= product * data[i * wide + k];
    }
    double square = 0;
    for (std::int64_t i = 0; i < tall; ++i) square += data[i * wide + j] * data[i * wide + j];
    for (std::int64_t i = 0; i < tall; ++i) data[i * wide + j] /= std::sqrt(square);
  }
  draws.mul_(gain);
  return (rows >= columns ? draws : draws.t()).to(torch::kFloat32).contiguous();
}

torch::Tensor Uniform(torch::IntArrayRef sizes, double limit, core::Stream& noise) {
  return Drawn(sizes, [&] { return noise.Uniform(-limit, limit); });
}

torch::Tensor Normal(torch::IntArrayRef sizes, double deviation, core::Stream& noise) {
  return Drawn(sizes, [&] { return deviation * noise.Normal(); });
}

}  // namespace rhumb::learn::device
