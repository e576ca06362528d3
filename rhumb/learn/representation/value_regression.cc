#include "rhumb/learn/representation/value_regression.h"

#include <torch/types.h>

#include <algorithm>
#include <vector>

#include "rhumb/core/math/least_squares.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/math/shuffle.h"
#include "rhumb/learn/device/clipped_adamw.h"

namespace rhumb::learn::representation {
namespace {

// [Z + 1] per label: the weights on z, then the intercept.
using Regressors = std::vector<std::vector<double>>;

struct Problem {
  std::vector<std::vector<float>> z;       // per label, [rows, Z]
  std::vector<std::vector<float>> values;  // per label, [rows]
  int size = 0;                            // Z
};

Regressors SolveAtOnce(const Problem& problem) {
  Regressors all;
  for (std::size_t k = 0; k < problem.z.size(); ++k) {
    all.push_back(core::SolveLeastSquares(problem.z[k], problem.size, problem.values[k], 1));
  }
  return all;
}

// As in the paper: AdamW over episodes in random order. Each epoch uses another draw of contexts
// and codes.
Regressors SolveByAdamW(const Problem& problem, const HeadConfig& config, std::int64_t draws,
                        std::uint64_t seed) {
  const auto labels = static_cast<std::int64_t>(problem.z.size());
  const auto rows = static_cast<std::int64_t>(problem.values[0].size());
  std::vector<torch::Tensor> z, values;
  for (std::size_t k = 0; k < problem.z.size(); ++k) {
    z.push_back(torch::tensor(problem.z[k]).view({rows, problem.size}));
    values.push_back(torch::tensor(problem.values[k]));
  }
  const torch::Tensor inputs = torch::stack(z), wanted = torch::stack(values);  // [K, rows, …]
  torch::Tensor weights = torch::zeros({labels, problem.size, 1}).requires_grad_(true);
  torch::Tensor bias = torch::zeros({labels, 1, 1}).requires_grad_(true);
  device::ClippedAdamW optimiser({weights, bias}, /*weight_decay=*/0.01, /*max_gradient_norm=*/1e9);
  const torch::Tensor rate = torch::tensor(static_cast<float>(config.learning_rate));
  const std::int64_t episodes = rows / draws;
  std::vector<std::int64_t> order(static_cast<std::size_t>(episodes));
  const std::int64_t batch = std::min<std::int64_t>(config.batch, episodes);
  for (int epoch = 0; epoch < config.epochs; ++epoch) {
    for (std::int64_t e = 0; e < episodes; ++e) {
      order[static_cast<std::size_t>(e)] = e * draws + epoch % draws;
    }
    core::Stream noise(seed, core::Purpose::kHeadFit, 0, epoch);
    core::Shuffle(std::span(order), noise);
    const torch::Tensor index = torch::tensor(order, torch::kInt64);
    for (std::int64_t first = 0; first + batch <= episodes; first += batch) {
      const torch::Tensor chosen = index.narrow(0, first, batch);
      optimiser.ClearGradients();
      const torch::Tensor predicted =
          torch::baddbmm(bias, inputs.index_select(1, chosen), weights).squeeze(2);
      const torch::Tensor errors = predicted - wanted.index_select(1, chosen);
      errors.square().mean(1).sum().backward();
      optimiser.Step(rate);
    }
  }
  Regressors all;
  const torch::Tensor joined =
      torch::cat({weights.detach(), bias.detach()}, 1).squeeze(2).to(torch::kFloat64).contiguous();
  for (std::int64_t k = 0; k < labels; ++k) {
    const double* first = joined.data_ptr<double>() + k * (problem.size + 1);
    all.emplace_back(first, first + problem.size + 1);
  }
  return all;
}

}  // namespace

net::LinearHeads FitHeads(const HeadConfig& config, const net::Projections& projections,
                          std::span<const float> codes, std::span<const float> values, int draws,
                          std::uint64_t seed) {
  const auto code_size = static_cast<std::size_t>(projections.code_size);
  const auto labels = static_cast<std::size_t>(projections.labels);
  const auto size = static_cast<std::size_t>(projections.size);
  const std::size_t rows = codes.size() / code_size;
  Problem problem{std::vector<std::vector<float>>(labels), std::vector<std::vector<float>>(labels),
                  projections.size};
  std::vector<float> z(labels * size);
  for (std::size_t row = 0; row < rows; ++row) {
    projections.Apply(codes.data() + row * code_size, z.data());
    for (std::size_t k = 0; k < labels; ++k) {
      problem.z[k].insert(problem.z[k].end(), z.data() + k * size, z.data() + (k + 1) * size);
      problem.values[k].push_back(values[row / static_cast<std::size_t>(draws) * labels + k]);
    }
  }
  const Regressors regressors = config.fit == HeadFit::kAdamW
                                    ? SolveByAdamW(problem, config, draws, seed)
                                    : SolveAtOnce(problem);

  // w . (U h + b) + c = (U^T w) . h + (w . b + c)
  net::LinearHeads heads{.objectives = projections.labels,
                         .code_size = projections.code_size,
                         .weights = std::vector<float>(labels * code_size),
                         .bias = std::vector<float>(labels)};
  for (std::size_t k = 0; k < labels; ++k) {
    const std::vector<double>& own = regressors[k];
    double bias = own[size];
    for (std::size_t i = 0; i < size; ++i) bias += own[i] * projections.bias[k * size + i];
    heads.bias[k] = static_cast<float>(bias);
    for (std::size_t h = 0; h < code_size; ++h) {
      double weight = 0;
      for (std::size_t i = 0; i < size; ++i) {
        weight += own[i] * projections.weights[(k * size + i) * code_size + h];
      }
      heads.weights[k * code_size + h] = static_cast<float>(weight);
    }
  }
  return heads;
}

}  // namespace rhumb::learn::representation
