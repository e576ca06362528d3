#include "rhumb/learn/representation/reconstruction.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "rhumb/learn/representation/representation_losses.h"
#include "tests/learn/golden_tensor.h"
#include "tests/learn/representation/decoder_reference.h"

namespace rhumb::learn::representation {
namespace {

struct Problem {
  RepresentationConfig config;
  RepresentationShape shape;
  Decoder decoder{nullptr};
  Targets targets;
  torch::Tensor rows, code;  // [n, Q], [n, H]
};

Problem MakeProblem(const std::string& deviation, bool has_teacher, std::int64_t contexts,
                    std::int64_t queries) {
  Problem problem;
  problem.config.hidden = 13;
  problem.config.code = 5;
  problem.config.attention_heads = 1;
  problem.config.deviation = kDeviationSourceNames.Parse(deviation);
  problem.shape = {.observations = 3, .actions = 2, .labels = 1};
  RepresentationNetwork network(problem.config, problem.shape);
  network.Initialise(1);
  problem.decoder = network.decoder;
  torch::manual_seed(1);
  constexpr std::int64_t kKnown = 50;
  problem.targets.states = torch::randn({kKnown, 3});
  problem.targets.means = torch::randn({kKnown, 2});
  if (has_teacher) problem.targets.log_deviations = 0.3 * torch::randn({kKnown, 2});
  problem.rows = torch::randint(kKnown, {contexts, queries}, torch::kInt64);
  problem.code = torch::randn({contexts, 5});
  return problem;
}

struct Outcome {
  torch::Tensor loss, code_gradient;
  std::vector<torch::Tensor> gradients;  // of the decoder's parameters
};

std::vector<torch::Tensor> GradientsOf(const Decoder& decoder) {
  std::vector<torch::Tensor> gradients;
  for (const torch::Tensor& parameter : decoder->parameters()) {
    gradients.push_back(parameter.grad().clone());
  }
  return gradients;
}

Outcome Solve(const Problem& problem, double weight = 1) {
  problem.decoder.ptr()->zero_grad();
  Reconstruction reconstruction(problem.config, problem.shape, problem.decoder);
  const ReconstructionResult result =
      reconstruction.Accumulate(problem.targets, problem.rows, problem.code, weight);
  return {result.loss, result.code_gradient, GradientsOf(problem.decoder)};
}

// With whole tensors, as on a GPU.
Outcome SolveByTensors(const Problem& problem) {
  for (const torch::Tensor& parameter : problem.decoder->parameters()) {
    parameter.mutable_grad() = torch::Tensor();
  }
  GpuDecoderGradient gradient(problem.config, problem.shape, problem.decoder);
  gradient.RunStates(problem.targets, problem.rows);
  const torch::Tensor code_gradient = gradient.RunToCode(problem.code, 1);
  const torch::Tensor loss = gradient.AddGradients();
  return {loss, code_gradient, GradientsOf(problem.decoder)};
}

// By autograd, in double.
Outcome SolveByAutograd(const Problem& problem) {
  Decoder decoder(problem.config, problem.shape);
  decoder->to(torch::kFloat64);
  for (std::size_t i = 0; i < decoder->parameters().size(); ++i) {
    const torch::NoGradGuard no_grad;
    decoder->parameters()[i].copy_(problem.decoder->parameters()[i]);
  }
  const auto gather = [&](const torch::Tensor& from) {
    return from.to(torch::kFloat64)
        .index_select(0, problem.rows.reshape({-1}))
        .view({problem.rows.size(0), problem.rows.size(1), -1});
  };
  const torch::Tensor code = problem.code.to(torch::kFloat64).requires_grad_();
  const auto [mean, log_deviation] = Decode(decoder, gather(problem.targets.states), code);
  const torch::Tensor wanted = gather(problem.targets.means);
  const torch::Tensor loss =
      problem.targets.log_deviations.defined()
          ? GaussianKl(wanted, gather(problem.targets.log_deviations), mean, log_deviation)
          : GaussianNll(wanted, mean, log_deviation);
  loss.backward();
  return {loss.detach(), code.grad(), GradientsOf(decoder)};
}

// One of everything: x = 2 and -2, code 1. All weights are 1 and biases 0, except for the
// deviation's output weight, which is 0: sigma = 1. The means are relu(x) + 1 = 3 and 1, the
// actions taken 1 and 1.
Problem MakeTinyProblem(double deviation_bias) {
  Problem problem;
  problem.config.hidden = 1;
  problem.config.code = 1;
  problem.shape = {.observations = 1, .actions = 1, .labels = 1};
  problem.decoder = Decoder(problem.config, problem.shape);
  const torch::NoGradGuard no_grad;
  for (const auto& item : problem.decoder->named_parameters()) {
    torch::Tensor value = item.value();
    value.fill_(item.key().ends_with("weight") && item.key() != "deviation_out.weight" ? 1 : 0);
    if (item.key() == "deviation_out.bias") value.fill_(deviation_bias);
  }
  problem.targets.states = torch::tensor({{2.0f}, {-2.0f}});
  problem.targets.means = torch::tensor({{1.0f}, {1.0f}});
  problem.rows = torch::tensor({{0, 1}}, torch::kInt64);
  problem.code = torch::tensor({{1.0f}});
  return problem;
}

void ExpectGradients(const Problem& problem, const Outcome& outcome,
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
TEST(Reconstruction, ByHand) {
  const Problem problem = MakeTinyProblem(0);
  const Outcome outcome = Solve(problem);
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

// At log sigma 5, clamped to 2, the deviation has no gradient, and the other gradients shrink by
// e^-4.
TEST(Reconstruction, OutOfRangeDeviationsHaveNoGradient) {
  const Problem problem = MakeTinyProblem(5);
  const Outcome outcome = Solve(problem);
  EXPECT_FLOAT_EQ(outcome.loss.item<float>(),
                  static_cast<float>(std::exp(-4) + 2 + 0.5 * std::log(2 * std::numbers::pi)));
  EXPECT_FLOAT_EQ(outcome.code_gradient.item<float>(), static_cast<float>(std::exp(-4)));
  EXPECT_EQ(outcome.gradients.back().item<float>(), 0);
}

// Within 1e-5 or, if the terms of a sum cancel, a few roundings of a term. Terms are up to four
// times as large as the largest gradient of the same parameter.
TEST(Reconstruction, EqualsAutograd) {
  for (const char* deviation : {"code", "state"}) {
    for (const bool has_teacher : {true, false}) {
      // One row; fewer contexts than lanes; contexts that end within a piece; long contexts.
      for (const auto& [contexts, queries] : {std::pair{1, 1}, {3, 5}, {21, 130}, {9, 700}}) {
        const Problem problem = MakeProblem(deviation, has_teacher, contexts, queries);
        const Outcome expected = SolveByAutograd(problem);
        for (const bool by_tensors : {false, true}) {
          const Outcome actual = by_tensors ? SolveByTensors(problem) : Solve(problem);
          const std::string what = fmt::format("{}, teacher {}, {} x {}, tensors {}, ", deviation,
                                               has_teacher, contexts, queries, by_tensors);
          ExpectClose(actual.loss, expected.loss, what + "loss");
          const double scale = expected.code_gradient.abs().max().item<double>();
          ExpectClose(actual.code_gradient, expected.code_gradient, what + "code", 4 * scale);
          ASSERT_EQ(actual.gradients.size(), expected.gradients.size());
          for (std::size_t i = 0; i < expected.gradients.size(); ++i) {
            const double size = expected.gradients[i].abs().max().item<double>();
            ExpectClose(actual.gradients[i], expected.gradients[i],
                        what + problem.decoder->named_parameters().keys()[i], 4 * size);
          }
        }
      }
    }
  }
}

// A second round adds to the gradients of the first.
TEST(GpuDecoderGradient, GradientsAddUp) {
  const Problem problem = MakeProblem("code", true, 3, 5);
  const Outcome once = SolveByTensors(problem);
  GpuDecoderGradient gradient(problem.config, problem.shape, problem.decoder);
  gradient.RunStates(problem.targets, problem.rows);
  gradient.RunToCode(problem.code, 2);
  gradient.AddGradients();
  const std::vector<torch::Tensor> thrice = GradientsOf(problem.decoder);
  for (std::size_t i = 0; i < thrice.size(); ++i) {
    EXPECT_TRUE(torch::allclose(thrice[i], 3 * once.gradients[i], 1e-5, 1e-7)) << i;
  }
}

TEST(Reconstruction, ThreadsDoNotChangeABit) {
  const Problem problem = MakeProblem("code", true, 21, 130);
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const Outcome one = Solve(problem);
  for (const int threads : {2, 3}) {
    at::set_num_threads(threads);
    const Outcome several = Solve(problem);
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
  const Problem problem = MakeProblem("code", true, 9, 40);
  const Outcome whole = Solve(problem), half = Solve(problem, 0.5);
  EXPECT_TRUE(torch::equal(whole.loss, half.loss));
  EXPECT_TRUE(torch::equal(whole.code_gradient, 2 * half.code_gradient));
  for (std::size_t i = 0; i < whole.gradients.size(); ++i) {
    EXPECT_TRUE(torch::equal(whole.gradients[i], 2 * half.gradients[i])) << i;
  }
}

// The second call, with fewer queries, adds its own gradients, up to a few roundings of the sum.
TEST(Reconstruction, AddsToTheGradientsThatAreThere) {
  Problem problem = MakeProblem("state", false, 9, 40);
  const torch::Tensor all = problem.rows;
  const Outcome first = Solve(problem);
  problem.rows = all.narrow(1, 0, 3);
  const Outcome second = Solve(problem);
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
  Problem problem = MakeProblem("code", true, 9, 40);
  problem.code[4][2] = std::numeric_limits<float>::quiet_NaN();
  const Outcome outcome = Solve(problem);
  EXPECT_TRUE(outcome.loss.isnan().item<bool>());
  EXPECT_TRUE(outcome.code_gradient[4].isnan().all().item<bool>());
  EXPECT_FALSE(outcome.code_gradient[3].isnan().any().item<bool>());
}

}  // namespace
}  // namespace rhumb::learn::representation
