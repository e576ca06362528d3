// Rank-N-Contrast, forward and backward, compared with the usual evaluation over all triples.
//
//   bench_rank_contrast [rounds]
//
// Two rankings of points in four dimensions, on two threads; the time includes sorting the labels.
// The column t / (n^2 log2 n) is constant if the cost grows like n^2 log n. The results of both
// evaluations are compared before they are timed.
#include "rhumb/learn/representation/rank_contrast.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <vector>

namespace rhumb::learn {
namespace {

constexpr int kThreads = 2;
constexpr std::int64_t kRankings = 2, kDimensions = 4;
constexpr double kTemperature = 0.5;

torch::Tensor Ours(const torch::Tensor& z, const torch::Tensor& labels) {
  return representation::RankContrast(z, representation::RankLabels(labels), kTemperature);
}

// Evaluates one ranking at a time with a mask [n, n, n] of competing pairs.
torch::Tensor OverAllTriples(const torch::Tensor& z, const torch::Tensor& labels) {
  const std::int64_t rankings = z.size(0), n = z.size(1);
  const torch::Tensor itself = torch::eye(n, torch::kBool);
  torch::Tensor sum = torch::zeros({});
  for (std::int64_t k = 0; k < rankings; ++k) {
    const torch::Tensor s =
        (z[k].unsqueeze(1) - z[k].unsqueeze(0)).square().sum(-1).add(1e-12).sqrt() / -kTemperature;
    const torch::Tensor d = (labels[k].unsqueeze(1) - labels[k].unsqueeze(0)).abs();
    const torch::Tensor farther = (d.unsqueeze(1) >= d.unsqueeze(2)) & ~itself.unsqueeze(1);
    const torch::Tensor sums = s.unsqueeze(1)
                                   .expand({n, n, n})
                                   .masked_fill(~farther, -std::numeric_limits<float>::infinity())
                                   .logsumexp(2);
    sum = sum + (sums - s).masked_fill(itself, 0).sum();
  }
  return sum / static_cast<double>(rankings * n * (n - 1));
}

using Loss = std::function<torch::Tensor(const torch::Tensor&, const torch::Tensor&)>;

// Returns milliseconds per evaluation: the median of `rounds` stretches of at least 0.1 seconds.
double Measure(const Loss& loss, const torch::Tensor& z, const torch::Tensor& labels, int rounds) {
  const auto milliseconds = [&](int times) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) {
      z.mutable_grad() = torch::Tensor();
      loss(z, labels).backward();
    }
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
               .count() /
           times;
  };
  const int times = std::max(1, static_cast<int>(100 / milliseconds(1)));
  std::vector<double> all;
  for (int i = 0; i < rounds; ++i) all.push_back(milliseconds(times));
  std::nth_element(all.begin(), all.begin() + rounds / 2, all.end());
  return all[static_cast<std::size_t>(rounds / 2)];
}

int Run(int rounds) {
  at::set_num_threads(kThreads);
  torch::manual_seed(1);
  fmt::print("{:>6} {:>12} {:>24} {:>16} {:>8}\n", "n", "ours, ms", "t / (n^2 log2 n), ns",
             "all triples, ms", "ratio");
  for (const std::int64_t n : {128, 512, 2048}) {
    const torch::Tensor z = torch::randn({kRankings, n, kDimensions}).requires_grad_();
    const torch::Tensor labels = torch::randn({kRankings, n}, torch::kFloat64);
    const bool is_small = n <= 512;  // all triples for 2048 would take 34 GB
    if (is_small) {
      const double ours = Ours(z, labels).item<double>();
      const double theirs = OverAllTriples(z, labels).item<double>();
      if (!(std::abs(ours - theirs) < 1e-4 * theirs)) {
        fmt::print(stderr, "at n = {} ours is {}, over all triples {}\n", n, ours, theirs);
        return 1;
      }
    }
    const double ours = Measure(Ours, z, labels, rounds);
    const double size = static_cast<double>(n);
    fmt::print("{:>6} {:>12.2f} {:>24.2f}", n, ours, 1e6 * ours / (size * size * std::log2(size)));
    if (is_small) {
      const double theirs = Measure(OverAllTriples, z, labels, rounds);
      fmt::print(" {:>16.2f} {:>8.1f}", theirs, theirs / ours);
    }
    fmt::print("\n");
  }
  return 0;
}

}  // namespace
}  // namespace rhumb::learn

int main(int argc, char** argv) {
  return rhumb::learn::Run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 5);
}
