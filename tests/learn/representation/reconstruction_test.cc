#include "rhumb/learn/representation/reconstruction.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/learn/representation/decoder_problem.h"

namespace rhumb::learn::representation {
namespace {

DecoderOutcome Reconstruct(const DecoderProblem& problem, double weight = 1) {
  problem.decoder.ptr()->zero_grad();
  Reconstruction reconstruction(problem.config, problem.shape, problem.decoder);
  const ReconstructionResult result =
      reconstruction.Accumulate(problem.targets, problem.rows, problem.code, weight);
  return {result.loss, result.code_gradient, GradientsOf(problem.decoder)};
}

TEST(Reconstruction, EqualsAutograd) {
  ExpectAutograd([](const DecoderProblem& problem) { return Reconstruct(problem); });
}

TEST(Reconstruction, ThreadsDoNotChangeABit) {
  const DecoderProblem problem = MakeProblem("code", true, 21, 130);
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const DecoderOutcome one = Reconstruct(problem);
  for (const int threads : {2, 3}) {
    at::set_num_threads(threads);
    const DecoderOutcome several = Reconstruct(problem);
    EXPECT_TRUE(torch::equal(several.loss, one.loss)) << threads;
    EXPECT_TRUE(torch::equal(several.code_gradient, one.code_gradient)) << threads;
    for (std::size_t i = 0; i < one.gradients.size(); ++i) {
      EXPECT_TRUE(torch::equal(several.gradients[i], one.gradients[i])) << threads << ", " << i;
    }
  }
  at::set_num_threads(before);
}

// Half the weight halves every gradient exactly and leaves the loss unchanged.
TEST(Reconstruction, WeightScalesGradients) {
  const DecoderProblem problem = MakeProblem("code", true, 9, 40);
  const DecoderOutcome whole = Reconstruct(problem), half = Reconstruct(problem, 0.5);
  EXPECT_TRUE(torch::equal(whole.loss, half.loss));
  EXPECT_TRUE(torch::equal(whole.code_gradient, 2 * half.code_gradient));
  for (std::size_t i = 0; i < whole.gradients.size(); ++i) {
    EXPECT_TRUE(torch::equal(whole.gradients[i], 2 * half.gradients[i])) << i;
  }
}

// The second call, with fewer queries, adds its own gradients, up to a few roundings of the sum.
TEST(Reconstruction, AddsToTheGradientsThatAreThere) {
  DecoderProblem problem = MakeProblem("state", false, 9, 40);
  const torch::Tensor all = problem.rows;
  const DecoderOutcome first = Reconstruct(problem);
  problem.rows = all.narrow(1, 0, 3);
  const DecoderOutcome second = Reconstruct(problem);
  problem.decoder.ptr()->zero_grad();
  Reconstruction reconstruction(problem.config, problem.shape, problem.decoder);
  reconstruction.Accumulate(problem.targets, all, problem.code, 1);
  reconstruction.Accumulate(problem.targets, all.narrow(1, 0, 3), problem.code, 1);
  const std::vector<torch::Tensor> both = GradientsOf(problem.decoder);
  for (std::size_t i = 0; i < both.size(); ++i) {
    const torch::Tensor expected = first.gradients[i] + second.gradients[i];
    EXPECT_TRUE(torch::allclose(both[i], expected, 0, 5e-7 * expected.abs().max().item<double>()))
        << i;
  }
}

// Training skips steps with a non-finite gradient, so NaN must propagate.
TEST(Reconstruction, WhatIsNotANumberShows) {
  DecoderProblem problem = MakeProblem("code", true, 9, 40);
  problem.code[4][2] = std::numeric_limits<float>::quiet_NaN();
  const DecoderOutcome outcome = Reconstruct(problem);
  EXPECT_TRUE(outcome.loss.isnan().item<bool>());
  EXPECT_TRUE(outcome.code_gradient[4].isnan().all().item<bool>());
  EXPECT_FALSE(outcome.code_gradient[3].isnan().any().item<bool>());
}

}  // namespace
}  // namespace rhumb::learn::representation
