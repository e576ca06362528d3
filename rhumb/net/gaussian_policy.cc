#include "rhumb/net/gaussian_policy.h"

namespace rhumb::net {

void Normaliser::Write(SafetensorsWriter& out, const std::string& prefix) const {
  const auto inputs = static_cast<std::int64_t>(mean.size());
  out.Add(prefix + "mean", {inputs}, std::span(mean));
  out.Add(prefix + "inverse_scale", {inputs}, std::span(inverse_scale));
  out.Add(prefix + "limit", {1}, std::span(&limit, 1));
}

Normaliser Normaliser::Read(const SafetensorsFile& in, const std::string& prefix, int inputs) {
  return {in.Floats(prefix + "mean", {inputs}),
          in.PositiveFloats(prefix + "inverse_scale", {inputs}),
          in.PositiveFloats(prefix + "limit", {1})[0]};
}

void GaussianPolicy::Write(SafetensorsWriter& out, const std::string& prefix, bool half) const {
  normaliser.Write(out, prefix + "normaliser.");
  out.Add(prefix + "deviation", {action_size()}, std::span(deviation));
  mean.Write(out, prefix + "mean", half);
  out.SetMetadata("activation", kActivationNames.NameOf(mean.activation()));
}

GaussianPolicy GaussianPolicy::Read(const SafetensorsFile& in, const std::string& prefix) {
  GaussianPolicy policy;
  policy.mean = Mlp::Read(in, prefix + "mean", ReadActivation(in, "activation"));
  policy.normaliser = Normaliser::Read(in, prefix + "normaliser.", policy.observation_size());
  policy.deviation = in.PositiveFloats(prefix + "deviation", {policy.action_size()});
  return policy;
}

PolicyActor::PolicyActor(const GaussianPolicy& policy, int max_rows)
    : policy_(policy),
      normalised_(static_cast<std::size_t>(max_rows * policy.observation_size())),
      workspace_(policy.mean.workspace_size(max_rows)) {}

void PolicyActor::Means(const double* observations, int rows, float* means) {
  policy_.normaliser.Apply(observations, rows, normalised_.data());
  policy_.mean.Forward(normalised_.data(), rows, means, workspace_);
}

}  // namespace rhumb::net
