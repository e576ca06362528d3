// Heads that predict objectives from a code, in standard deviations of their labels.
//
//   label heads: z_k = U_k h + b_k (the paper's projections), value_k = w_k . z_k + c_k
//   grounded heads: a small ensemble on h, fitted to the decoder's own rollouts
#pragma once

#include <string>
#include <vector>

#include "rhumb/net/mlp.h"
#include "rhumb/net/safetensors.h"

namespace rhumb::net {

// The paper's projections u, one per label that shaped the map.
struct Projections {
  int labels = 0;              // K
  int code_size = 0;           // H
  int size = 0;                // Z
  std::vector<float> weights;  // U [K, Z, H]
  std::vector<float> bias;     // b [K, Z]

  // code [H] -> z [K, Z].
  void Apply(const float* code, float* z) const;

  void Write(SafetensorsWriter& out, const std::string& prefix) const;
  static Projections Read(const SafetensorsFile& in, const std::string& prefix);
};

// One affine function of the code per objective. It is the product of a projection and its
// regressor, or the head of an attribute that was added later.
struct LinearHeads {
  int objectives = 0;          // K
  int code_size = 0;           // H
  std::vector<float> weights;  // [K, H]
  std::vector<float> bias;     // [K]

  // codes [rows, H] -> values [rows, K].
  void Predict(const float* codes, int rows, float* values) const;

  void Write(SafetensorsWriter& out, const std::string& prefix) const;
  static LinearHeads Read(const SafetensorsFile& in, const std::string& prefix);
};

// M networks H -> 64 -> 64 -> K on standardised codes. Their mean is the prediction; their standard
// deviation is its spread (ValueFunction). Constant and thread-safe once filled in.
struct HeadEnsemble {
  std::vector<float> code_mean, code_inverse_scale;  // [H]
  std::vector<Mlp> members;                          // M
  // [K][R]: ascending residuals of each objective on held-out codes, (realised - predicted) / scale
  // with scale = sqrt(spread^2 + noise^2). `realised` is the mean of `episodes` episodes.
  std::vector<std::vector<float>> residuals;
  std::vector<float> noise;  // [K]: lower bound of the scale
  int episodes = 0;          // an interval covers the mean of this many

  int code_size() const { return static_cast<int>(code_mean.size()); }
  int objectives() const { return members.empty() ? 0 : members.front().outputs(); }

  // The residual that a new one does not exceed with probability `level` in [0, 1], by split
  // conformal prediction. The rank is conservative and within 1 and R: ceil(level (R + 1)) from
  // level 0.5 on (upper bounds), floor(level (R + 1)) below it (lower bounds).
  float ResidualQuantile(int objective, double level) const;

  void Write(SafetensorsWriter& out, const std::string& prefix) const;
  static HeadEnsemble Read(const SafetensorsFile& in, const std::string& prefix);
};

}  // namespace rhumb::net
