// Fits an ensemble of value heads to what codes were found to be worth, and calibrates it.
//
//   codes -> a share for calibration, which nothing is fitted to
//         -> the rest in M folds -> member m learns from all folds but m
//   calibration codes -> (realised - predicted) / scale -> residuals, from which intervals come
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/learn/device/device.h"
#include "rhumb/learn/ground/grounding_config.h"
#include "rhumb/net/value_heads.h"

namespace rhumb::learn::ground {

// N codes and what they realised, in units of each label's deviation. Views; all finite.
struct RealisedCodes {
  int code_size = 0;                      // H
  int objectives = 0;                     // K
  int episodes = 0;                       // behind each value
  std::span<const float> codes;           // [N, H]
  std::span<const float> values;          // [N, K]: means over the episodes
  std::span<const float> error_variance;  // [N, K], of those means: between episodes / their number

  int count() const { return static_cast<int>(codes.size()) / code_size; }
};

// Per objective, [K], in units of the label's variance or deviation.
struct EnsembleReport {
  std::vector<double> calibration_mse;  // of the ensemble's mean, on the calibration codes
  std::vector<double> out_of_fold_mse;  // of single members, each on the fold that it did not see
  // Of the 90 % interval: one half of the calibration codes gives it, the other is counted, and the
  // other way round.
  std::vector<double> coverage;
  std::vector<double> width;  // its mean width
};

struct EnsembleFit {
  net::HeadEnsemble heads;
  EnsembleReport report;
  std::vector<int> calibration;  // which codes no member saw
};

// Few codes are an Error. On the CPU equal arguments give equal bits.
EnsembleFit FitEnsemble(const RealisedCodes& data, const EnsembleConfig& config, std::uint64_t seed,
                        device::Device device);

}  // namespace rhumb::learn::ground
