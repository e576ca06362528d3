// Corrects the heads by the rollouts of nearby codes. The heads' error is known at rolled-out
// codes; the error at a new code is estimated from its neighbours (kriging).
//
//   e(h) = k^T (K + G)^-1 r,   over the m rolled-out codes h_i nearest to h
//   K_ij = exp(-|h_i - h_j|^2 / 2 l^2),  k_i = exp(-|h - h_i|^2 / 2 l^2),  r_i: realised - heads
//   s(h)^2 = E (1 - k^T (K + G)^-1 k) + k^T n / sum k
//
// l is 0.7 times the distance to the farthest of the m codes. G is diagonal with entries n_i / E,
// but at least 0.01. n_i is the noise variance of a realised mean; E is the variance of the heads'
// error. Each objective has its own r, n and E. E is rather small, because the heads were fitted
// to most of these codes. s is the standard deviation of another realised mean around its
// forecast. Far from all codes l grows with the distance, and about exp(-1) of their mean error
// remains.
#pragma once

#include <span>
#include <vector>

#include "rhumb/steer/map/neighbour_table.h"

namespace rhumb::steer {

// Constant after construction, and then thread-safe.
class LocalEvidence {
 public:
  // codes [N, H], N >= 0; residuals [N, K]; noise_variances [N, K] of the realised means, at least
  // 0.
  LocalEvidence(std::span<const float> codes, int code_size, std::vector<double> residuals,
                std::vector<double> noise_variances);

  // Adds e(code) to values [K], and sets stds [K], unless empty, to s(code).
  void Correct(std::span<const float> code, std::span<double> values,
               std::span<double> stds = {}) const;

 private:
  NeighbourTable codes_;
  std::size_t objectives_;                           // K
  std::vector<double> residuals_, noise_variances_;  // [N, K]
  std::vector<double> error_variances_;              // [K]: E
};

}  // namespace rhumb::steer
