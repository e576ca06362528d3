// Encoder error against context size, for contexts smaller and larger than in training (theorem 2.1
// of the paper: C / N + epsilon).
//
//   training episodes -> contexts of the trained size -> codes -> the linear probe, fitted once
//   held-out episodes -> several contexts of N pairs each -> the probe's error, and the distance
//   between posterior means of one episode
//
// The smaller contexts of an episode are prefixes of the larger ones, so all sizes share the same
// draws.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/map/probe.h"
#include "rhumb/net/model.h"

namespace rhumb::eval {

struct ContextSizeConfig {
  std::vector<int> sizes = {4, 8, 16, 32, 64, 128};
  int draws = 8;
  int train_draws = 8;

  void Visit(core::FieldVisitor& v) {
    v("sizes", sizes, core::Range{1, 65536, "pairs"}, "context sizes");
    v("draws", draws, core::Range{2, 1000}, "contexts per held-out episode");
    v("train_draws", train_draws, core::Range{1, 1000}, "contexts per training episode");
  }
};

// Results for contexts of one size.
struct ContextSizeRow {
  int size = 0;          // N, pairs
  ProbeScore mean_code;  // probe fitted to posterior means and read from them
  ProbeScore drawn;      // probe fitted to codes drawn from the posteriors and read from them
  double spread = 0;     // MeanSpread of the posterior means
  double deviation = 0;  // mean standard deviation of the posteriors
};

struct SplitContextSizes {
  std::int64_t episodes = 0;
  std::vector<ContextSizeRow> rows;  // by size
  double spread_rate = 0;            // r in spread ~ N^r; NaN if it cannot be measured
};

struct ContextSizeReport {
  std::vector<std::string> labels;  // [K], the labels that shaped the map
  int trained_size = 0;             // pairs
  double code_spread = 0;           // root mean square distance of training codes from their mean
  std::map<data::Split, SplitContextSizes> splits;  // those with episodes, but for training
};

// means [episodes, draws, size] -> root mean square distance of a draw from its episode's
// expectation. The expectation is estimated from the draws (at least 2).
double MeanSpread(std::span<const float> means, int draws, int size);

// Throws an Error if the model cannot read the dataset or the dataset lacks training or held-out
// episodes, or if there are no sizes.
ContextSizeReport MeasureContextSizes(const net::Model& model, const data::Dataset& dataset,
                                      const ContextSizeConfig& config, std::uint64_t seed,
                                      int threads);

// Missing values are written as null.
nlohmann::json ToJson(const ContextSizeReport& report);

}  // namespace rhumb::eval
