#include "rhumb/net/onnx_export.h"

#include <cmath>
#include <vector>

#include "rhumb/core/error.h"
#include "rhumb/net/onnx_graph.h"

namespace rhumb::net {
namespace {

// x W + b, with the padding of the weights left out.
std::string AddLayer(OnnxGraph& graph, const Layer& layer, const std::string& input,
                     const std::string& name) {
  std::vector<float> weights;
  for (int row = 0; row < layer.inputs; ++row) {
    const float* first = layer.weights.data() + std::ptrdiff_t{row} * layer.padded_outputs();
    weights.insert(weights.end(), first, first + layer.outputs);
  }
  const std::span bias(layer.bias.data(), static_cast<std::size_t>(layer.outputs));
  return graph.AddNode(
      "Gemm",
      {input, graph.AddTensor(name + ".weight", {layer.inputs, layer.outputs}, weights),
       graph.AddTensor(name + ".bias", {layer.outputs}, bias)},
      name);
}

// The layers with ReLU between them.
std::string AddMlp(OnnxGraph& graph, const Mlp& mlp, std::string value, const std::string& name) {
  for (std::size_t i = 0; i < mlp.layer_count(); ++i) {
    const std::string layer = name + "." + std::to_string(i);
    value = AddLayer(graph, mlp.layer(i), value, layer);
    if (i + 1 < mlp.layer_count()) value = graph.AddNode("Relu", {value}, layer + ".relu");
  }
  return value;
}

std::string AddClip(OnnxGraph& graph, const std::string& input, float low, float high,
                    const std::string& name) {
  return graph.AddNode("Clip",
                       {input, graph.AddTensor(name + ".low", {}, std::span(&low, 1)),
                        graph.AddTensor(name + ".high", {}, std::span(&high, 1))},
                       name);
}

// A baked code is a row that is repeated for every observation.
std::string AddCode(OnnxGraph& graph, const Model& model, std::span<const float> code) {
  const int size = model.code_size();
  if (code.empty()) return graph.AddInput("code", size);
  if (code.size() != static_cast<std::size_t>(size)) {
    Fail("a code of {} numbers; the model's codes have {}", code.size(), size);
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!std::isfinite(code[i])) Fail("number {} of the code, {}, is not finite", i, code[i]);
  }
  return graph.AddTensor("code", {1, size}, code);
}

}  // namespace

std::string ExportOnnx(const Model& model, std::span<const float> code,
                       const std::map<std::string, std::string>& metadata) {
  const Decoder& decoder = model.decoder;
  const Normaliser& normaliser = model.observations;
  const int observations = model.observation_size(), actions = model.action_size();
  OnnxGraph graph;
  const std::string observation = graph.AddInput("observation", observations);
  const std::string h = AddCode(graph, model, code);

  // z = clip((x - mean) * inverse_scale, -limit, limit)
  std::string value = graph.AddNode(
      "Sub", {observation, graph.AddTensor("normaliser.mean", {observations}, normaliser.mean)},
      "centred");
  value = graph.AddNode("Mul",
                        {value, graph.AddTensor("normaliser.inverse_scale", {observations},
                                                normaliser.inverse_scale)},
                        "scaled");
  value = AddClip(graph, value, -normaliser.limit, normaliser.limit, "normalised");

  // relu(W_s relu(state MLP) + W_h h + b), then the joint MLP.
  value = graph.AddNode("Relu", {AddMlp(graph, decoder.state_mlp, value, "state")}, "state");
  value = graph.AddNode("Add",
                        {AddLayer(graph, decoder.joint_state, value, "joint_state"),
                         AddLayer(graph, decoder.joint_code, h, "joint_code")},
                        "joint_sum");
  value = AddMlp(graph, decoder.joint_mlp, graph.AddNode("Relu", {value}, "joint"), "outputs");

  if (decoder.deviation_source == DeviationSource::kStateAndCode) {
    const std::string raw = "log_std.raw";
    graph.AddNode("Split", {value}, std::vector<std::string>{"mean", raw}, {{"axis", 1}});
    AddClip(graph, raw, kMinActionLogDeviation, kMaxActionLogDeviation, "log_std");
  } else {
    graph.AddNode("Identity", {value}, "mean");
    const std::string row = AddClip(graph, AddMlp(graph, decoder.deviation_mlp, h, "deviation"),
                                    kMinActionLogDeviation, kMaxActionLogDeviation, "log_std.row");
    // One row for a baked code; as many as there are observations otherwise.
    graph.AddNode("Expand", {row, graph.AddNode("Shape", {"mean"}, "mean.shape")}, "log_std");
  }

  // action = centre + half_range * clip(mean, -1, 1)
  value = AddClip(graph, "mean", -1, 1, "clipped");
  value = graph.AddNode(
      "Mul", {value, graph.AddTensor("action.half_range", {actions}, model.action_half_range)},
      "stretched");
  graph.AddNode("Add", {value, graph.AddTensor("action.centre", {actions}, model.action_centre)},
                "action");
  graph.AddOutput("action", actions);
  graph.AddOutput("mean", actions);
  graph.AddOutput("log_std", actions);
  return graph.Serialise(model.description.environment.id, metadata);
}

}  // namespace rhumb::net
