// Only the matrix products of one PPO iteration: a lower bound for the update's time.
//
//   bench_bare_gemm [rounds]  ->  one line of JSON
//
// HalfCheetah with the paper's settings: 16384 rows, and 10 epochs forward and backward through a
// policy and a value network of 2 x 256. One more pass of the value network gives the advantages.
// Two threads run side by side with one agent each, like `rhumb population train` on two cores.
// Every product writes into preallocated memory. Rows are processed in pieces; the fastest piece
// size counts.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 2;
constexpr std::int64_t kObservations = 17, kActions = 6, kHidden = 256;
constexpr std::int64_t kRows = 16 * 1024, kEpochs = 10;

// [in, out] in the fastest layout: the longer side is contiguous.
at::Tensor MakeWeight(std::int64_t in, std::int64_t out) {
  return (in > out ? at::randn({out, in}).t() : at::randn({in, out})).div_(16);
}

class Network {
 public:
  Network(std::int64_t outputs, std::int64_t rows) {
    const std::vector<std::int64_t> sizes = {kObservations, kHidden, kHidden, outputs};
    values_.push_back(at::randn({rows, kObservations}));
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
      weights_.push_back(MakeWeight(sizes[i], sizes[i + 1]));
      weight_gradients_.push_back(MakeWeight(sizes[i], sizes[i + 1]));
      values_.push_back(at::randn({rows, sizes[i + 1]}));
      gradients_.push_back(at::randn({rows, sizes[i + 1]}));
    }
  }

  void Forward() {
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      at::mm_out(values_[i + 1], values_[i], weights_[i]);
    }
  }

  // dW_i = h_{i-1}^T g_i,  g_{i-1} = g_i W_i^T
  void Backward() {
    for (std::size_t i = weights_.size(); i-- > 0;) {
      at::mm_out(weight_gradients_[i], values_[i].t(), gradients_[i]);
      if (i > 0) at::mm_out(gradients_[i - 1], gradients_[i], weights_[i].t());
    }
  }

  double forward_flop() const {
    double flop = 0;
    for (const at::Tensor& weight : weights_) flop += 2.0 * static_cast<double>(weight.numel());
    return flop;
  }
  double backward_flop() const {
    return 2 * forward_flop() - 2.0 * static_cast<double>(weights_[0].numel());
  }

 private:
  std::vector<at::Tensor> weights_, weight_gradients_, values_, gradients_;
};

struct Agent {
  explicit Agent(std::int64_t rows)
      : policy(kActions, rows), value(1, rows), pieces(kRows / rows) {}

  void Iterate() {
    for (std::int64_t i = 0; i < pieces; ++i) value.Forward();
    for (std::int64_t i = 0; i < kEpochs * pieces; ++i) {
      policy.Forward();
      policy.Backward();
      value.Forward();
      value.Backward();
    }
  }

  double flop() const {
    const double update = policy.forward_flop() + policy.backward_flop() + value.forward_flop() +
                          value.backward_flop();
    return static_cast<double>(kRows) * (value.forward_flop() + kEpochs * update);
  }

  Network policy, value;
  std::int64_t pieces;
};

// Returns seconds per agent and iteration, with the agents side by side.
double Measure(std::int64_t rows) {
  std::barrier start(kThreads);
  std::vector<double> seconds(kThreads);
  const auto work = [&](int index) {
    at::set_num_threads(1);
    Agent agent(rows);
    agent.value.Forward();
    start.arrive_and_wait();
    const auto begin = std::chrono::steady_clock::now();
    agent.Iterate();
    seconds[static_cast<std::size_t>(index)] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  return *std::max_element(seconds.begin(), seconds.end()) / kThreads;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 3;
  const std::vector<std::int64_t> sizes = {256, 512, 1024, 2048};
  double best = 1e9;
  std::int64_t best_rows = 0;
  for (const std::int64_t rows : sizes) {
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) times.push_back(Measure(rows));
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    const double median = times[static_cast<std::size_t>(rounds / 2)];
    std::fprintf(stderr, "%5ld rows at once: %.3f s\n", static_cast<long>(rows), median);
    if (median < best) {
      best = median;
      best_rows = rows;
    }
  }
  const double gflop = Agent(best_rows).flop() / 1e9;
  std::printf("{\"seconds\": %.6f, \"rows\": %ld, \"gflop\": %.3f, \"gflop_per_s\": %.1f}\n", best,
              static_cast<long>(best_rows), gflop, gflop / best);
}
