// The linear probe: how much of the labels a linear map can read from the codes.
//
//   episodes -> contexts -> codes h drawn from their posteriors -> least squares on the training
//   split -> mean squared error of the normalised labels, in every split
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/process/config.h"
#include "rhumb/data/dataset.h"
#include "rhumb/net/model.h"

namespace rhumb::eval {

struct ProbeConfig {
  int train_draws = 8;
  int held_out_draws = 2;

  void Visit(core::FieldVisitor& v) {
    v("train_draws", train_draws, core::Range{1, 1000}, "codes drawn per training episode");
    v("held_out_draws", held_out_draws, core::Range{1, 1000}, "codes drawn per held-out episode");
  }
};

// The probe's scores in one split, per label and averaged.
struct ProbeScore {
  std::int64_t episodes = 0;
  std::vector<double> mse;  // [K], labels in standard deviations over the training episodes
  std::vector<double> r2;   // [K], 1 - mse / variance in this split; NaN if the variance is 0
  double mean_mse = 0;
  double mean_r2 = 0;
};

struct ProbeReport {
  std::vector<std::string> labels;           // [K], the labels that shaped the map
  std::map<data::Split, ProbeScore> splits;  // those with episodes
  double code_norm = 0;       // mean length of the posterior means, over training contexts
  double code_deviation = 0;  // mean standard deviation of the posteriors, over training contexts
};

// solution [H + 1, K] from core::SolveLeastSquares, codes [rows, H], labels [rows, K].
ProbeScore ScoreProbe(std::span<const double> solution, std::span<const float> codes, int code_size,
                      std::span<const float> labels, int label_count);

// Throws an Error if the model cannot read the dataset or the dataset has no training episodes.
ProbeReport MeasureProbe(const net::Model& model, const data::Dataset& dataset,
                         const ProbeConfig& config, std::uint64_t seed, int threads);

// Missing values are written as null.
nlohmann::json ToJson(const ProbeReport& report);

}  // namespace rhumb::eval
