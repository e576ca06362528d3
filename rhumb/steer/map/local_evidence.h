// Forecasts the values of a code from the rollouts of nearby codes, by ordinary kriging with a
// Matern kernel, over the 16 rolled-out codes h_i nearest to the code h:
//
//   v(h) = m + sum_i k_i a_i,   a = A^-1 (y - m),   m = 1^T A^-1 y / 1^T A^-1 1
//   k_i = M(|h - h_i|),   A_ij = M(|h_i - h_j|) + n_i / S on the diagonal
//   s(h)^2 = S' (1 - k^T A^-1 k + (1 - 1^T A^-1 k)^2 / 1^T A^-1 1) + n
//   S' = (4 S + (y - m)^T A^-1 (y - m)) / (4 + N - 1)
//   M(d) = (1 + sqrt 3 d / l) exp(-sqrt 3 d / l)
//   n = max(mean n_i, sum_i w_i n_i / sum_i w_i),   w_i = 1 / (|h - h_i|^2 + 0.02 max_j |h -
//   h_j|^2)
//
// y_i is the realised mean of code h_i and n_i the noise variance of that mean. n is the noise at
// h. A code that sometimes falls may stand beside others that never do, so the nearest count most;
// but a few episodes without a fall are no reason to trust a code more than its neighbours.
// Distances are those of CodeMetric. Values change slowly along the map, so l is 4 times the spread
// of all codes, and S is 4 times the variance of the label. A map has flat parts and cliffs, so the
// values of the N neighbours correct S: in S', S counts as much as 4 of them. s is the standard
// deviation of another realised mean around its forecast. It grows with the distance to what was
// tried. All but k belongs to the h_i: a Patch keeps it for codes that move a little, and gives the
// gradient of v.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "rhumb/steer/map/code_metric.h"
#include "rhumb/steer/map/neighbour_table.h"

namespace rhumb::steer {

// Constant after construction, and then thread-safe.
class LocalEvidence {
 public:
  static constexpr int kNeighbours = 16;

  // codes [N, H], N >= 1; values [N, K] and noise_variances [N, K] of the realised means, at least
  // 0; label_stds [K], above 0. The metric must outlive it.
  LocalEvidence(std::span<const float> codes, const CodeMetric& metric, std::vector<double> values,
                std::vector<double> noise_variances, std::span<const double> label_stds);

  // What the codes around one place say, and the kernel of the point last asked for.
  class Patch {
   public:
    // Of these objectives; of all if empty.
    explicit Patch(const LocalEvidence& evidence, std::span<const int> objectives = {});
    bool is_settled() const { return count_ > 0; }

   private:
    friend class LocalEvidence;
    using Row = std::array<double, kNeighbours>;
    // Of one objective. Places without a neighbour have 0 in every vector.
    struct Weights {
      std::size_t objective = 0;
      std::array<Row, kNeighbours> factor;  // columns of L, A = L L^T
      Row inverse_diagonal;                 // of L
      Row ones;                             // L^-1 1
      Row pulls;                            // a
      double total = 0, mean = 0;           // 1^T A^-1 1, m
      Row noise;                            // n_i
      double mean_noise = 0;                // of the neighbours
      double signal_variance = 0;           // S'
    };

    std::size_t count_ = 0;                // of the neighbours
    std::array<int, kNeighbours> near_{};  // their rows, nearest to the place first
    std::vector<Weights> weights_;
    std::vector<double> places_;  // [16, L]: coordinates of the neighbours
    Row kernel_, decay_;          // k and exp(-sqrt 3 d / l) at the point
    Row nearness_;                // w, with a sum of 1
    std::vector<double> point_;   // [L]
  };

  // Points are coordinates [L]. None of these allocates.

  // Moves the patch to a point. Leaves out the code `except`, if it is not -1.
  void Settle(std::span<const double> point, Patch& patch, int except = -1) const;
  // Moves the patch towards a point, from code to code, as long as the patch has a code that is
  // nearer than the one it is settled at.
  void Follow(std::span<const double> point, Patch& patch) const;
  // Returns the nearest of the patch's codes. Needs a settled patch.
  static NeighbourTable::Nearest FindNearest(std::span<const double> point, const Patch& patch);

  // Forecasts the code at a point [L]: values [K] <- v, stds [K] <- s and, unless empty, noise_stds
  // [K] <- sqrt(n), for the patch's objectives. Does nothing if the patch has no code.
  void Forecast(std::span<const double> point, Patch& patch, std::span<double> values,
                std::span<double> stds, std::span<double> noise_stds = {}) const;
  // gradient [L] <- sum_k cotangents_k dv_k/dpoint, at the point of the last Forecast.
  void Pullback(const Patch& patch, std::span<const double> cotangents,
                std::span<double> gradient) const;

 private:
  const CodeMetric& metric_;
  NeighbourTable table_;                          // coordinates of the codes
  std::size_t objectives_;                        // K
  std::vector<double> values_, noise_variances_;  // [N, K]
  std::vector<double> signal_variances_;          // [K]: S
  double length_ = 1;                             // l
};

}  // namespace rhumb::steer
