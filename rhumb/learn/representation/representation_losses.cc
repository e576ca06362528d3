#include "rhumb/learn/representation/representation_losses.h"

#include <torch/nn/functional/normalization.h>

#include <limits>

namespace rhumb::learn::representation {

// 1/2 sum_d mu^2 + sigma^2 - 1 - 2 log sigma
torch::Tensor PosteriorKl(const torch::Tensor& mean, const torch::Tensor& log_deviation) {
  const torch::Tensor terms = mean.square() + (2 * log_deviation).exp() - 2 * log_deviation - 1;
  return 0.5 * terms.sum(-1).mean();
}

torch::Tensor Orthonormality(const torch::Tensor& weights, bool mean_of_entries) {
  const std::int64_t size = weights.size(1);
  const torch::Tensor products =
      weights.matmul(weights.transpose(1, 2)) - torch::eye(size, weights.options());
  const torch::Tensor squares = products.square().sum({1, 2}).mean();
  return mean_of_entries ? squares / static_cast<double>(size * size) : squares;
}

torch::Tensor InfoNce(const torch::Tensor& z, double temperature) {
  const std::int64_t n = z.size(1);
  const torch::Tensor unit =
      torch::nn::functional::normalize(z, torch::nn::functional::NormalizeFuncOptions().dim(2));
  const torch::Tensor itself =
      torch::eye(n, torch::TensorOptions().dtype(torch::kBool).device(z.device()));
  const torch::Tensor similarity = (unit.matmul(unit.transpose(1, 2)) / temperature)
                                       .masked_fill(itself, -std::numeric_limits<float>::max());
  // The partner of row i is i xor 1.
  const torch::Tensor partner =
      torch::arange(n, torch::TensorOptions().dtype(torch::kInt64).device(z.device()))
          .bitwise_xor(1)
          .view({1, n, 1})
          .expand({z.size(0), n, 1});
  return (similarity.logsumexp(2, true) - similarity.gather(2, partner)).mean();
}

}  // namespace rhumb::learn::representation
