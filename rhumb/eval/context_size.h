// Error against context size: what more of a policy's pairs than it was trained on, or fewer, make
// of an encoder (theorem 2.1 of the paper: C / N + epsilon).
//
//   training episodes -> contexts of the trained size -> codes -> the linear probe, fitted once
//   held-out episodes -> contexts of N pairs, several of each -> the probe's error, and how far
//   apart the posterior means of one episode lie
//
// A smaller context of an episode is the beginning of a larger one, so that the sizes are compared
// on the same draws.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/config.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/probe.h"
#include "rhumb/net/model.h"

namespace rhumb::eval {

struct ContextSizeConfig {
  std::vector<double> sizes = {4, 8, 16, 32, 64, 128};
  int draws = 8;
  int train_draws = 8;

  void Visit(core::FieldVisitor& v) {
    v("sizes", sizes, core::Range{1, 65536, "pairs"}, "the sizes of the contexts");
    v("draws", draws, core::Range{2, 1000}, "contexts drawn of each held-out episode");
    v("train_draws", train_draws, core::Range{1, 1000}, "contexts drawn of each training episode");
  }
};

// What contexts of one size give.
struct ContextSizeRow {
  int size = 0;          // N, pairs
  ProbeScore mean_code;  // read from posterior means, by a probe that was fitted to such
  ProbeScore drawn;      // read from codes drawn from the posteriors, likewise
  double spread = 0;     // MeanSpread of the posterior means
  double deviation = 0;  // mean deviation of the posteriors
};

struct SplitContextSizes {
  std::int64_t episodes = 0;
  std::vector<ContextSizeRow> rows;  // by size
  double spread_rate = 0;            // r in spread ~ N^r; NaN where it cannot be measured
};

struct ContextSizeReport {
  std::vector<std::string> labels;  // [K], those that shaped the map
  int trained_size = 0;             // pairs
  double code_spread = 0;           // root mean square distance of training codes from their mean
  // By Split; the training split has none.
  std::array<std::optional<SplitContextSizes>, data::kSplitCount> splits;
};

// means [episodes, draws, size] -> the root mean square distance of a draw from its episode's
// expectation, estimated from the draws (at least 2).
double MeanSpread(std::span<const float> means, int draws, int size);

// A dataset that the model cannot read, one without training or held-out episodes, and a size that
// is no whole number are Errors.
ContextSizeReport MeasureContextSizes(const net::Model& model, const data::Dataset& dataset,
                                      const ContextSizeConfig& config, std::uint64_t seed,
                                      int threads);

// A number that there is none of is null.
nlohmann::json ToJson(const ContextSizeReport& report);

}  // namespace rhumb::eval
