#include "rhumb/learn/representation/gpu_decoder_gradient.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/learn/representation/decoder_problem.h"

namespace rhumb::learn::representation {
namespace {

DecoderOutcome SolveByTensors(const DecoderProblem& problem) {
  for (const torch::Tensor& parameter : problem.decoder->parameters()) {
    parameter.mutable_grad() = torch::Tensor();
  }
  GpuDecoderGradient gradient(problem.config, problem.shape, problem.decoder);
  gradient.RunStates(problem.targets, problem.rows);
  const torch::Tensor code_gradient = gradient.RunToCode(problem.code, 1);
  const torch::Tensor loss = gradient.AddGradients();
  return {loss, code_gradient, GradientsOf(problem.decoder)};
}

// The tensors are the CPU's here; the operations are those of a GPU.
TEST(GpuDecoderGradient, EqualsAutograd) { ExpectAutograd(SolveByTensors); }

// A second round adds to the gradients of the first.
TEST(GpuDecoderGradient, GradientsAddUp) {
  const DecoderProblem problem = MakeProblem("code", true, 3, 5);
  const DecoderOutcome once = SolveByTensors(problem);
  GpuDecoderGradient gradient(problem.config, problem.shape, problem.decoder);
  gradient.RunStates(problem.targets, problem.rows);
  gradient.RunToCode(problem.code, 2);
  gradient.AddGradients();
  const std::vector<torch::Tensor> thrice = GradientsOf(problem.decoder);
  for (std::size_t i = 0; i < thrice.size(); ++i) {
    EXPECT_TRUE(torch::allclose(thrice[i], 3 * once.gradients[i], 1e-5, 1e-7)) << i;
  }
}

}  // namespace
}  // namespace rhumb::learn::representation
