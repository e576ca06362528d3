// Initial weights of networks.
#pragma once

#include <torch/types.h>

#include "rhumb/core/math/random.h"

namespace rhumb::learn::device {

// [rows, columns] with orthonormal rows or columns, whichever are fewer, times `gain`.
torch::Tensor Orthogonal(std::int64_t rows, std::int64_t columns, double gain, core::Stream& noise);

// Uniform in [-limit, limit).
torch::Tensor Uniform(torch::IntArrayRef sizes, double limit, core::Stream& noise);

// Normal with mean 0 and this standard deviation.
torch::Tensor Normal(torch::IntArrayRef sizes, double deviation, core::Stream& noise);

}  // namespace rhumb::learn::device
