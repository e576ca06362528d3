// Fits an ensemble of value heads to the realised values of codes, and calibrates it.
//
//   codes -> a share held back for calibration
//         -> the rest in M folds -> member m learns from all folds but m
//   calibration codes -> (realised - predicted) / scale -> residuals, which give the intervals
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rhumb/learn/device/device.h"
#include "rhumb/learn/ground/grounding_config.h"
#include "rhumb/net/value_heads.h"

namespace rhumb::learn::ground {

// N codes and their realised values, in standard deviations of each label. Views; all finite.
struct RealisedCodes {
  int code_size = 0;              // H
  int objectives = 0;             // K
  int episodes = 0;               // per value
  std::span<const float> codes;   // [N, H]
  std::span<const float> values;  // [N, K]: means over the episodes
  std::span<const float>
      error_variance;  // [N, K], of those means: variance between episodes / episodes

  int count() const { return static_cast<int>(codes.size()) / code_size; }
};

// Per objective, [K], in units of the label's variance or standard deviation.
struct EnsembleReport {
  std::vector<double> calibration_mse;  // of the ensemble's mean, on the calibration codes
  std::vector<double> out_of_fold_mse;  // of single members, each on its unseen fold
  // Coverage of the 90 % interval, by cross-validation: one half of the calibration codes sets the
  // interval and the other half is counted, then the halves swap.
  std::vector<double> coverage;
  std::vector<double> width;  // mean width of the interval
};

struct EnsembleFit {
  net::HeadEnsemble heads;
  EnsembleReport report;
  std::vector<int> calibration;  // indices of the codes that no member saw
};

// Throws an Error if there are too few codes. On the CPU equal arguments give equal bits.
EnsembleFit FitEnsemble(const RealisedCodes& data, const EnsembleConfig& config, std::uint64_t seed,
                        device::Device device);

}  // namespace rhumb::learn::ground
