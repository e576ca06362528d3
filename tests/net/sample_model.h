// Small valid models with random weights, for tests.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/core/math/random.h"
#include "rhumb/net/model.h"

namespace rhumb::net {

// The options that tests may set. Layer sizes are fixed.
struct SampleModelOptions {
  int observations = 3;  // O
  int actions = 2;       // A
  int labels = 2;        // K; all of them shaped the map
  Pooling pooling = Pooling::kClassToken;
  DeviationSource deviation_source = DeviationSource::kStateAndCode;
  std::uint64_t seed = 1;
};

// Draws weights in the order of the calls.
class SampleWeights {
 public:
  explicit SampleWeights(std::uint64_t seed) : noise_(seed, core::Purpose::kInitialWeights) {}

  // `count` normal numbers times `scale`.
  std::vector<float> Draw(int count, double scale = 1) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) value = static_cast<float>(scale * noise_.Normal());
    return values;
  }
  Layer DrawLayer(int inputs, int outputs) {
    return Layer(inputs, outputs, Draw(inputs * outputs, 0.5), Draw(outputs, 0.2));
  }
  Mlp DrawMlp(const std::vector<int>& sizes, Activation activation = Activation::kRelu) {
    Mlp network(sizes, activation);
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
      network.SetLayer(i, Draw(sizes[i] * sizes[i + 1], 0.5), Draw(sizes[i + 1], 0.2));
    }
    return network;
  }
  LayerNorm DrawNorm(int width) {
    LayerNorm norm{Draw(width, 0.2), Draw(width, 0.2)};
    for (float& weight : norm.weight) weight += 1;
    return norm;
  }

 private:
  core::Stream noise_;
};

// Width 12, 3 heads of 4, 2 layers: no size is a multiple of the vector width.
inline SetEncoder SampleEncoder(int token_size, int code_size, Pooling pooling,
                                SampleWeights& weights) {
  constexpr int kWidth = 12;
  SetEncoder encoder;
  encoder.pooling = pooling;
  encoder.heads = 3;
  encoder.token_mlp = weights.DrawMlp({token_size, 20, kWidth});
  if (pooling == Pooling::kClassToken) {
    encoder.class_token = weights.Draw(token_size);
    for (int i = 0; i < 2; ++i) {
      encoder.layers.push_back({weights.DrawNorm(kWidth), weights.DrawLayer(kWidth, 3 * kWidth),
                                weights.DrawLayer(kWidth, kWidth), weights.DrawNorm(kWidth),
                                weights.DrawLayer(kWidth, 4 * kWidth),
                                weights.DrawLayer(4 * kWidth, kWidth)});
    }
    encoder.last_norm = weights.DrawNorm(kWidth);
  }
  encoder.posterior = weights.DrawLayer(kWidth, 2 * code_size);
  return encoder;
}

inline Decoder SampleDecoder(int observations, int actions, int code_size, DeviationSource source,
                             SampleWeights& weights) {
  constexpr int kWidth = 20;
  const bool by_code = source == DeviationSource::kCode;
  Decoder decoder;
  decoder.deviation_source = source;
  decoder.state_mlp = weights.DrawMlp({observations, kWidth, kWidth});
  decoder.joint_state =
      Layer(kWidth, kWidth, weights.Draw(kWidth * kWidth, 0.3), std::vector<float>(kWidth, 0));
  decoder.joint_code = weights.DrawLayer(code_size, kWidth);
  decoder.joint_mlp = weights.DrawMlp({kWidth, kWidth, by_code ? actions : 2 * actions});
  if (by_code) decoder.deviation_mlp = weights.DrawMlp({code_size, kWidth, kWidth, actions});
  return decoder;
}

// Codes of 6 numbers, 12 training codes of 6 policies, and 5 codes rolled out with sampled actions.
inline Model SampleModel(const SampleModelOptions& options = {}) {
  constexpr int kCode = 6, kCodes = 12, kRolledOut = 5, kProjection = 2;
  const int labels = options.labels;
  const int tokens = options.observations + options.actions;
  SampleWeights weights(options.seed);
  Model model;
  ModelDescription& description = model.description;
  description.variant = "ours";
  description.environment.id = "sample-v0";
  description.environment.rewards = "default";
  description.time_limit = 100;
  description.context = 8;
  description.shaping_labels = labels;
  for (int k = 0; k < labels; ++k) {
    ModelObjective objective;
    objective.name = "objective_" + std::to_string(k);
    objective.unit = "units";
    objective.mean = 10.0 * k;
    objective.std = 2.0 + k;
    objective.min = objective.mean - 3 * objective.std;
    objective.max = objective.mean + 3 * objective.std;
    description.objectives.push_back(objective);
  }
  model.observations.mean = weights.Draw(options.observations, 0.1);
  model.observations.inverse_scale.assign(static_cast<std::size_t>(options.observations), 0.9f);
  model.action_centre.assign(static_cast<std::size_t>(options.actions), 0);
  model.action_half_range.assign(static_cast<std::size_t>(options.actions), 1);
  model.encoder = SampleEncoder(tokens, kCode, options.pooling, weights);
  model.decoder = SampleDecoder(options.observations, options.actions, kCode,
                                options.deviation_source, weights);
  model.projections = {labels, kCode, kProjection, weights.Draw(labels * kProjection * kCode, 0.4),
                       weights.Draw(labels * kProjection, 0.1)};
  model.heads = {labels, kCode, weights.Draw(labels * kCode, 0.4), weights.Draw(labels, 0.1)};

  const auto draw_table = [&](int count) {
    CodeTable table;
    table.code_size = kCode;
    table.objectives = labels;
    table.codes = weights.Draw(count * kCode);
    for (int i = 0; i < count; ++i) {
      for (const ModelObjective& objective : description.objectives) {
        table.values.push_back(
            static_cast<float>(objective.mean + objective.std * weights.Draw(1)[0]));
      }
    }
    return table;
  };
  model.training = draw_table(kCodes);
  for (int i = 0; i < kCodes; ++i) model.training.policies.push_back(i / 2);
  for (int i = 0; i < kCodes; ++i) model.training.agents.push_back(i / 4);
  model.map = MakePrincipalMap(model.training.codes, kCode);

  Grounding sampled;
  sampled.rolled_out = draw_table(kRolledOut);
  sampled.rolled_out.deviations.assign(static_cast<std::size_t>(kRolledOut * labels), 0.5f);
  sampled.episodes = 2;
  sampled.seed = 7;
  model.grounded[static_cast<std::size_t>(RolloutMode::kSampled)] = std::move(sampled);

  model.provenance = std::make_shared<const nlohmann::json>(
      nlohmann::json{{"dataset", {{"episodes", kCodes}}}, {"seed", options.seed}});
  model.metrics =
      std::make_shared<const nlohmann::json>(nlohmann::json{{"probe", {{"train_mse", 0.25}}}});
  return model;
}

// A sample for one environment. `objectives` are the names of its reward preset; their number
// overrides `options.labels`.
inline Model SampleModelOf(const core::EnvironmentBundle& environment,
                           const std::vector<std::string>& objectives, SampleModelOptions options) {
  options.labels = static_cast<int>(objectives.size());
  Model model = SampleModel(options);
  model.description.environment = environment;
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    model.description.objectives[k].name = objectives[k];
  }
  return model;
}

// A model of the sample dataset: objectives forward (mean 0, std 2, from -6 to 6) and energy (mean
// 10, std 3), and 12 training codes of 6 policies.
inline Model ModelOfSamples() {
  return SampleModelOf({.id = "sample-v0", .rewards = "upstream", .spec = "", .files = {}},
                       {"forward", "energy"}, {});
}

}  // namespace rhumb::net
