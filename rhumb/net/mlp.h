// A fully connected network, forward only, on plain memory. It acts in simulation workers and on
// robots. Training uses its own copy in libtorch (learn) with the same weights.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/names.h"
#include "rhumb/net/aligned_floats.h"
#include "rhumb/net/safetensors.h"

namespace rhumb::net {

// Larger sizes in a file are treated as damage.
constexpr int kMaxLayerSize = 1 << 20;

enum class Activation { kRelu, kElu, kTanh };

inline const core::Names<Activation> kActivationNames = {
    {Activation::kRelu, "relu"}, {Activation::kElu, "elu"}, {Activation::kTanh, "tanh"}};
// The activation in the file's metadata under `key`. Throws Error if it is missing or unknown.
Activation ReadActivation(const SafetensorsFile& in, const std::string& key);

// y = x W + b. Every row is computed in the same order of operations, so results do not depend on
// how rows are batched.
struct Layer {
  int inputs = 0;
  int outputs = 0;
  AlignedFloats weights = {};  // [inputs, outputs], padded to a multiple of kLanes columns
  AlignedFloats bias = {};     // [outputs], padded the same way

  static constexpr int kLanes = 16;
  static constexpr int Padded(int size) { return (size + kLanes - 1) / kLanes * kLanes; }
  int padded_outputs() const { return Padded(outputs); }

  Layer() = default;
  // All weights and biases are 0. An RHUMB_ISA that this machine cannot use is an Error here, so
  // Apply throws nothing.
  Layer(int input_count, int output_count);
  // Copies weights [inputs, outputs] and bias [outputs].
  Layer(int input_count, int output_count, std::span<const float> dense_weights,
        std::span<const float> dense_bias);

  // x [rows, inputs], with `stride` floats from row to row -> y [rows, padded_outputs]. Allocates
  // nothing.
  void Apply(const float* x, int stride, int rows, float* y) const;

  // Adds the arrays name.weight [inputs, outputs], in half precision if `half`, and name.bias
  // [outputs].
  void Write(SafetensorsWriter& out, const std::string& name, bool half = false) const;
  // Throws Error with the array and the file if the shapes disagree with each other or with the
  // wanted sizes (0: any size).
  static Layer Read(const SafetensorsFile& in, const std::string& name, int wanted_inputs = 0,
                    int wanted_outputs = 0);
};

// max(x, 0), in place.
void Relu(float* values, std::size_t count);
// Applies any activation in place.
void Activate(Activation activation, float* values, std::size_t count);

// Constant and thread-safe after construction; each caller brings its own workspace.
class Mlp {
 public:
  Mlp() = default;
  // sizes {inputs, hidden…, outputs}. The activation follows every layer but the last.
  Mlp(const std::vector<int>& sizes, Activation activation);

  // Copies weights [inputs, outputs] and bias [outputs] into one layer.
  void SetLayer(std::size_t layer, std::span<const float> weights, std::span<const float> bias);

  int inputs() const { return layers_.front().inputs; }
  int outputs() const { return layers_.back().outputs; }
  std::vector<int> sizes() const;
  Activation activation() const { return activation_; }
  std::size_t layer_count() const { return layers_.size(); }
  const Layer& layer(std::size_t index) const { return layers_[index]; }

  // Number of floats that Forward and Run need for `rows` rows.
  std::size_t workspace_size(int rows) const;

  // x [rows, inputs] -> y [rows, outputs]; `workspace` has workspace_size(rows) floats. Allocates
  // nothing.
  void Forward(const float* x, int rows, float* y, std::span<float> workspace) const;

  // Like Forward for x with `stride` floats from row to row, but without the final copy. Returns
  // the place of the outputs [rows, padded_outputs] in the workspace.
  float* Run(const float* x, int stride, int rows, std::span<float> workspace) const;
  int padded_outputs() const { return layers_.back().padded_outputs(); }

  // Writes the layers as name.0, name.1, …. The activation is not stored here.
  void Write(SafetensorsWriter& out, const std::string& name, bool half = false) const;
  // Throws Error if a layer's inputs differ from the previous layer's outputs. 0 accepts any number
  // of inputs.
  static Mlp Read(const SafetensorsFile& in, const std::string& name, Activation activation,
                  int wanted_inputs = 0);

 private:
  Activation activation_ = Activation::kRelu;
  std::vector<Layer> layers_;
};

}  // namespace rhumb::net
