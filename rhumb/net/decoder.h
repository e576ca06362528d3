// The decoder of the paper: an observation and a code -> a Gaussian over actions.
//
//   observation [O], normalised -> state MLP (O -> 256 -> 256, ReLU after both) -> s
//   [s, code] -> joint MLP (256 + H -> 256 -> 256 -> outputs, ReLU between) -> mean [A], and
//   log-deviation [A] in [-20, 2] from the same network, or from the code alone (H -> 256 -> 256 ->
//   A)
//
// The code enters one layer only, so its share W_h h + b of that layer is computed once (Prepare)
// and acting costs nothing for it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "rhumb/net/mlp.h"
#include "rhumb/net/safetensors.h"

namespace rhumb::net {

// What the deviation of an action may depend on.
enum class DeviationSource { kStateAndCode, kCode };

constexpr float kMinActionLogDeviation = -20, kMaxActionLogDeviation = 2;

// Constant once filled in, and then thread-safe; each caller brings its own workspace.
struct Decoder {
  DeviationSource deviation_source = DeviationSource::kStateAndCode;
  Mlp state_mlp;      // O -> 256 -> 256
  Layer joint_state;  // 256 -> 256: the columns of the first joint layer that see the state
  Layer joint_code;   // H -> 256: those that see the code, and the layer's bias
  Mlp joint_mlp;      // 256 -> 256 -> 2A (means, then log-deviations), or A
  Mlp deviation_mlp;  // H -> 256 -> 256 -> A; empty unless kCode

  int observation_size() const { return state_mlp.inputs(); }
  int code_size() const { return joint_code.inputs; }
  int action_size() const;

  // Floats of a prepared code.
  std::size_t prepared_size() const;
  // Floats that Prepare or Forward needs for `rows` rows.
  std::size_t workspace_size(int rows) const;

  // code [H] -> prepared [prepared_size].
  void Prepare(const float* code, float* prepared, std::span<float> workspace) const;

  // observations [rows, O], normalised, and a prepared code per row, prepared[row] -> mean [rows,
  // A] and log_deviation [rows, A], clamped. Every row is computed in the same order of operations
  // whatever the batch. Allocates nothing.
  void Forward(const float* observations, const float* const* prepared, int rows, float* mean,
               float* log_deviation, std::span<float> workspace) const;

  void Write(SafetensorsWriter& out, const std::string& prefix) const;
  static Decoder Read(const SafetensorsFile& in, const std::string& prefix,
                      DeviationSource deviation_source);
};

}  // namespace rhumb::net
