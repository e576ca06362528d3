// The losses of representation learning (the paper's section 3) as functions of tensors. Each
// returns a scalar and is differentiable in the network outputs: means, log-deviations, z, weights.
// RNC is in rank_contrast.h.
#pragma once

#include <torch/types.h>

namespace rhumb::learn::representation {

// KL(N(mean, e^log_deviation) || N(0, 1)), summed over the dimensions of a code, averaged over the
// batch: mean, log_deviation [n, H].
torch::Tensor PosteriorKl(const torch::Tensor& mean, const torch::Tensor& log_deviation);

// |U U^T - I|^2 for each projection U of weights [K, Z, H], averaged over K. It is the sum over the
// Z x Z entries, or their mean.
torch::Tensor Orthonormality(const torch::Tensor& weights, bool mean_of_entries);

// InfoNCE on cosines of z [K, n, Z]. Rows 2i and 2i + 1 are two views of one episode and form a
// positive pair; all other rows are negatives. Averaged over n and K.
torch::Tensor InfoNce(const torch::Tensor& z, double temperature);

}  // namespace rhumb::learn::representation
