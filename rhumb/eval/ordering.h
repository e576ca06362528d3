// The ordering of the map: are policies whose labels are nearer to an anchor's also nearer to it?
//
//   episodes -> contexts -> codes h -> projections z_k -> random triples (i, j, l) ->
//   margin |z_i - z_l| - |z_i - z_j|, where the label of j is nearer to that of i than that of l
//
// The paper's representations are delta-ordered for a label where, in every triple, the margin is
// above 1 / delta, and two that are equally near by label differ by less than delta. Here it is
// the share of triples for which this holds; with a margin of zero, the share that is in order.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/config.h"
#include "rhumb/core/random.h"
#include "rhumb/data/dataset.h"
#include "rhumb/net/model.h"

namespace rhumb::eval {

struct OrderingConfig {
  std::string codes = "mean";
  int triples = 100'000;
  std::vector<double> deltas = {1, 2, 5, 10, 100};

  void Visit(core::FieldVisitor& v) {
    v("codes", codes, core::OneOf{"mean", "sampled"},
      "the posterior mean of a context of each episode, or a draw from the posterior");
    v("triples", triples, core::Range{1, 1e8}, "triples of episodes that are compared in a split");
    v("deltas", deltas, core::Range{1e-6, 1e6},
      "for the strict form: distances must differ by more than 1 / delta");
  }
};

// An anchor and two others, all different, by their place among the points.
using Triple = std::array<std::uint32_t, 3>;

// `count` triples of the numbers below `points`, of which there are at least 3.
std::vector<Triple> DrawTriples(std::uint32_t points, int count, core::Stream& noise);

// How well the distances between points follow one label.
struct OrderingScore {
  std::int64_t triples = 0;
  std::int64_t ties = 0;  // of them, those whose labels are equally near; they have no margin
  double share = 0;       // of the others, those with a margin above 0; NaN of none
  // Of the margins, in the units of the points; NaN of none.
  double mean = 0, median = 0, q10 = 0, q25 = 0, q75 = 0, q90 = 0;
  std::vector<double> strict;  // by delta: the share of all triples that keeps to the definition
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
  std::vector<std::string> labels;  // [K], those that shaped the map
  // By Split, where it has three episodes.
  std::array<std::optional<SplitOrdering>, data::kSplitCount> splits;
};

// A dataset that the model cannot read, or that has no split of three episodes, is an Error.
OrderingReport MeasureOrdering(const net::Model& model, const data::Dataset& dataset,
                               const OrderingConfig& config, std::uint64_t seed, int threads);

// A number that there is none of is null.
nlohmann::json ToJson(const OrderingReport& report);

}  // namespace rhumb::eval
