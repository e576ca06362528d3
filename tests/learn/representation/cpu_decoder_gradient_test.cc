#include "rhumb/learn/representation/cpu_decoder_gradient.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/learn/representation/decoder_problem.h"

namespace rhumb::learn::representation {
namespace {

// The means over the queries, by one object.
DecoderOutcome Solve(const DecoderProblem& problem) {
  CpuDecoderGradient gradient(problem.config, problem.shape, problem.decoder);
  DecoderOutcome outcome;
  outcome.code_gradient = torch::empty_like(problem.code);
  const double share = 1 / static_cast<double>(problem.rows.numel());
  const double loss = gradient.Compute(
      problem.targets,
      {problem.rows.data_ptr<std::int64_t>(), problem.rows.size(0), problem.rows.size(1)},
      problem.code, share, outcome.code_gradient);
  outcome.loss = torch::full({}, share * loss, torch::kFloat32);
  outcome.gradients = gradient.gradients();
  return outcome;
}

void ExpectGradients(const DecoderProblem& problem, const DecoderOutcome& outcome,
                     const std::vector<std::pair<std::string, float>>& expected) {
  const std::vector<std::string> names = problem.decoder->named_parameters().keys();
  ASSERT_EQ(names.size(), expected.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(names[i], expected[i].first);
    EXPECT_FLOAT_EQ(outcome.gradients[i].item<float>(), expected[i].second) << names[i];
  }
}

// The losses are 2 + c and c with c = log(2 pi) / 2. The gradients by the mean are 2 and 0, by log
// sigma 1 - 4 = -3 and 1; half of each counts. The gradient of every weight is 1 times its input in
// the first query: x = s1 = s2 = 2, j1 = j2 = 3, and the code 1.
TEST(CpuDecoderGradient, ByHand) {
  const DecoderProblem problem = MakeTinyProblem(0);
  const DecoderOutcome outcome = Solve(problem);
  EXPECT_FLOAT_EQ(outcome.loss.item<float>(),
                  static_cast<float>(1 + 0.5 * std::log(2 * std::numbers::pi)));
  EXPECT_FLOAT_EQ(outcome.code_gradient.item<float>(), 1);
  ExpectGradients(problem, outcome,
                  {{"state_in.weight", 2},
                   {"state_in.bias", 1},
                   {"state_out.weight", 2},
                   {"state_out.bias", 1},
                   {"joint_state.weight", 2},
                   {"joint_code.weight", 1},
                   {"joint_code.bias", 1},
                   {"joint_hidden.weight", 3},
                   {"joint_hidden.bias", 1},
                   {"joint_out.weight", 3},
                   {"joint_out.bias", 1},
                   {"deviation_in.weight", 0},
                   {"deviation_in.bias", 0},
                   {"deviation_hidden.weight", 0},
                   {"deviation_hidden.bias", 0},
                   {"deviation_out.weight", -1},
                   {"deviation_out.bias", -1}});
}

// The teacher's sigma is 1/2, the decoder's 1. The first mean is off by 2, four teacher's
// deviations: a loss of 8 beside log 2 + 1/8 - 1/2 of the deviations. The gradients by the mean are
// 2 / (1/4) = 8 and 0, by log sigma 1 - 1/4 for both; the error of the mean does not count there.
TEST(CpuDecoderGradient, ASplitKlByHand) {
  DecoderProblem problem = MakeTinyProblem(0);
  problem.config.reconstruction = ReconstructionLoss::kSplitKl;
  problem.targets.log_deviations = torch::full({2, 1}, std::log(0.5f));
  const DecoderOutcome outcome = Solve(problem);
  EXPECT_FLOAT_EQ(outcome.loss.item<float>(), static_cast<float>(4 + std::log(2) - 0.375));
  EXPECT_FLOAT_EQ(outcome.code_gradient.item<float>(), 4);
  EXPECT_FLOAT_EQ(outcome.gradients.back().item<float>(), 0.75f);
}

// At log sigma 5, clamped to 2, the deviation has no gradient, and the other gradients shrink by
// e^-4.
TEST(CpuDecoderGradient, OutOfRangeDeviationsHaveNoGradient) {
  const DecoderProblem problem = MakeTinyProblem(5);
  const DecoderOutcome outcome = Solve(problem);
  EXPECT_FLOAT_EQ(outcome.loss.item<float>(),
                  static_cast<float>(std::exp(-4) + 2 + 0.5 * std::log(2 * std::numbers::pi)));
  EXPECT_FLOAT_EQ(outcome.code_gradient.item<float>(), static_cast<float>(std::exp(-4)));
  EXPECT_EQ(outcome.gradients.back().item<float>(), 0);
}

TEST(CpuDecoderGradient, EqualsAutograd) { ExpectAutograd(Solve); }

// The buffers fit the largest call; a smaller one between two equal ones changes nothing.
TEST(CpuDecoderGradient, CallsDoNotDependOnEachOther) {
  const DecoderProblem large = MakeProblem("code", true, 3, 200);
  CpuDecoderGradient gradient(large.config, large.shape, large.decoder);
  const auto compute = [&](std::int64_t contexts) {
    torch::Tensor code_gradient = torch::empty({contexts, large.code.size(1)});
    gradient.Compute(large.targets, {large.rows.data_ptr<std::int64_t>(), contexts, 200},
                     large.code.narrow(0, 0, contexts), 1, code_gradient);
    return code_gradient;
  };
  const torch::Tensor first = compute(3);
  const torch::Tensor weights = gradient.gradients().front().clone();
  compute(1);
  EXPECT_FALSE(torch::equal(gradient.gradients().front(), weights));
  EXPECT_TRUE(torch::equal(compute(3), first));
  EXPECT_TRUE(torch::equal(gradient.gradients().front(), weights));
}

}  // namespace
}  // namespace rhumb::learn::representation
