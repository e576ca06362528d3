// A model with predictable behaviour for tests. The code of a context is the mean of its actions,
// and the decoder repeats the code in every state.
#pragma once

#include <cstddef>
#include <vector>

#include "rhumb/data/dataset_index.h"
#include "rhumb/net/model.h"

namespace rhumb::rollout {

// Uses the environment and the objectives of `recordings`; all labels have mean 0 and std 1. Codes
// are [A]. The posterior's standard deviation is e^code_log_deviation, that of an action
// e^log_deviation.
inline net::Model EchoModel(const data::DatasetDescription& recordings, float log_deviation,
                            float code_log_deviation = net::kMinCodeLogDeviation) {
  const int observations = recordings.observation_size, actions = recordings.action_size;
  const auto a_count = static_cast<std::size_t>(actions);
  const auto o_count = static_cast<std::size_t>(observations);
  net::Model model;
  net::ModelDescription& description = model.description;
  description.variant = "echo";
  description.environment = recordings.environment;
  description.time_limit = recordings.time_limit;
  description.context = 8;
  description.shaping_labels = static_cast<int>(recordings.objectives.size());
  for (const data::Objective& objective : recordings.objectives) {
    net::ModelObjective& own = description.objectives.emplace_back();
    own.name = objective.name;
    own.unit = objective.unit;
  }
  model.observations.mean.assign(o_count, 0);
  model.observations.inverse_scale.assign(o_count, 1);
  for (std::size_t a = 0; a < a_count; ++a) {
    const double low = recordings.action_low[a], high = recordings.action_high[a];
    model.action_centre.push_back(static_cast<float>((low + high) / 2));
    model.action_half_range.push_back(static_cast<float>((high - low) / 2));
  }

  // Matrices [inputs, outputs] of zeros and some ones; `both` signs if a ReLU follows.
  const std::vector<float> nothing(2 * a_count, 0);
  std::vector<float> pick(a_count * (o_count + a_count)), posterior(2 * a_count * a_count),
      both(posterior.size()), join(4 * a_count * a_count);
  for (std::size_t a = 0; a < a_count; ++a) {
    pick[(o_count + a) * a_count + a] = 1;
    posterior[a * 2 * a_count + a] = 1;
    both[a * 2 * a_count + a] = 1;
    both[a * 2 * a_count + a_count + a] = -1;
    join[a * 2 * a_count + a] = 1;
    join[(a_count + a) * 2 * a_count + a] = -1;
  }
  const auto with_log_deviations = [&](float value) {
    std::vector<float> bias(2 * a_count, 0);
    for (std::size_t a = 0; a < a_count; ++a) bias[a_count + a] = value;
    return bias;
  };

  // token -> its action -> mean over the tokens.
  net::SetEncoder& encoder = model.encoder;
  encoder.pooling = net::Pooling::kMean;
  encoder.heads = 1;
  encoder.token_mlp = net::Mlp({observations + actions, actions}, net::Activation::kRelu);
  encoder.token_mlp.SetLayer(0, pick, std::vector<float>(a_count, 0));
  encoder.posterior =
      net::Layer(actions, 2 * actions, posterior, with_log_deviations(code_log_deviation));

  // code h -> ReLU of (h, -h) -> the difference.
  net::Decoder& decoder = model.decoder;
  decoder.state_mlp = net::Mlp({observations, 1}, net::Activation::kRelu);
  decoder.joint_state = net::Layer(1, 2 * actions);
  decoder.joint_code = net::Layer(actions, 2 * actions, both, nothing);
  decoder.joint_mlp = net::Mlp({2 * actions, 2 * actions}, net::Activation::kRelu);
  decoder.joint_mlp.SetLayer(0, join, with_log_deviations(log_deviation));
  return model;
}

}  // namespace rhumb::rollout
