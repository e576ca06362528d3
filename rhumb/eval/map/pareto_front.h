// Pareto fronts and their indicators. All objectives are maximised. Definitions are those of
// morl-baselines 1.3 (common/performance_indicators.py); IGD+, which it lacks, is that of pymoo.
//
// P is a front, Z a reference front, r a reference point, w one of the 50 UtilityWeights:
//
//   hypervolume            volume of {x : r <= x <= p for some p in P}
//   expected utility       mean_w max_{p in P} w.p                                       (EUM)
//   maximum utility loss   max_w (max_{z in Z} w.z - max_{p in P} w.p)                   (MUL)
//   IGD                    mean_{z in Z} min_{p in P} |z - p|
//   IGD+                   mean_{z in Z} min_{p in P} |max(z - p, 0)|
//   sparsity               sum_k sum_i (s_k[i + 1] - s_k[i])^2 / (|P| - 1), s_k the sorted p_k
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rhumb::eval {

// Points in rows: [N, K].
struct PointSet {
  std::size_t objectives = 0;  // K
  std::vector<double> values;  // [N, K], finite

  std::size_t count() const { return objectives == 0 ? 0 : values.size() / objectives; }
  std::span<const double> point(std::size_t row) const {
    return std::span(values).subspan(row * objectives, objectives);
  }
  void Add(std::span<const double> point);
};

// The rows that no other row dominates (at least as large everywhere, larger somewhere), ascending.
// Of equal rows, the first.
std::vector<std::size_t> NonDominatedRows(const PointSet& points);
PointSet FrontOf(const PointSet& points);

// Points that are not above `reference` [K] in every objective add nothing. Needs K >= 1.
double Hypervolume(const PointSet& points, std::span<const double> reference);

// NaN without points, or with more objectives than UtilityWeights knows.
double ExpectedUtility(const PointSet& front);
double MaximumUtilityLoss(const PointSet& front, const PointSet& reference);

// NaN if one of them has no points.
double InvertedGenerationalDistance(const PointSet& front, const PointSet& reference);
double InvertedGenerationalDistancePlus(const PointSet& front, const PointSet& reference);

// 0 for fewer than two points: the value says little about fronts of different sizes.
double Sparsity(const PointSet& front);

}  // namespace rhumb::eval
