#include "rhumb/learn/representation/representation_losses.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace rhumb::learn::representation {

namespace {

// The part that the two losses on actions share, with its gradients, in few passes:
//   1/N sum_n sum_d log sigma + e / (2 sigma^2),       e = (target - mu)^2 + extra
//   by mu: (mu - target) / sigma^2 / N                 by log sigma: (1 - e / sigma^2) / N
// for N rows of D dimensions. log_deviation may be one for several rows [n, 1, D].
class GaussianFit : public torch::autograd::Function<GaussianFit> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context,
                               const torch::Tensor& target,
                               const std::optional<torch::Tensor>& extra, const torch::Tensor& mean,
                               const torch::Tensor& log_deviation) {
    const double share = static_cast<double>(mean.size(-1)) / static_cast<double>(mean.numel());
    const torch::Tensor precision = (-2 * log_deviation).exp_();
    const torch::Tensor difference = mean - target;
    const torch::Tensor squares =
        extra ? torch::addcmul(*extra, difference, difference) : difference.square();
    const torch::Tensor scaled = squares * precision;
    const torch::Tensor loss = (log_deviation + 0.5 * scaled).sum().mul_(share);
    context->save_for_backward({(difference * precision).mul_(share),
                                (1 - scaled).mul_(share).sum_to_size(log_deviation.sizes())});
    return loss;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    return {{}, {}, saved[0] * gradients[0], saved[1] * gradients[0]};
  }
};

}  // namespace

// sum_d 1/2 ((a - mu) / sigma)^2 + log sigma + 1/2 log 2 pi
torch::Tensor GaussianNll(const torch::Tensor& action, const torch::Tensor& mean,
                          const torch::Tensor& log_deviation) {
  const double constant =
      0.5 * std::log(2 * std::numbers::pi) * static_cast<double>(action.size(-1));
  return GaussianFit::apply(action, std::optional<torch::Tensor>(), mean, log_deviation) + constant;
}

// sum_d log sigma/sigma_t + (sigma_t^2 + (mu_t - mu)^2) / (2 sigma^2) - 1/2
torch::Tensor GaussianKl(const torch::Tensor& teacher_mean,
                         const torch::Tensor& teacher_log_deviation, const torch::Tensor& mean,
                         const torch::Tensor& log_deviation) {
  const torch::Tensor fit = GaussianFit::apply(
      teacher_mean, std::optional<torch::Tensor>((2 * teacher_log_deviation).exp_()), mean,
      log_deviation);
  return fit - teacher_log_deviation.sum(-1).mean() - 0.5 * static_cast<double>(mean.size(-1));
}

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
