// The geometry of the map: the positions of a dataset's policies on it, and its spread.
//
//   episodes of all splits -> one context each -> codes h, projections z_k, labels, weights
//                          -> norms of the codes, shares of variance of their principal components
//
// This file computes numbers only; the drawing tool lays the codes out in the plane.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/map/imitation.h"
#include "rhumb/net/model.h"

namespace rhumb::eval {

struct GeometryConfig {
  int contexts = 2000;

  void Visit(core::FieldVisitor& v) {
    v("contexts", contexts, core::Range{1, 1e6},
      "maximum number of encoded episodes; every policy is used once before any is used twice");
  }
};

// The share of the points' variance in each principal component.
struct VarianceShares {
  std::vector<double> shares;  // descending, sum 1; all 0 if the points coincide
  int dimension = 0;           // smallest number of components that together hold kDimensionShare
};
constexpr double kDimensionShare = 0.95;

// points [N, size], N >= 1.
VarianceShares MeasureVariance(std::span<const float> points, int size);

// Row i of every array belongs to the same context, in dataset order.
struct GeometryReport {
  std::vector<float> codes;                     // [N, H], posterior means
  std::vector<std::vector<float>> projections;  // [P][N, Z], of the labels that shaped the map
  std::vector<double> labels;                   // [N, K], of the episode
  std::vector<data::Split> splits;              // [N]
  std::vector<std::vector<double>> weights;     // [N], of the policy; empty if unknown
  ErrorSummary norm;                            // of the codes
  VarianceShares variance;                      // of the codes
};

// Throws an Error if the model cannot read the dataset or the dataset has no episodes. The result
// does not depend on the number of threads.
GeometryReport MeasureGeometry(const net::Model& model, const data::Dataset& dataset,
                               const GeometryConfig& config, std::uint64_t seed, int threads);

// {"objectives": [{"name", "unit"}], "splits": [names],
//  "contexts": {"codes": [[H]…], "projections": [label][[Z]…], "labels": [[K]…],
//               "split": [index…], "weights": [[…]…]},
//  "norm": {"mean", "p10", "p90"}, "variance_shares": [H], "dimension"}
// All numbers have 5 digits. The key "projections" is absent if the model has no projections.
nlohmann::json ToJson(const GeometryReport& report, const net::Model& model);

}  // namespace rhumb::eval
