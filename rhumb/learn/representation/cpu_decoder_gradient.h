// The decoder's forward and backward pass on one CPU thread, written out.
//
//   rows -> states x [R, O] -> s1 -> s2 -+
//   code h [n, H] -> c -----------------+-> j1 -> j2 -> mean [R, A] -> loss -> all gradients
//                 -> d1 -> d2 -> log-deviation [n, A]
//
// With deviation "state" the log-deviation is the second half of the output layer after j2, [R, A].
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/learn/representation/training_set.h"

namespace rhumb::learn::representation {

// Queries of some contexts, as rows of the targets.
struct QueryRows {
  const std::int64_t* rows;  // [contexts, queries]
  std::int64_t contexts, queries;
};

// A linear layer of the decoder, and the gradients of one CpuDecoderGradient.
struct DecoderLayer {
  torch::Tensor weight;           // W [out, in]
  torch::Tensor bias;             // [out], or undefined
  torch::Tensor weight_gradient;  // same shapes
  torch::Tensor bias_gradient;
};

// Owns its buffers, which are allocated once, and the gradients of all parameters. Reads the
// decoder's parameters in place, so they must not move. Several objects may share a decoder, each
// on its own thread.
class CpuDecoderGradient {
 public:
  CpuDecoderGradient(const RepresentationConfig& config, const RepresentationShape& shape,
                     const Decoder& decoder);

  // Takes codes [contexts, H]; codes and targets must be contiguous. Returns the sum of the losses
  // over the queries. Overwrites gradients() and code_gradient [contexts, H] with `weight` times
  // the gradients of that sum.
  double Compute(const Targets& targets, const QueryRows& queries, const torch::Tensor& code,
                 double weight, torch::Tensor code_gradient);

  // In the order of the decoder's parameters.
  const std::vector<torch::Tensor>& gradients() const { return gradients_; }

 private:
  struct Piece {
    std::int64_t begin, end;  // rows of the queries, ordered by context
  };

  void Reserve(std::int64_t contexts, std::int64_t rows);
  void RunCodeForward(const torch::Tensor& code);
  void RunCodeBackward(const torch::Tensor& code, torch::Tensor& code_gradient);
  void RunForward(const Targets& targets, const QueryRows& queries, Piece piece);
  double Compare(const Targets& targets, const QueryRows& queries, Piece piece, double weight);
  void RunBackward(const QueryRows& queries, Piece piece);

  std::int64_t actions_;
  bool deviation_from_code_, split_kl_;
  torch::Tensor flat_gradient_;  // [P]; the other gradients are views of it
  std::vector<torch::Tensor> gradients_;
  DecoderLayer state_in_, state_out_, joint_state_, joint_code_, joint_hidden_, joint_out_;
  DecoderLayer deviation_in_, deviation_hidden_, deviation_out_;

  // Per piece, [R, ..]: the layers' outputs, the output's gradient, and two alternating buffers.
  torch::Tensor states_, state1_, state2_, joint1_, joint2_, out_;
  torch::Tensor out_gradient_, gradient1_, gradient2_;
  // For all contexts, [n, ..]: the code's share c of the joint layer, the deviation's layers, and
  // the gradients of both.
  torch::Tensor share_, deviation1_, deviation2_, deviation_;
  torch::Tensor share_gradient_, deviation1_gradient_, deviation2_gradient_, deviation_gradient_;
};

}  // namespace rhumb::learn::representation
