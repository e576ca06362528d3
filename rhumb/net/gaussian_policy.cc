#include "rhumb/net/gaussian_policy.h"

#include <algorithm>

#include "rhumb/core/error.h"

namespace rhumb::net {

namespace {

template <typename Number>
void Normalise(const Normaliser& normaliser, const Number* x, int rows, float* z) {
  const std::size_t width = normaliser.mean.size();
  for (int row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      const float scaled =
          (static_cast<float>(x[i]) - normaliser.mean[i]) * normaliser.inverse_scale[i];
      z[i] = std::clamp(scaled, -normaliser.limit, normaliser.limit);
    }
    x += width;
    z += width;
  }
}

}  // namespace

void Normaliser::Apply(const double* x, int rows, float* z) const { Normalise(*this, x, rows, z); }
void Normaliser::Apply(const float* x, int rows, float* z) const { Normalise(*this, x, rows, z); }

void GaussianPolicy::Write(SafetensorsWriter& out, const std::string& prefix, bool half) const {
  const std::int64_t inputs = observation_size();
  out.Add(prefix + "normaliser.mean", {inputs}, std::span<const float>(normaliser.mean));
  out.Add(prefix + "normaliser.inverse_scale", {inputs},
          std::span<const float>(normaliser.inverse_scale));
  out.Add(prefix + "normaliser.limit", {1}, std::span<const float>(&normaliser.limit, 1));
  out.Add(prefix + "deviation", {action_size()}, std::span<const float>(deviation));
  for (std::size_t i = 0; i < mean.layer_count(); ++i) {
    const Layer& layer = mean.layer(i);
    std::vector<float> dense;
    for (int row = 0; row < layer.inputs; ++row) {
      const auto begin = layer.weights.begin() + row * layer.padded_outputs();
      dense.insert(dense.end(), begin, begin + layer.outputs);
    }
    const std::string name = fmt::format("{}mean.{}.", prefix, i);
    const std::span<const float> bias(layer.bias.data(), static_cast<std::size_t>(layer.outputs));
    if (half) {
      out.AddHalf(name + "weight", {layer.inputs, layer.outputs}, dense);
    } else {
      out.Add(name + "weight", {layer.inputs, layer.outputs}, std::span<const float>(dense));
    }
    out.Add(name + "bias", {layer.outputs}, bias);
  }
  out.SetMetadata("activation", ToString(mean.activation()));
}

GaussianPolicy GaussianPolicy::Read(const SafetensorsFile& in, const std::string& prefix) {
  GaussianPolicy policy;
  std::vector<int> sizes;
  for (int i = 0;; ++i) {
    const std::string name = fmt::format("{}mean.{}.weight", prefix, i);
    if (i > 0 && !in.Has(name)) break;
    const std::vector<std::int64_t>& shape = in.shape(name);
    if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1 || shape[0] > 1 << 20 ||
        shape[1] > 1 << 20 || (i > 0 && shape[0] != sizes.back())) {
      Fail("{}: '{}' does not follow the layer before it", in.place(), name);
    }
    if (i == 0) sizes.push_back(static_cast<int>(shape[0]));
    sizes.push_back(static_cast<int>(shape[1]));
  }
  const auto activation = in.metadata().find("activation");
  if (activation == in.metadata().end()) Fail("{}: metadata 'activation' is missing", in.place());
  try {
    policy.mean = Mlp(sizes, ParseActivation(activation->second));
  } catch (const Error& error) {
    Fail("{}: {}", in.place(), error.what());
  }
  const auto sized = [&](const std::string& name, int size) {
    std::vector<float> values = in.Floats(prefix + name);
    if (values.size() != static_cast<std::size_t>(size)) {
      Fail("{}: '{}{}' has {} numbers, {} are wanted", in.place(), prefix, name, values.size(),
           size);
    }
    return values;
  };
  for (std::size_t i = 0; i < policy.mean.layer_count(); ++i) {
    policy.mean.SetLayer(i, in.Floats(fmt::format("{}mean.{}.weight", prefix, i)),
                         sized(fmt::format("mean.{}.bias", i), sizes[i + 1]));
  }
  policy.normaliser.mean = sized("normaliser.mean", sizes.front());
  policy.normaliser.inverse_scale = sized("normaliser.inverse_scale", sizes.front());
  policy.normaliser.limit = sized("normaliser.limit", 1)[0];
  policy.deviation = sized("deviation", sizes.back());
  const auto require_positive = [&](const std::string& name, std::span<const float> values) {
    for (const float value : values) {
      if (!(value > 0)) {
        Fail("{}: '{}{}' is {}, it must be above 0", in.place(), prefix, name, value);
      }
    }
  };
  require_positive("normaliser.inverse_scale", policy.normaliser.inverse_scale);
  require_positive("normaliser.limit", {&policy.normaliser.limit, 1});
  require_positive("deviation", policy.deviation);
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
