#include "rhumb/net/decoder.h"

#include <algorithm>

#include "rhumb/core/error.h"

namespace rhumb::net {
namespace {

float Clamp(float log_deviation) {
  return std::clamp(log_deviation, kMinActionLogDeviation, kMaxActionLogDeviation);
}

}  // namespace

int Decoder::action_size() const {
  return deviation_source == DeviationSource::kCode ? joint_mlp.outputs() : joint_mlp.outputs() / 2;
}

std::size_t Decoder::prepared_size() const {
  const int deviations = deviation_source == DeviationSource::kCode ? action_size() : 0;
  return static_cast<std::size_t>(joint_code.padded_outputs() + deviations);
}

std::size_t Decoder::workspace_size(int rows) const {
  const std::size_t forward = state_mlp.workspace_size(rows) +
                              static_cast<std::size_t>(rows * joint_state.padded_outputs()) +
                              joint_mlp.workspace_size(rows);
  return std::max(forward, deviation_mlp.workspace_size(1));
}

void Decoder::Prepare(const float* code, float* prepared, std::span<float> workspace) const {
  joint_code.Apply(code, code_size(), 1, prepared);
  if (deviation_source == DeviationSource::kStateAndCode) return;
  const float* deviations = deviation_mlp.Run(code, code_size(), 1, workspace);
  std::transform(deviations, deviations + action_size(), prepared + joint_code.padded_outputs(),
                 Clamp);
}

void Decoder::Forward(const float* observations, const float* const* prepared, int rows,
                      float* mean, float* log_deviation, std::span<float> workspace) const {
  RHUMB_CHECK(workspace.size() >= workspace_size(rows), "{} floats of workspace, {} needed",
              workspace.size(), workspace_size(rows));
  // s = relu(state MLP), in place.
  float* state = state_mlp.Run(observations, observation_size(), rows, workspace);
  Relu(state, static_cast<std::size_t>(rows * state_mlp.padded_outputs()));

  // relu(W_s s + (W_h h + b)).
  const int width = joint_state.padded_outputs();
  float* joint = workspace.data() + state_mlp.workspace_size(rows);
  joint_state.Apply(state, state_mlp.padded_outputs(), rows, joint);
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < width; ++i) {
      joint[row * width + i] = std::max(joint[row * width + i] + prepared[row][i], 0.0f);
    }
  }

  const float* outputs = joint_mlp.Run(
      joint, width, rows,
      workspace.subspan(state_mlp.workspace_size(rows) + static_cast<std::size_t>(rows * width)));
  const int actions = action_size();
  const int stride = joint_mlp.padded_outputs();
  const bool by_code = deviation_source == DeviationSource::kCode;
  for (int row = 0; row < rows; ++row) {
    const float* output = outputs + row * stride;
    std::copy_n(output, actions, mean + row * actions);
    if (by_code) {
      std::copy_n(prepared[row] + width, actions, log_deviation + row * actions);
    } else {
      std::transform(output + actions, output + 2 * actions, log_deviation + row * actions, Clamp);
    }
  }
}

void Decoder::Write(SafetensorsWriter& out, const std::string& prefix) const {
  state_mlp.Write(out, prefix + "state");
  joint_state.Write(out, prefix + "joint_state");
  joint_code.Write(out, prefix + "joint_code");
  joint_mlp.Write(out, prefix + "joint");
  if (deviation_source == DeviationSource::kCode) deviation_mlp.Write(out, prefix + "deviation");
}

Decoder Decoder::Read(const SafetensorsFile& in, const std::string& prefix,
                      DeviationSource deviation_source) {
  Decoder decoder;
  decoder.deviation_source = deviation_source;
  decoder.state_mlp = Mlp::Read(in, prefix + "state", Activation::kRelu);
  decoder.joint_state = Layer::Read(in, prefix + "joint_state", decoder.state_mlp.outputs());
  decoder.joint_code = Layer::Read(in, prefix + "joint_code", 0, decoder.joint_state.outputs);
  decoder.joint_mlp =
      Mlp::Read(in, prefix + "joint", Activation::kRelu, decoder.joint_state.outputs);
  if (deviation_source == DeviationSource::kCode) {
    decoder.deviation_mlp =
        Mlp::Read(in, prefix + "deviation", Activation::kRelu, decoder.code_size());
    if (decoder.deviation_mlp.outputs() != decoder.action_size()) {
      Fail("{}: '{}deviation' has {} outputs for {} actions", in.place(), prefix,
           decoder.deviation_mlp.outputs(), decoder.action_size());
    }
  } else if (decoder.joint_mlp.outputs() % 2 != 0) {
    Fail("{}: '{}joint' has {} outputs, expected an even number", in.place(), prefix,
         decoder.joint_mlp.outputs());
  }
  return decoder;
}

}  // namespace rhumb::net
