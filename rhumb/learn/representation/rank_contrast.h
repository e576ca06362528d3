// Rank-N-Contrast (Zha et al. 2023), the loss that orders a map by its labels, in O(n^2 log n).
//
//   s_ij = -|z_i - z_j| / tau,  d_ij = |y_i - y_j|,  F_ij = {l != i : d_il >= d_ij}
//   loss = -1/(n(n-1)) sum_i sum_{j != i} log( exp s_ij / sum_{l in F_ij} exp s_il )
//
// With the others of anchor i sorted by falling d, F_ij is a prefix that ends with the last tie of
// j, so all its sums of exponentials come from one running log-sum-exp.
#pragma once

#include <torch/torch.h>

namespace rhumb::learn::representation {

// z [K, n, Z], labels [K, n]: K rankings of the same n samples -> the mean over the rankings of the
// loss above, a scalar. Differentiable in z. Labels are compared in double.
torch::Tensor RankContrast(const torch::Tensor& z, const torch::Tensor& labels, double temperature);

// What the labels alone decide, so that it can be ready before z is.
struct LabelRanking {
  torch::Tensor labels;  // [K, n] double
  // By tensors, for each anchor: who the others are, by falling d, and the places of the last and
  // of the first tie of each. [K, n, n-1] int64; undefined where RankContrast makes its own: on the
  // CPU, and where n is large.
  torch::Tensor others, last_tie, first_tie;
};

LabelRanking RankLabels(const torch::Tensor& labels);

torch::Tensor RankContrast(const torch::Tensor& z, const LabelRanking& ranking, double temperature);

// The same with the gradient, in the two ways that RankContrast has. Neither keeps an array of all
// pairs of a large n.
struct RankContrastResult {
  torch::Tensor loss;      // a scalar
  torch::Tensor gradient;  // [K, n, Z]
};

// On the CPU, anchor by anchor in plain loops; the bits do not depend on the number of threads.
RankContrastResult RankContrastByAnchor(const torch::Tensor& z, const torch::Tensor& labels,
                                        double temperature);

// By tensor operations, on any device; it may be part of a CUDA graph.
RankContrastResult RankContrastByTensors(const torch::Tensor& z, const LabelRanking& ranking,
                                         double temperature);

}  // namespace rhumb::learn::representation
