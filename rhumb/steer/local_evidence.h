// What roll-outs say beyond the heads. Where codes were rolled out, the heads' error is known; that
// of a new code is estimated from its neighbours (kriging).
//
//   e(h) = k^T (K + G)^-1 r,   over the m rolled-out codes h_i nearest to h
//   K_ij = exp(-|h_i - h_j|^2 / 2 l^2),  k_i = exp(-|h - h_i|^2 / 2 l^2),  r_i: realised - heads
//   s(h)^2 = E (1 - k^T (K + G)^-1 k) + k^T n / sum k
//
// l is 0.7 of the distance of the farthest of the m; G is diagonal, n_i / E and at least 0.01: the
// variance n_i of the noise of a realised mean over that of the heads' error, E. Each objective has
// its own r, n and E. Most of the codes are those that the heads were fitted to, so E is rather
// small. s is the standard deviation of a further such mean from its forecast. Far from all of them
// l grows with the distance, and about exp(-1) of their mean error remains.
#pragma once

#include <span>
#include <vector>

#include "rhumb/steer/neighbour_table.h"

namespace rhumb::steer {

// Constant after construction, and then thread-safe.
class LocalEvidence {
 public:
  // codes [N, H], N >= 0; residuals [N, K]; noise_variances [N, K], at least 0, of the realised
  // means.
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
