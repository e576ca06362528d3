// Rank-N-Contrast (Zha et al. 2023), the loss that orders a map by its labels, in O(n^2 log n).
//
//   s_ij = -|z_i - z_j| / tau,  d_ij = |y_i - y_j|,  F_ij = {l != i : d_il >= d_ij}
//   loss = -1/(n(n-1)) sum_i sum_{j != i} log( exp s_ij / sum_{l in F_ij} exp s_il )
//
// Sort the other samples of anchor i by decreasing d. F_ij is then a prefix that ends with the last
// tie of j, so one running log-sum-exp gives all sums of exponentials.
#pragma once

#include <torch/types.h>

namespace rhumb::learn::representation {

// The part that depends only on the labels, so it can be computed before z is known.
struct LabelRanking {
  torch::Tensor labels;  // [K, n] double
  // For each anchor: the other samples by decreasing d, and the positions of each one's last and
  // first tie. [K, n, n-1] int64. Undefined on the CPU and for large n, where RankContrast computes
  // its own.
  torch::Tensor others, last_tie, first_tie;
};

// labels [K, n]: K rankings of the same n samples. Labels are compared in double.
LabelRanking RankLabels(const torch::Tensor& labels);

// Returns the mean over the rankings of the loss above, a scalar, for z [K, n, Z]. Differentiable
// in z.
torch::Tensor RankContrast(const torch::Tensor& z, const LabelRanking& ranking, double temperature);

// Loss and gradient, in the two implementations of RankContrast. For large n neither stores an
// array of all pairs.
struct RankContrastResult {
  torch::Tensor loss;      // a scalar
  torch::Tensor gradient;  // [K, n, Z]
};

// On the CPU, anchor by anchor in plain loops; the bits do not depend on the number of threads.
RankContrastResult RankContrastByAnchor(const torch::Tensor& z, const torch::Tensor& labels,
                                        double temperature);

// With tensor operations, on any device; a CUDA graph can hold it.
RankContrastResult RankContrastByTensors(const torch::Tensor& z, const LabelRanking& ranking,
                                         double temperature);

}  // namespace rhumb::learn::representation
