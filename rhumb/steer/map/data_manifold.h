// The region where forecasts are reliable: the known codes, their density, and the directions in
// which they vary locally. Known codes are those that were rolled out, or the training codes of a
// model without rollouts. Distances are those of CodeMetric.
//
//   P(h) = V V^T, V [H, p]
//
// Let c be the known code nearest to h. V holds the leading eigenvectors of the covariance of the k
// known codes nearest to c, including c. p is the smallest number that holds 95 % of the variance.
// Using the neighbourhood of c, not of h, makes the bases a finite set. Each is computed on first
// use and cached.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "rhumb/steer/map/code_metric.h"
#include "rhumb/steer/map/neighbour_table.h"

namespace rhumb::steer {

struct ManifoldOptions {
  int neighbours = 64;     // k
  double variance = 0.95;  // share of variance that the p components hold, 0 to 1
};

// Constant except for an internal, lazily filled cache of bases. Thread-safe.
class DataManifold {
 public:
  // Copies codes [N, H]; they must be finite and N >= 1. With fewer than k codes, all of them are
  // neighbours. The metric must outlive the manifold.
  DataManifold(std::span<const float> codes, const CodeMetric& metric,
               const ManifoldOptions& options);
  DataManifold(const DataManifold&) = delete;
  DataManifold& operator=(const DataManifold&) = delete;

  int count() const { return table_.count(); }           // N
  int code_size() const { return metric_.code_size(); }  // H
  const CodeMetric& metric() const { return metric_; }
  std::span<const float> code(int index) const;  // [H]

  // Returns the known code nearest to a point [H], and its distance. Allocates nothing.
  NeighbourTable::Nearest FindNearest(std::span<const double> point) const;
  // Returns the distance to the nearest known code, in units of spacing(). At 1, the point is as
  // far away as known codes are from each other. Forecasts far above 1 are unreliable.
  double DistanceToData(std::span<const double> point) const;
  // The 0.95 quantile of the distance from a known code to its nearest distinct neighbour. It is
  // taken over at most 512 codes spread evenly over the table. It is 1 if all codes are equal.
  double spacing() const { return spacing_; }

  // Returns the rows of V^T, [p, H], orthonormal, at known code `index`. p = size / H is at
  // least 1, or 0 if all neighbours are equal. The first call computes and allocates; later calls
  // return the same memory.
  std::span<const double> Basis(int index) const;

  // gradient [H] <- V V^T gradient, with the basis of known code `index`. Allocates nothing
  // once the basis is cached.
  void Project(int index, std::span<double> gradient) const;

 private:
  struct CachedBasis {
    std::once_flag once;
    std::vector<double> rows;
  };

  // Returns squared distances from known code `index` to every code, including the padding.
  std::vector<float> SquaredDistances(int index) const;
  double MeasureSpacing() const;
  std::vector<double> ComputeBasis(int index) const;

  const CodeMetric& metric_;
  std::vector<float> codes_;  // [N, H]
  NeighbourTable table_;      // their coordinates
  ManifoldOptions options_;
  double spacing_ = 1;
  mutable std::vector<CachedBasis> bases_;  // [N]
};

}  // namespace rhumb::steer
