// The values of a code and their gradient: the function that steering descends.
//
//   codes h [rows, H] -> v(h) [rows, K], in standard deviations of the labels, and the spread of
//   the ensemble's members; then cotangents [rows, K] -> sum_k c_k dv_k/dh
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rhumb/net/value_heads.h"

namespace rhumb::net {

// Constant and thread-safe after construction; each caller brings its own workspace. Copies the
// heads.
class ValueFunction {
 public:
  // One affine function; its spread is 0.
  explicit ValueFunction(const LinearHeads& heads);
  // The mean and standard deviation of the members. Uses only `members`, `code_mean` and
  // `code_inverse_scale`.
  explicit ValueFunction(const HeadEnsemble& heads);

  int code_size() const { return code_size_; }
  int objectives() const { return objectives_; }
  // Number of floats that Evaluate and Pullback need for `rows` rows.
  std::size_t workspace_size(int rows) const;

  // codes [rows, H] -> values [rows, K] and spread [rows, K]. Rows do not influence each other. The
  // workspace keeps the activations for Pullback. Allocates nothing.
  void Evaluate(const float* codes, int rows, float* values, float* spread,
                std::span<float> workspace) const;

  // cotangents [rows, K] -> gradients [rows, H] of sum_k cotangents[k] values[k], at the codes of
  // the last Evaluate with this workspace and `rows`. May be called repeatedly. Allocates nothing.
  void Pullback(const float* cotangents, int rows, float* gradients,
                std::span<float> workspace) const;

 private:
  // A network and its transposed weights, for backpropagation.
  struct Member {
    Mlp network;
    std::vector<Layer> transposed;
  };

  int code_size_ = 0;
  int objectives_ = 0;
  std::vector<float> code_mean_, code_inverse_scale_;  // [H]
  std::vector<Member> members_;                        // M, all with the same sizes
  // Sizes per row of the workspace, which holds, in order:
  //   the standardised codes [rows, H];
  //   the outputs of each member's layers [rows, padded], with activation in hidden layers;
  //   two buffers [rows, widest] in which Pullback propagates cotangents.
  std::size_t member_size_ = 0;
  std::size_t widest_ = 0;
};

}  // namespace rhumb::net
