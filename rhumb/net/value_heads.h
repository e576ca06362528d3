// Heads that predict objectives from a code, in standard deviations of their labels.
//
//   z_k = U_k h + b_k (the paper's projections), value_k = w_k . z_k + c_k
#pragma once

#include <string>
#include <vector>

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

}  // namespace rhumb::net
