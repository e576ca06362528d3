// Rank-N-Contrast (Zha et al. 2023), the loss that orders a map by its labels, in O(n^2 log n).
//
//   s_ij = -|z_i - z_j| / tau,  d_ij = |y_i - y_j|,  F_ij = {l != i : d_il >= d_ij}
//   loss = -1/(n(n-1)) sum_i sum_{j != i} log( exp s_ij / sum_{l in F_ij} exp s_il )
//
// With the others of anchor i sorted by falling d, F_ij is a prefix that ends with the last tie of
// j, so all its sums of exponentials come from one running log-sum-exp.
#pragma once

#include <torch/torch.h>

namespace rhumb::learn {

// The order of all others as seen from each anchor; depends on the labels alone.
struct RankOrder {
  torch::Tensor others;     // [K, n, n-1] int64: indices j != i by falling d_ij
  torch::Tensor last_tie;   // [K, n, n-1] int64: position of the last other at the same distance
  torch::Tensor first_tie;  // [K, n, n-1] int64: and of the first
};

// labels [K, n], K rankings of the same n samples. Distances are compared in the labels' precision.
RankOrder RankByLabel(const torch::Tensor& labels);

// z [K, n, Z] -> the mean over the K rankings of the loss above, a scalar. Differentiable in z.
torch::Tensor RankContrast(const torch::Tensor& z, const RankOrder& order, double temperature);

}  // namespace rhumb::learn
