// Layers computed in double, by their formulas.
#pragma once

#include <algorithm>
#include <vector>

#include "rhumb/net/mlp.h"

namespace rhumb::net {

using Vector = std::vector<double>;

inline Vector Apply(const Layer& layer, const Vector& x) {
  Vector y;
  for (int o = 0; o < layer.outputs; ++o) {
    y.push_back(layer.bias[static_cast<std::size_t>(o)]);
    for (std::size_t i = 0; i < x.size(); ++i) {
      y.back() += x[i] * layer.weights[i * static_cast<std::size_t>(layer.padded_outputs()) +
                                       static_cast<std::size_t>(o)];
    }
  }
  return y;
}

inline Vector Rectified(Vector x) {
  for (double& value : x) value = std::max(value, 0.0);
  return x;
}

inline Vector Apply(const Mlp& network, Vector x) {
  for (std::size_t i = 0; i < network.layer_count(); ++i) {
    x = Apply(network.layer(i), i > 0 ? Rectified(x) : x);
  }
  return x;
}

}  // namespace rhumb::net
