// The geometry of the map: where contexts of a dataset's policies lie on it, and how it is spread.
//
//   episodes of all splits -> a context of each -> codes h, projections z_k, labels, weights
//                          -> norms of the codes, shares of variance of their principal components
//
// Numbers alone: a picture lays the codes out in the plane.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "rhumb/core/config.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/imitation.h"
#include "rhumb/net/model.h"

namespace rhumb::eval {

struct GeometryConfig {
  int contexts = 2000;

  void Visit(core::FieldVisitor& v) {
    v("contexts", contexts, core::Range{1, 1e6},
      "episodes that are encoded, at most, a context of each; no policy comes twice before all "
      "have come once");
  }
};

// How much of the variance of points each principal component holds.
struct VarianceShares {
  std::vector<double> shares;  // descending, of the sum 1; all 0 where the points are one
  int dimension = 0;           // the fewest components that hold kDimensionShare together
};
constexpr double kDimensionShare = 0.95;

// points [N, size], N >= 1.
VarianceShares MeasureVariance(std::span<const float> points, int size);

// Row i of everything is of the same context, in the order of the dataset.
struct GeometryReport {
  std::vector<float> codes;                  // [N, H], posterior means
  std::vector<float> projections;            // [N, P, Z], of the P labels that shaped the map
  std::vector<double> labels;                // [N, K], of the episode
  std::vector<data::Split> splits;           // [N]
  std::vector<std::vector<double>> weights;  // [N], of the policy; empty where they are not known
  ErrorSummary norm;                         // of the codes
  VarianceShares variance;                   // of the codes
};

// A dataset that the model cannot read, or that has no episode, is an Error. Threads change no
// number.
GeometryReport MeasureGeometry(const net::Model& model, const data::Dataset& dataset,
                               const GeometryConfig& config, std::uint64_t seed, int threads);

// {"objectives": [{"name", "unit"}], "splits": [names],
//  "contexts": {"codes": [[H]…], "projections": [label][[Z]…], "labels": [[K]…],
//               "split": [index…], "weights": [[…]…]},
//  "norm": {"mean", "p10", "p90"}, "variance_shares": [H], "dimension"}
// All with 5 digits. A model without projections has no such key.
nlohmann::json ToJson(const GeometryReport& report, const net::Model& model);

}  // namespace rhumb::eval
