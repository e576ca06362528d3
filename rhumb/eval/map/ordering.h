// The ordering of the map: are policies with labels nearer to an anchor's also nearer to it?
//
//   episodes -> contexts -> codes h -> projections z_k -> random triples (i, j, l) ->
//   margin |z_i - z_l| - |z_i - z_j|, where the label of j is nearer to that of i than that of l
//
// The paper calls a representation delta-ordered for a label if two conditions hold in every
// triple. The margin exceeds 1 / delta, and the distances to points with equally near labels differ
// by less than delta. We report the share of triples that meet the definition. With a margin of
// zero this is the share in the right order.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/math/random.h"
#include "rhumb/core/process/config.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/map/imitation.h"
#include "rhumb/net/model.h"

namespace rhumb::eval {

struct OrderingConfig {
  std::string codes = "mean";
  int triples = 100'000;
  std::vector<double> deltas = {1, 2, 5, 10, 100};

  void Visit(core::FieldVisitor& v) {
    v("codes", codes, core::OneOf{"mean", "sampled"},
      "codes to compare: the posterior mean of one context per episode, or a draw from it");
    v("triples", triples, core::Range{1, 1e8}, "triples of episodes per split");
    v("deltas", deltas, core::Range{1e-6, 1e6},
      "values of delta; distances must differ by more than 1 / delta");
  }
};

// Indices of an anchor and two other points, all different.
using Triple = std::array<std::uint32_t, 3>;

// Draws `count` triples of indices below `points`, which is at least 3.
std::vector<Triple> DrawTriples(std::uint32_t points, int count, core::Stream& noise);

// How well the distances between points follow one label.
struct OrderingScore {
  std::int64_t triples = 0;
  std::int64_t ties = 0;  // triples with equally near labels; they have no margin
  double share = 0;     // share of the other triples with a positive margin; NaN if there are none
  ErrorSummary margin;  // in the units of the points; NaN if there are none
  std::vector<double> strict;  // per delta: share of all triples that meet the definition
};

// points [N, size], labels [N].
OrderingScore ScoreOrdering(std::span<const Triple> triples, std::span<const float> points,
                            int size, std::span<const double> labels,
                            std::span<const double> deltas);

struct LabelOrdering {
  OrderingScore z;  // in the label's own projection
  OrderingScore h;  // in the space of all codes
};

struct SplitOrdering {
  std::int64_t episodes = 0;
  std::vector<LabelOrdering> labels;  // [K]
};

struct OrderingReport {
  OrderingConfig config;
  std::vector<std::string> labels;              // [K], the labels that shaped the map
  std::map<data::Split, SplitOrdering> splits;  // those with three or more episodes
};

// Throws an Error if the model cannot read the dataset or no split has three episodes.
OrderingReport MeasureOrdering(const net::Model& model, const data::Dataset& dataset,
                               const OrderingConfig& config, std::uint64_t seed, int threads);

// Missing values are written as null.
nlohmann::json ToJson(const OrderingReport& report);

}  // namespace rhumb::eval
