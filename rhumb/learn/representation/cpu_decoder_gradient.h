// The decoder forward and back on one thread of the CPU, written out.
//
//   rows -> states x [R, O] -> s1 -> s2 -+
//   code h [n, H] -> c -----------------+-> j1 -> j2 -> mean [R, A] -> loss -> gradients of all
//                 -> d1 -> d2 -> log-deviation [n, A]
//
// With deviation "state" the log-deviation is a second half of what j2 gives, [R, A].
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/learn/representation/training_set.h"

namespace rhumb::learn::representation {

// Queries of some contexts: rows of the targets.
struct QueryRows {
  const std::int64_t* rows;  // [contexts, queries]
  std::int64_t contexts, queries;
};

// Owns its buffers, which are made once, and gradients of all parameters. Reads the decoder's
// parameters, which are where they will stay; several may share a decoder, each on its own thread.
class CpuDecoderGradient {
 public:
  CpuDecoderGradient(const RepresentationConfig& config, const RepresentationShape& shape,
                     const Decoder& decoder);

  // For codes [contexts, H], contiguous as the targets are: returns the sum over the queries of the
  // losses, and leaves `weight` times its gradients in gradients() and in code_gradient
  // [contexts, H], in place of what was there.
  double Compute(const Targets& targets, const QueryRows& queries, const torch::Tensor& code,
                 double weight, torch::Tensor code_gradient);

  // In the order of the decoder's parameters.
  const std::vector<torch::Tensor>& gradients() const { return gradients_; }

 private:
  struct Layer {
    torch::Tensor weight;           // W [out, in]
    torch::Tensor bias;             // [out], or undefined
    torch::Tensor weight_gradient;  // alike
    torch::Tensor bias_gradient;
  };
  struct Piece {
    std::int64_t begin, end;  // rows of the queries, context after context
  };

  Layer FindLayer(const Decoder& decoder, const char* name) const;
  void Reserve(std::int64_t contexts, std::int64_t rows);
  void RunCodeForward(const torch::Tensor& code);
  void RunCodeBackward(const torch::Tensor& code, torch::Tensor& code_gradient);
  void RunForward(const Targets& targets, const QueryRows& queries, Piece piece);
  double Compare(const Targets& targets, const QueryRows& queries, Piece piece, double weight);
  void RunBackward(const QueryRows& queries, Piece piece);

  std::int64_t actions_;
  bool deviation_from_code_;
  torch::Tensor flat_gradient_;  // [P], of which the others are parts
  std::vector<torch::Tensor> gradients_;
  Layer state_in_, state_out_, joint_state_, joint_code_, joint_hidden_, joint_out_;
  Layer deviation_in_, deviation_hidden_, deviation_out_;

  // Of a piece, [R, ..]: what the layers give, the output's gradient, and two that take turns.
  torch::Tensor states_, state1_, state2_, joint1_, joint2_, out_;
  torch::Tensor out_gradient_, gradient1_, gradient2_;
  // Of all contexts, [n, ..]: the code's share c of the joint layer, the deviation's layers, and
  // the gradients of both.
  torch::Tensor share_, deviation1_, deviation2_, deviation_;
  torch::Tensor share_gradient_, deviation1_gradient_, deviation2_gradient_, deviation_gradient_;
};

}  // namespace rhumb::learn::representation
