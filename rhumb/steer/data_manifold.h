// Where codes are known to mean something: the training codes, how densely they lie, and the
// directions in which they vary locally.
//
//   P(h) = V V^T, V [H, p]: the leading eigenvectors of the covariance of the k training codes
//   nearest to the training code nearest to h (it is one of them); p is the fewest that hold 95 %
//   of its variance. Taking the neighbourhood of the nearest training code, not of h itself, makes
//   the bases a finite set: each is computed when first needed, and kept.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "rhumb/steer/neighbour_table.h"

namespace rhumb::steer {

struct ManifoldOptions {
  int neighbours = 64;     // k
  double variance = 0.95;  // the share that p components hold, 0 to 1
};

// Constant but for the cache of bases, which fills up behind the scenes; thread-safe.
class DataManifold {
 public:
  // codes [N, H] are copied; N >= 1, finite. With fewer than k codes all of them are neighbours. An
  // Error where H is above kMaxCodeSize.
  DataManifold(std::span<const float> codes, int code_size, const ManifoldOptions& options);
  DataManifold(const DataManifold&) = delete;
  DataManifold& operator=(const DataManifold&) = delete;

  static constexpr int kMaxCodeSize = 1024;

  const NeighbourTable& codes() const { return codes_; }
  int count() const { return codes_.count(); }          // N
  int code_size() const { return codes_.code_size(); }  // H

  // The distance to the nearest training code, in units of spacing(). 1: as far as training codes
  // are from each other; many: nothing is known there.
  double DistanceToData(std::span<const double> point) const;
  // The 0.95 quantile of the distance of a training code to the nearest other one, over at most 512
  // codes spread evenly over the table. A code that equals it is not another one; 1 where all are
  // equal.
  double spacing() const { return spacing_; }

  // Rows of V^T, [p, H], orthonormal, at training code `index`; p is its size / H: at least 1, but
  // 0 where all neighbours are equal. Computed at the first call (then it allocates), the same
  // memory ever after.
  std::span<const double> Basis(int index) const;

  // gradient [H] <- V V^T gradient, with the basis of training code `index`. Allocates nothing once
  // the basis is known.
  void Project(int index, std::span<double> gradient) const;

 private:
  struct CachedBasis {
    std::once_flag once;
    std::vector<double> rows;
  };

  // Of training code `index` to each code, and the padding after them.
  std::vector<float> SquaredDistances(int index) const;
  double MeasureSpacing() const;
  std::vector<double> ComputeBasis(int index) const;

  NeighbourTable codes_;
  ManifoldOptions options_;
  double spacing_ = 1;
  mutable std::vector<CachedBasis> bases_;  // [N]
};

}  // namespace rhumb::steer
