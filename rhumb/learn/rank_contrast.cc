#include "rhumb/learn/rank_contrast.h"

namespace rhumb::learn {
namespace {

// Keeps the root of a vanishing distance differentiable.
constexpr double kTinySquare = 1e-12;

// Sum and gradient together: both need the same running sums. With positions p of the sorted
// others, e(p) the last tie of p and b(p) the first, and L_p = log sum_{q <= e(p)} exp s_q,
//   loss = c sum_i sum_p (L_p - s_p),                              c = 1 / (K n (n-1))
//   dloss/ds_q = c ( sum_{p >= b(q)} exp(s_q - L_p) - 1 )
// where s_q <= L_p in every term, so nothing overflows.
class RankContrastFunction : public torch::autograd::Function<RankContrastFunction> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& z,
                               const torch::Tensor& others, const torch::Tensor& last_tie,
                               const torch::Tensor& first_tie, double temperature) {
    const std::int64_t rankings = z.size(0), n = z.size(1);
    const double share = 1.0 / static_cast<double>(rankings * n * (n - 1));
    const torch::Tensor differences = z.unsqueeze(2) - z.unsqueeze(1);  // [K, n, n, Z]
    const torch::Tensor distances = differences.square().sum(-1).add_(kTinySquare).sqrt_();
    const torch::Tensor s = distances.gather(2, others).mul_(-1 / temperature);  // [K, n, n-1]
    const torch::Tensor sums = s.logcumsumexp(2).gather(2, last_tie);            // L
    const torch::Tensor loss = (sums - s).sum().mul_(share);

    const torch::Tensor tail = (-sums).flip(2).logcumsumexp(2).flip(2).gather(2, first_tie);
    const torch::Tensor by_s = (s + tail).exp_().sub_(1).mul_(share);
    // ds/d distance = -1/tau and d distance_ij / d z_i = (z_i - z_j) / distance_ij, the same with
    // the other sign for z_j: with w = (g + g^T) / distance, dloss/dz_i = sum_j w_ij (z_i - z_j).
    torch::Tensor by_distance = torch::zeros_like(distances);
    by_distance.scatter_(2, others, by_s.mul_(-1 / temperature));
    const torch::Tensor w = (by_distance + by_distance.transpose(1, 2)).div_(distances);
    context->save_for_backward({w.sum(2, true).mul(z).sub_(w.matmul(z))});
    return loss;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    return {context->get_saved_variables()[0] * gradients[0], {}, {}, {}, {}};
  }
};

}  // namespace

RankOrder RankByLabel(const torch::Tensor& labels) {
  const torch::NoGradGuard no_grad;
  const std::int64_t n = labels.size(1);
  // The anchor itself comes last, at "distance" -1, and is cut off.
  torch::Tensor distances = (labels.unsqueeze(2) - labels.unsqueeze(1)).abs();
  distances.diagonal(0, 1, 2).fill_(-1);
  auto [sorted, order] = distances.neg_().sort(/*stable=*/true, /*dim=*/2, /*descending=*/false);
  const torch::Tensor rising = sorted.narrow(2, 0, n - 1).contiguous();  // -d, ties side by side
  RankOrder result;
  result.others = order.narrow(2, 0, n - 1).contiguous();
  result.last_tie =
      torch::searchsorted(rising, rising, /*out_int32=*/false, /*right=*/true).sub_(1);
  result.first_tie = torch::searchsorted(rising, rising, /*out_int32=*/false, /*right=*/false);
  return result;
}

torch::Tensor RankContrast(const torch::Tensor& z, const RankOrder& order, double temperature) {
  return RankContrastFunction::apply(z, order.others, order.last_tie, order.first_tie, temperature);
}

}  // namespace rhumb::learn
