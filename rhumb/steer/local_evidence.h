// What roll-outs say beyond the heads: near codes that were rolled out the heads' error is known,
// and that of a new code is guessed from theirs (kriging).
//
//   e(h) = k^T (K + G)^-1 r,   over the m rolled-out codes h_i nearest to h
//   K_ij = exp(-|h_i - h_j|^2 / 2 l^2),  k_i = exp(-|h - h_i|^2 / 2 l^2),  r_i: realised - heads
//   s(h)^2 = E (1 - k^T (K + G)^-1 k) + k^T n / sum k
//
// l is 0.7 of the distance of the farthest of the m; G is diagonal, n_i / E and at least 0.01: the
// variance n_i of the noise of a realised mean over that of the heads' error, E. Each objective has
// its own r, n and E. Most of the codes are those that the heads were fitted to, so E is rather
// small. s is the deviation of a further such mean from its forecast. Far from all of them l grows
// with the distance, and about exp(-1) of their mean error is still said.
#pragma once

#include <span>
#include <vector>

namespace rhumb::steer {

// Constant after construction, and then thread-safe.
class LocalEvidence {
 public:
  // codes [N, H], of any number; residuals [N, K]; noise [N, K], at least 0: the variance of a
  // realised mean.
  LocalEvidence(std::span<const float> codes, int code_size, std::vector<double> residuals,
                std::vector<double> noise);

  // Adds e(code) to values [K], and sets deviations [K], where there are any, to s(code).
  void Correct(std::span<const float> code, std::span<double> values,
               std::span<double> deviations = {}) const;

 private:
  std::size_t code_size_, count_, objectives_;
  std::vector<float> codes_;               // [H, N]
  std::vector<double> residuals_, noise_;  // [N, K]
  std::vector<double> errors_;             // [K]: E
};

}  // namespace rhumb::steer
