// Forecasts the values of a code from the rollouts of nearby codes, by ordinary kriging with a
// Matern kernel:
//
//   v(h) = m + k^T A^-1 (y - m),   over the 16 rolled-out codes h_i nearest to h
//   k_i = M(|h - h_i|),  A_ij = M(|h_i - h_j|) + n_i / S on the diagonal,  m = 1^T A^-1 y / 1^T
//   A^-1 1 s(h)^2 = S (1 - k^T A^-1 k + (1 - 1^T A^-1 k)^2 / 1^T A^-1 1) + n(h) M(d) = (1 + sqrt 3
//   d / l) exp(-sqrt 3 d / l)
//
// y_i is the realised mean of code h_i, n_i the noise variance of that mean, and n(h) the mean
// noise around h. Distances are those of CodeMetric. Values change slowly along the map, so l is 4
// times the spread of all codes, and S is 4 times the variance of the label. s is the standard
// deviation of another realised mean around its forecast. It grows with the distance to what was
// tried.
#pragma once

#include <span>
#include <vector>

#include "rhumb/steer/map/code_metric.h"
#include "rhumb/steer/map/neighbour_table.h"

namespace rhumb::steer {

// Constant after construction, and then thread-safe.
class LocalEvidence {
 public:
  // codes [N, H], N >= 1; values [N, K] and noise_variances [N, K] of the realised means, at least
  // 0; label_stds [K], above 0. The metric must outlive it.
  LocalEvidence(std::span<const float> codes, const CodeMetric& metric, std::vector<double> values,
                std::vector<double> noise_variances, std::span<const double> label_stds);

  // values [K] <- v(code), stds [K] <- s(code) and, unless empty, noise_stds [K] <- sqrt(n(code)).
  // Leaves out the rolled-out code `except`; does nothing if there is no other. Allocates nothing.
  void Forecast(std::span<const float> code, std::span<double> values, std::span<double> stds,
                std::span<double> noise_stds = {}, int except = -1) const;

 private:
  const CodeMetric& metric_;
  NeighbourTable table_;                          // coordinates of the codes
  std::size_t objectives_;                        // K
  std::vector<double> values_, noise_variances_;  // [N, K]
  std::vector<double> signal_variances_;          // [K]: S
  double length_ = 1;                             // l
};

}  // namespace rhumb::steer
