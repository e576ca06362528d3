// Small decoder problems, and their losses and gradients by autograd.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rhumb/learn/representation/representation_network.h"
#include "rhumb/learn/representation/training_set.h"
#include "tests/learn/golden_tensor.h"
#include "tests/learn/representation/decoder_reference.h"

namespace rhumb::learn::representation {

struct DecoderProblem {
  RepresentationConfig config;
  RepresentationShape shape;
  Decoder decoder{nullptr};
  Targets targets;
  torch::Tensor rows, code;  // [n, Q], [n, H]
};

inline DecoderProblem MakeProblem(const std::string& deviation, bool has_teacher,
                                  std::int64_t contexts, std::int64_t queries) {
  DecoderProblem problem;
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

struct DecoderOutcome {
  torch::Tensor loss, code_gradient;
  std::vector<torch::Tensor> gradients;  // of the decoder's parameters
};

inline std::vector<torch::Tensor> GradientsOf(const Decoder& decoder) {
  std::vector<torch::Tensor> gradients;
  for (const torch::Tensor& parameter : decoder->parameters()) {
    gradients.push_back(parameter.grad().clone());
  }
  return gradients;
}

// By autograd, in double.
inline DecoderOutcome SolveByAutograd(const DecoderProblem& problem) {
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
  const auto divergence = problem.config.splits_kl() ? GaussianSplitKl : GaussianKl;
  const torch::Tensor loss =
      problem.targets.log_deviations.defined()
          ? divergence(wanted, gather(problem.targets.log_deviations), mean, log_deviation)
          : GaussianNll(wanted, mean, log_deviation);
  loss.backward();
  return {loss.detach(), code.grad(), GradientsOf(decoder)};
}

// One of everything: x = 2 and -2, code 1. All weights are 1 and biases 0, except for the
// deviation's output weight, which is 0: sigma = 1. The means are relu(x) + 1 = 3 and 1, the
// actions taken 1 and 1.
inline DecoderProblem MakeTinyProblem(double deviation_bias) {
  DecoderProblem problem;
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

// Solves problems of all kinds. Their gradients must equal those of autograd within 1e-5 or, if the
// terms of a sum cancel, a few roundings of a term. Terms are up to four times as large as the
// largest gradient of the same parameter.
template <class Solve>
void ExpectAutograd(const Solve& solve) {
  for (const char* deviation : {"code", "state"}) {
    for (const char* reconstruction : {"split_kl", "kl", "nll"}) {
      const bool has_teacher = std::string(reconstruction) != "nll";
      // One row; fewer contexts than lanes; contexts that end within a piece; long contexts.
      for (const auto& [contexts, queries] : {std::pair{1, 1}, {3, 5}, {21, 130}, {9, 700}}) {
        DecoderProblem problem = MakeProblem(deviation, has_teacher, contexts, queries);
        problem.config.reconstruction = kReconstructionLossNames.Parse(reconstruction);
        const DecoderOutcome expected = SolveByAutograd(problem), actual = solve(problem);
        const std::string what =
            fmt::format("{}, {}, {} x {}, ", deviation, reconstruction, contexts, queries);
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

}  // namespace rhumb::learn::representation
