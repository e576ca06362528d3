#include "rhumb/learn/representation/rank_contrast.h"

#include <ATen/Parallel.h>
#include <torch/autograd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace rhumb::learn::representation {
namespace {

// Keeps the square root differentiable at distance zero.
constexpr double kTinyDistance = 1e-6;

// Number of parts into which a ranking's anchors are divided; each part has its own gradient.
constexpr std::int64_t kParts = 8;

// Number of pairs that the tensor version processes at a time.
constexpr std::int64_t kPairs = 1 << 20;

// One ranking with its samples sorted by increasing label.
struct SortedSamples {
  std::vector<std::int64_t> order;  // [n]: original index of each sample
  std::vector<double> labels;       // [n]
  std::vector<double> z;            // [n, Z]

  std::size_t count() const { return labels.size(); }
  std::size_t dimensions() const { return z.size() / labels.size(); }
};

SortedSamples SortByLabel(const float* z, const double* labels, std::size_t n, std::size_t size) {
  SortedSamples sorted{std::vector<std::int64_t>(n), std::vector<double>(n),
                       std::vector<double>(n * size)};
  std::iota(sorted.order.begin(), sorted.order.end(), 0);
  std::stable_sort(sorted.order.begin(), sorted.order.end(),
                   [&](std::int64_t a, std::int64_t b) { return labels[a] < labels[b]; });
  for (std::size_t i = 0; i < n; ++i) {
    const auto from = static_cast<std::size_t>(sorted.order[i]);
    sorted.labels[i] = labels[from];
    std::copy_n(z + from * size, size, sorted.z.data() + i * size);
  }
  return sorted;
}

// The contribution of one anchor. The other samples form groups of equal d, the farthest first.
// With m_g members of group g and L_g = log sum exp s over the groups up to g,
//   loss = sum_g sum_{q in g} (L_g - s_q)
//   dloss/ds_q = exp(s_q - L_g) B_g - 1,   B_g = sum_{h >= g} m_h exp(L_g - L_h)
//              = m_g + exp(L_g - L_{g+1}) B_{g+1}
// Since s_q <= L_g <= L_{g+1}, nothing overflows.
class Anchors {
 public:
  Anchors(const SortedSamples& samples, double temperature)
      : samples_(samples),
        scale_(-1 / temperature),
        distances_(samples.count()),
        by_distance_(samples.count()) {
    others_.reserve(samples.count());
    groups_.reserve(samples.count());
  }

  // Adds the gradient to `gradient` [n, Z] and returns the loss.
  double Add(std::size_t anchor, std::span<double> gradient) {
    const std::size_t size = samples_.dimensions();
    const double* own = samples_.z.data() + anchor * size;
    for (std::size_t j = 0; j < samples_.count(); ++j) {
      double square = kTinyDistance * kTinyDistance;
      for (std::size_t d = 0; d < size; ++d) {
        const double difference = own[d] - samples_.z[j * size + d];
        square += difference * difference;
      }
      distances_[j] = std::sqrt(square);
    }
    Group(anchor);
    const double loss = SumGroups();

    // d distance_ij / d z_i = (z_i - z_j) / distance_ij, with the opposite sign for z_j.
    by_distance_[anchor] = 0;
    for (std::size_t j = 0; j < samples_.count(); ++j) {
      const double share = by_distance_[j] / distances_[j];
      for (std::size_t d = 0; d < size; ++d) {
        const double term = share * (own[d] - samples_.z[j * size + d]);
        gradient[anchor * size + d] += term;
        gradient[j * size + d] -= term;
      }
    }
    return loss;
  }

 private:
  struct TieGroup {
    std::size_t begin, end;  // in others_
    double log_sum;          // L
  };

  // Labels are sorted, so the farthest remaining sample is the first or the last. The loop also
  // terminates for NaN labels.
  void Group(std::size_t anchor) {
    const std::vector<double>& y = samples_.labels;
    others_.clear();
    groups_.clear();
    std::size_t low = 0, high = y.size() - 1;
    while (low < anchor || high > anchor) {
      const std::size_t begin = others_.size();
      double farthest = 0;
      if (low < anchor) farthest = y[anchor] - y[low];
      if (high > anchor) farthest = std::max(farthest, y[high] - y[anchor]);
      while (low < anchor && !(y[anchor] - y[low] < farthest)) others_.push_back(low++);
      while (high > anchor && !(y[high] - y[anchor] < farthest)) others_.push_back(high--);
      groups_.push_back({begin, others_.size(), 0});
    }
  }

  // Fills by_distance_ and returns the loss.
  double SumGroups() {
    double loss = 0, largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (TieGroup& group : groups_) {
      double own = 0;
      for (std::size_t q = group.begin; q < group.end; ++q) {
        const double s = scale_ * distances_[others_[q]];
        own += s;
        if (s > largest) {
          sum = sum * std::exp(largest - s) + 1;
          largest = s;
        } else {
          sum += std::exp(s - largest);
        }
      }
      group.log_sum = largest + std::log(sum);
      loss += static_cast<double>(group.end - group.begin) * group.log_sum - own;
    }

    double tail = 0, next = 0;  // B and L of the next group
    for (std::size_t g = groups_.size(); g-- > 0;) {
      const TieGroup& group = groups_[g];
      tail *= std::exp(group.log_sum - next);
      tail += static_cast<double>(group.end - group.begin);
      next = group.log_sum;
      for (std::size_t q = group.begin; q < group.end; ++q) {
        const std::size_t j = others_[q];
        const double s = scale_ * distances_[j];
        by_distance_[j] = scale_ * (std::exp(s - group.log_sum) * tail - 1);
      }
    }
    return loss;
  }

  const SortedSamples& samples_;
  double scale_;                     // factor from distance to s
  std::vector<double> distances_;    // [n]
  std::vector<double> by_distance_;  // [n]: dloss / d distance
  std::vector<std::size_t> others_;  // [n-1], by decreasing d
  std::vector<TieGroup> groups_;
};

class RankContrastFunction : public torch::autograd::Function<RankContrastFunction> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& z,
                               const LabelRanking* ranking, double temperature) {
    const RankContrastResult result = z.is_cpu()
                                          ? RankContrastByAnchor(z, ranking->labels, temperature)
                                          : RankContrastByTensors(z, *ranking, temperature);
    context->save_for_backward({result.gradient});
    return result.loss;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    return {context->get_saved_variables()[0] * gradients[0], {}, {}};
  }
};

}  // namespace

RankContrastResult RankContrastByAnchor(const torch::Tensor& z, const torch::Tensor& labels,
                                        double temperature) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor points = z.contiguous(), y = labels.to(torch::kFloat64).contiguous();
  const std::int64_t rankings = z.size(0), n = z.size(1), size = z.size(2);
  const auto count = static_cast<std::size_t>(n), width = static_cast<std::size_t>(size);
  std::vector<SortedSamples> samples;
  for (std::int64_t k = 0; k < rankings; ++k) {
    samples.push_back(SortByLabel(points.data_ptr<float>() + k * n * size,
                                  y.data_ptr<double>() + k * n, count, width));
  }

  // Part p holds the anchors p, p + kParts, ….
  std::vector<std::vector<double>> gradients(static_cast<std::size_t>(rankings * kParts));
  std::vector<double> losses(gradients.size());
  at::parallel_for(0, rankings * kParts, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t task = first; task < last; ++task) {
      const auto t = static_cast<std::size_t>(task);
      Anchors anchors(samples[static_cast<std::size_t>(task / kParts)], temperature);
      gradients[t].assign(count * width, 0.0);
      for (auto i = static_cast<std::size_t>(task % kParts); i < count; i += kParts) {
        losses[t] += anchors.Add(i, gradients[t]);
      }
    }
  });

  const double share = 1.0 / static_cast<double>(rankings * n * (n - 1));
  torch::Tensor gradient = torch::empty_like(points);
  for (std::int64_t k = 0; k < rankings; ++k) {
    float* out = gradient.data_ptr<float>() + k * n * size;
    for (std::size_t i = 0; i < count; ++i) {
      const auto to = static_cast<std::size_t>(samples[static_cast<std::size_t>(k)].order[i]);
      for (std::size_t d = 0; d < width; ++d) {
        double sum = 0;
        for (std::int64_t part = 0; part < kParts; ++part) {
          sum += gradients[static_cast<std::size_t>(k * kParts + part)][i * width + d];
        }
        out[to * width + d] = static_cast<float>(share * sum);
      }
    }
  }
  const double loss = share * std::accumulate(losses.begin(), losses.end(), 0.0);
  return {torch::full({}, loss, z.options()), gradient};
}

namespace {

// The ranking of `count` anchors from index `first`. labels [K, n] double.
LabelRanking RankOthers(const torch::Tensor& labels, std::int64_t first, std::int64_t count) {
  const std::int64_t n = labels.size(1);
  // The anchor itself sorts last, at "distance" -1, and is removed.
  torch::Tensor apart = (labels.narrow(1, first, count).unsqueeze(2) - labels.unsqueeze(1)).abs_();
  apart.diagonal(first, 1, 2).fill_(-1);
  const auto [sorted, order] = apart.neg_().sort(/*stable=*/true, /*dim=*/2, /*descending=*/false);
  const torch::Tensor rising = sorted.narrow(2, 0, n - 1).contiguous();  // -d, ties adjacent
  return {labels, order.narrow(2, 0, n - 1),
          torch::searchsorted(rising, rising, /*out_int32=*/false, /*right=*/true).sub_(1),
          torch::searchsorted(rising, rising, /*out_int32=*/false, /*right=*/false)};
}

}  // namespace

LabelRanking RankLabels(const torch::Tensor& labels) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor y = labels.to(torch::kFloat64);
  const std::int64_t n = y.size(1);
  if (y.is_cpu() || n * n > kPairs) return {y, {}, {}, {}};
  return RankOthers(y, 0, n);
}

// With positions p of the sorted others, e(p) the last tie of p and b(p) the first, and
// L_p = log sum_{q <= e(p)} exp s_q,
//   loss = c sum_i sum_p (L_p - s_p),                              c = 1 / (K n (n-1))
//   dloss/ds_q = c ( sum_{p >= b(q)} exp(s_q - L_p) - 1 )
// Since s_q <= L_p in every term, nothing overflows.
RankContrastResult RankContrastByTensors(const torch::Tensor& z, const LabelRanking& ranking,
                                         double temperature) {
  const torch::NoGradGuard no_grad;
  const std::int64_t rankings = z.size(0), n = z.size(1);
  const double share = 1.0 / static_cast<double>(rankings * n * (n - 1));
  RankContrastResult result{torch::zeros({}, z.options()), torch::zeros_like(z)};
  const std::int64_t step = std::max<std::int64_t>(1, kPairs / n);
  for (std::int64_t first = 0; first < n; first += step) {
    const std::int64_t count = std::min(step, n - first);
    const torch::Tensor anchors = z.narrow(1, first, count);  // [K, m, Z]
    const auto [labels, others, last_tie, first_tie] =
        ranking.others.defined() ? ranking : RankOthers(ranking.labels, first, count);

    // Mode 2 computes distances from differences; products would cancel.
    const torch::Tensor distances =
        torch::cdist(anchors, z, 2, /*compute_mode=*/2).clamp_min_(kTinyDistance);  // [K, m, n]
    const torch::Tensor s = distances.gather(2, others).mul_(-1 / temperature);
    const torch::Tensor sums = s.logcumsumexp(2).gather(2, last_tie);  // L
    result.loss.add_((sums - s).sum(), share);

    const torch::Tensor tail = (-sums).flip(2).logcumsumexp(2).flip(2).gather(2, first_tie);
    const torch::Tensor by_s = (s + tail).exp_().sub_(1).mul_(-share / temperature);
    // d distance_ij / d z_i = (z_i - z_j) / distance_ij, with the opposite sign for z_j. Adds u_ij
    // (z_i - z_j) to row i and subtracts it from row j.
    const torch::Tensor u = torch::zeros_like(distances).scatter_(2, others, by_s).div_(distances);
    result.gradient.narrow(1, first, count).add_(u.sum(2, true).mul(anchors)).sub_(u.matmul(z));
    const torch::Tensor back = u.transpose(1, 2);  // [K, n, m]
    result.gradient.add_(back.sum(2, true).mul(z)).sub_(back.matmul(anchors));
  }
  return result;
}

torch::Tensor RankContrast(const torch::Tensor& z, const LabelRanking& ranking,
                           double temperature) {
  return RankContrastFunction::apply(z, &ranking, temperature);
}

}  // namespace rhumb::learn::representation
