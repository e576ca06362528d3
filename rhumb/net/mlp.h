// A fully connected network, forward only, on plain memory: what acts in simulation workers and in
// a robot. Training has its own copy in libtorch (learn); both hold the same numbers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::net {

enum class Activation { kRelu, kElu, kTanh };

// "relu", "elu", "tanh"; an unknown word is an Error.
Activation ParseActivation(std::string_view word);
std::string ToString(Activation activation);

// y = x W + b. Every row is computed in the same order of operations whatever the batch, so results
// do not depend on how rows are grouped.
struct Layer {
  int inputs = 0;
  int outputs = 0;
  std::vector<float> weights = {};  // [inputs, outputs], padded to a multiple of kLanes columns
  std::vector<float> bias = {};     // [outputs], padded likewise

  static constexpr int kLanes = 16;
  int padded_outputs() const { return (outputs + kLanes - 1) / kLanes * kLanes; }
};

// Constant after construction and then thread-safe; each caller brings its own workspace.
class Mlp {
 public:
  Mlp() = default;
  // sizes {inputs, hidden…, outputs}; the activation stands between layers, none after the last.
  Mlp(std::vector<int> sizes, Activation activation);

  // weights [inputs, outputs] and bias [outputs] of one layer, copied.
  void SetLayer(std::size_t layer, std::span<const float> weights, std::span<const float> bias);

  int inputs() const { return sizes_.front(); }
  int outputs() const { return sizes_.back(); }
  const std::vector<int>& sizes() const { return sizes_; }
  Activation activation() const { return activation_; }
  std::size_t layer_count() const { return layers_.size(); }
  const Layer& layer(std::size_t index) const { return layers_[index]; }

  // Floats that Forward needs for `rows` rows.
  std::size_t workspace_size(int rows) const;

  // x [rows, inputs] -> y [rows, outputs]; `workspace` has workspace_size(rows) floats. Allocates
  // nothing.
  void Forward(const float* x, int rows, float* y, std::span<float> workspace) const;

 private:
  std::vector<int> sizes_;
  Activation activation_ = Activation::kRelu;
  std::vector<Layer> layers_;
};

}  // namespace rhumb::net
