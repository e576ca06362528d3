// The policy that PPO trains and a population stores. It normalises an observation and computes the
// mean of a Gaussian over actions in [-1, 1]. The standard deviation does not depend on the state.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "rhumb/net/mlp.h"
#include "rhumb/net/safetensors.h"

namespace rhumb::net {

// The inverse scale of a number that a network shall not look at: z is practically 0. It is not 0,
// because files with scales that are not positive are refused.
constexpr float kUnseenScale = 1e-9f;

// z = clip((x - mean) * inverse_scale, -limit, limit), elementwise.
struct Normaliser {
  std::vector<float> mean;           // [inputs]
  std::vector<float> inverse_scale;  // [inputs]
  float limit = 10;

  // x [rows, inputs], rounded to float first -> z [rows, inputs].
  template <typename Number>
  void Apply(const Number* x, int rows, float* z) const {
    for (int row = 0; row < rows; ++row, x += mean.size(), z += mean.size()) {
      for (std::size_t i = 0; i < mean.size(); ++i) {
        const float scaled = (static_cast<float>(x[i]) - mean[i]) * inverse_scale[i];
        z[i] = std::clamp(scaled, -limit, limit);
      }
    }
  }

  // Writes the arrays <prefix>mean, <prefix>inverse_scale and <prefix>limit.
  void Write(SafetensorsWriter& out, const std::string& prefix) const;
  static Normaliser Read(const SafetensorsFile& in, const std::string& prefix, int inputs);
};

// Constant and thread-safe once filled in.
struct GaussianPolicy {
  Normaliser normaliser;
  Mlp mean;                      // observation -> action mean
  std::vector<float> deviation;  // [actions]

  int observation_size() const { return mean.inputs(); }
  int action_size() const { return mean.outputs(); }

  // Adds the arrays under `prefix` (…mean.0.weight, …). If `half`, weights are stored in half
  // precision.
  void Write(SafetensorsWriter& out, const std::string& prefix, bool half) const;
  // Reads them back. Throws Error if the shapes disagree.
  static GaussianPolicy Read(const SafetensorsFile& in, const std::string& prefix);
};

// Runs a policy on a batch of observations, in memory that it owns. Create one per worker.
class PolicyActor {
 public:
  PolicyActor(const GaussianPolicy& policy, int max_rows);

  // observations [rows, O] -> means [rows, A]. Allocates nothing.
  void Means(const double* observations, int rows, float* means);

 private:
  const GaussianPolicy& policy_;
  std::vector<float> normalised_;
  std::vector<float> workspace_;
};

}  // namespace rhumb::net
