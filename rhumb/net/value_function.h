// What a code is worth, with its gradient: the function that steering descends on.
//
//   codes h [rows, H] -> v(h) [rows, K], in units of the labels' deviations, and how much the
//   members of an ensemble disagree about it; then cotangents [rows, K] -> sum_k c_k dv_k/dh
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rhumb/net/value_heads.h"

namespace rhumb::net {

// Constant after construction and then thread-safe; each caller brings its own workspace. The heads
// are copied.
class ValueFunction {
 public:
  // An affine function never disagrees with itself: its spread is 0.
  explicit ValueFunction(const LinearHeads& heads);
  // The mean of the members and their standard deviation, with the bits of HeadEnsemble::Predict.
  explicit ValueFunction(const HeadEnsemble& heads);

  int code_size() const { return code_size_; }
  int objectives() const { return objectives_; }
  // Floats that Evaluate and Pullback need for `rows` rows.
  std::size_t workspace_size(int rows) const;

  // codes [rows, H] -> values [rows, K] and spread [rows, K]. Rows do not influence each other.
  // Allocates nothing. Keeps in the workspace what Pullback needs.
  void Evaluate(const float* codes, int rows, float* values, float* spread,
                std::span<float> workspace) const;

  // cotangents [rows, K] -> gradients [rows, H] of sum_k cotangents[k] values[k], at the codes of
  // the last Evaluate with this workspace and so many rows; as often as wanted. Allocates nothing.
  void Pullback(const float* cotangents, int rows, float* gradients,
                std::span<float> workspace) const;

 private:
  // A network, and its weights once more, transposed, for the way back.
  struct Member {
    Mlp network;
    std::vector<Layer> transposed;
  };

  int code_size_ = 0;
  int objectives_ = 0;
  std::vector<float> code_mean_, code_inverse_scale_;  // [H]
  std::vector<Member> members_;                        // M, all of the same sizes
  // Per row of the workspace, which holds, one after the other: the standardised codes [rows, H];
  // for each member the outputs of each layer, hidden ones activated, [rows, padded]; and two areas
  // [rows, widest] for what Pullback carries from layer to layer.
  std::size_t member_size_ = 0;
  std::size_t widest_ = 0;
};

}  // namespace rhumb::net
