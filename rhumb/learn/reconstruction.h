// How well the decoder does what a policy does, and the gradients of that.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "rhumb/learn/representation_network.h"
#include "rhumb/learn/training_set.h"

namespace rhumb::learn {

struct ReconstructionResult {
  torch::Tensor loss;           // a scalar: the mean over all queries, without the weight
  torch::Tensor code_gradient;  // [n, H], with the weight
};

// The mean over queries of KL(policy || decoder), or of -log pi(action taken).
//
// On the CPU every thread takes some contexts forward and back at a time, few enough for their
// activations to stay in its cache, with gradients of its own that are added up at the end in a
// fixed order: no thread waits for another, and the bits depend on the number of threads alone.
class Reconstruction {
 public:
  // Keeps a reference to the decoder's parameters, which are where they will stay.
  Reconstruction(const RepresentationConfig& config, const RepresentationShape& shape,
                 const Decoder& decoder);

  // rows [n, Q] of the targets, for codes [n, H]. Adds weight * the gradients to the decoder's
  // parameters.
  ReconstructionResult Accumulate(const Targets& targets, const torch::Tensor& rows,
                                  const torch::Tensor& code, double weight);

 private:
  Decoder decoder_;
  std::vector<Decoder> workers_;  // the same parameters, with gradients of their own
};

}  // namespace rhumb::learn
