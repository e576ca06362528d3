// A fully connected network, forward only, on plain memory: what acts in simulation workers and in
// a robot. Training has its own copy in libtorch (learn); both hold the same numbers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/net/safetensors.h"

namespace rhumb::net {

// A size above this in a file is damage.
constexpr int kMaxLayerSize = 1 << 20;

enum class Activation { kRelu, kElu, kTanh };

// "relu", "elu", "tanh"; an unknown word is an Error.
Activation ParseActivation(std::string_view word);
std::string ToString(Activation activation);
// What the file's metadata names under `key`; an Error where there is none.
Activation ReadActivation(const SafetensorsFile& in, const std::string& key);

// y = x W + b. Every row is computed in the same order of operations whatever the batch, so results
// do not depend on how rows are grouped.
struct Layer {
  int inputs = 0;
  int outputs = 0;
  std::vector<float> weights = {};  // [inputs, outputs], padded to a multiple of kLanes columns
  std::vector<float> bias = {};     // [outputs], padded likewise

  static constexpr int kLanes = 16;
  static constexpr int Padded(int size) { return (size + kLanes - 1) / kLanes * kLanes; }
  int padded_outputs() const { return Padded(outputs); }

  Layer() = default;
  // All zero.
  Layer(int input_count, int output_count);
  // From weights [inputs, outputs] and bias [outputs], copied.
  Layer(int input_count, int output_count, std::span<const float> dense_weights,
        std::span<const float> dense_bias);

  // x [rows, inputs], `stride` floats from row to row -> y [rows, padded_outputs]. Allocates
  // nothing.
  void Apply(const float* x, int stride, int rows, float* y) const;

  // The arrays name.weight [inputs, outputs], in half precision when asked, and name.bias
  // [outputs].
  void Write(SafetensorsWriter& out, const std::string& name, bool half = false) const;
  // Shapes that do not fit each other, or the sizes wanted (0 takes any), are an Error that names
  // the array and the file.
  static Layer Read(const SafetensorsFile& in, const std::string& name, int wanted_inputs = 0,
                    int wanted_outputs = 0);
};

// x < 0 -> 0, in place.
void Relu(float* values, std::size_t count);
// Any of them, in place.
void Activate(Activation activation, float* values, std::size_t count);

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

  // Floats that Forward or Run needs for `rows` rows.
  std::size_t workspace_size(int rows) const;

  // x [rows, inputs] -> y [rows, outputs]; `workspace` has workspace_size(rows) floats. Allocates
  // nothing.
  void Forward(const float* x, int rows, float* y, std::span<float> workspace) const;

  // The same without the last copy, for x with `stride` floats from row to row: where in the
  // workspace the outputs lie, [rows, padded_outputs].
  float* Run(const float* x, int stride, int rows, std::span<float> workspace) const;
  int padded_outputs() const { return layers_.back().padded_outputs(); }

  // The layers as name.0, name.1, …; the activation is the reader's to know.
  void Write(SafetensorsWriter& out, const std::string& name, bool half = false) const;
  // A layer that does not follow the one before it is an Error; 0 inputs takes any.
  static Mlp Read(const SafetensorsFile& in, const std::string& name, Activation activation,
                  int wanted_inputs = 0);

 private:
  std::vector<int> sizes_;
  Activation activation_ = Activation::kRelu;
  std::vector<Layer> layers_;
};

}  // namespace rhumb::net
