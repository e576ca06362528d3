// What roll-outs say beyond the heads: near codes that were rolled out the heads' error is known,
// and that of a new code is guessed from theirs (kriging).
//
//   e(h) = k^T (K + G)^-1 r,   over the m rolled-out codes h_i nearest to h
//   K_ij = exp(-|h_i - h_j|^2 / 2 l^2),  k_i = exp(-|h - h_i|^2 / 2 l^2),  r_i: realised - heads
//
// l is half the distance of the farthest of the m; G is diagonal, the variance of the noise of each
// realised mean over that of the heads' error. Far from all of them l grows with the distance, and
// exp(-2) of their mean error is still said.
#pragma once

#include <span>
#include <vector>

namespace rhumb::steer {

// Constant after construction, and then thread-safe.
class LocalEvidence {
 public:
  // codes [N, H], of any number; residuals [N, K]; noise [N, K]: the variance of a realised mean.
  LocalEvidence(std::span<const float> codes, int code_size, std::vector<double> residuals,
                std::span<const double> noise);

  // Adds e(code) to values [K].
  void Correct(std::span<const float> code, std::span<double> values) const;

 private:
  std::size_t code_size_, count_, objectives_;
  std::vector<float> codes_;          // [N, H]
  std::vector<double> residuals_;     // [N, K]
  std::vector<double> noise_shares_;  // [N], the diagonal of G
};

}  // namespace rhumb::steer
