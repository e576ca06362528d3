// The decoder of the paper: an observation and a code -> a Gaussian over actions.
//
//   observation [O], normalised -> state MLP (O -> 256 -> 256, ReLU after both) -> s
//   [s, code] -> joint MLP (256 + H -> 256 -> 256 -> outputs, ReLU between) -> mean [A]
//   log standard deviation [A] in [-20, 2]: from the joint MLP, or from the code alone
//     (H -> 256 -> 256 -> A)
//
// The code enters one layer only. Prepare computes its share of that layer, W_h h + b, once per
// code, so Forward does not pay for it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "rhumb/net/mlp.h"
#include "rhumb/net/safetensors.h"

namespace rhumb::net {

// The inputs of the action's standard deviation.
enum class DeviationSource { kStateAndCode, kCode };

constexpr float kMinActionLogDeviation = -20, kMaxActionLogDeviation = 2;

// Constant and thread-safe once filled in; each caller brings its own workspace.
struct Decoder {
  DeviationSource deviation_source = DeviationSource::kStateAndCode;
  Mlp state_mlp;      // O -> 256 -> 256
  Layer joint_state;  // 256 -> 256: columns of the first joint layer for the state
  Layer joint_code;   // H -> 256: columns of that layer for the code, and its bias
  Mlp joint_mlp;      // 256 -> 256 -> 2A (means, then log standard deviations), or A
  Mlp deviation_mlp;  // H -> 256 -> 256 -> A; empty unless kCode

  int observation_size() const { return state_mlp.inputs(); }
  int code_size() const { return joint_code.inputs; }
  int action_size() const;

  // Number of floats in a prepared code.
  std::size_t prepared_size() const;
  // Number of floats that Prepare and Forward need for `rows` rows.
  std::size_t workspace_size(int rows) const;

  // code [H] -> prepared [prepared_size].
  void Prepare(const float* code, float* prepared, std::span<float> workspace) const;

  // observations [rows, O], normalised, and one prepared code per row, prepared[row] -> mean [rows,
  // A] and log_deviation [rows, A], clamped. A row's result does not depend on the other rows in
  // the batch, bit for bit. Allocates nothing.
  void Forward(const float* observations, const float* const* prepared, int rows, float* mean,
               float* log_deviation, std::span<float> workspace) const;

  void Write(SafetensorsWriter& out, const std::string& prefix) const;
  static Decoder Read(const SafetensorsFile& in, const std::string& prefix,
                      DeviationSource deviation_source);
};

}  // namespace rhumb::net
