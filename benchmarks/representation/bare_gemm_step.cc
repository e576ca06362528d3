// Only the matrix products of one representation-learning step: a lower bound for the step's time.
//
//   bench_bare_gemm_step [rounds]  ->  one line of JSON
//
// The default model on HalfCheetah, with 128 contexts of 32 pairs and 128 queries each, forward
// and backward. Only necessary products run. After its second layer the encoder keeps the class
// token alone, the code enters the decoder once per context, and inputs have no gradient. Every
// product writes into preallocated memory. Contexts are processed in pieces, either by one thread
// that uses both cores for each product or by two threads side by side. The faster variant counts.
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

constexpr int kCores = 2;
constexpr std::int64_t kContexts = 128, kTokens = 1 + 32, kQueries = 128;
constexpr std::int64_t kObservations = 17, kActions = 6, kLabels = 2, kProjection = 4;
constexpr std::int64_t kWidth = 32, kHeads = 4, kFeed = 128, kHidden = 256;

// [in, out] in the fastest layout: the longer side is contiguous.
at::Tensor MakeWeight(std::int64_t in, std::int64_t out) {
  return (in > out ? at::randn({out, in}).t() : at::randn({in, out})).div_(16);
}

// y = x W, dW += x^T dy, and dx = dy W^T if x has a gradient.
class Product {
 public:
  Product(std::int64_t rows, std::int64_t in, std::int64_t out, bool input_gradient = true)
      : x_(at::randn({rows, in})),
        x_gradient_(at::zeros({input_gradient ? rows : 0, in})),
        y_(at::zeros({rows, out})),
        weight_(MakeWeight(in, out)),
        weight_gradient_(MakeWeight(in, out)) {}

  void Run() {
    at::mm_out(y_, x_, weight_);
    weight_gradient_.addmm_(x_.t(), y_);
    if (x_gradient_.numel() > 0) at::mm_out(x_gradient_, y_, weight_.t());
  }
  double flop() const {
    const double products = x_gradient_.numel() > 0 ? 3 : 2;
    return products * 2.0 * static_cast<double>(x_.size(0) * weight_.numel());
  }

 private:
  at::Tensor x_, x_gradient_, y_, weight_, weight_gradient_;
};

// Scores and mixtures of one layer, and the gradients of all four factors. There are [n * heads]
// products of [rows, size] with [size, tokens] and of [rows, tokens] with [tokens, size].
class Attention {
 public:
  Attention(std::int64_t contexts, std::int64_t rows)
      : queries_(at::randn({contexts * kHeads, rows, kWidth / kHeads})),
        mixed_(at::randn_like(queries_)),
        keys_(at::randn({contexts * kHeads, kTokens, kWidth / kHeads})),
        values_(at::randn_like(keys_)),
        gradient_(at::randn_like(keys_)),
        weights_(at::randn({contexts * kHeads, rows, kTokens})),
        weight_gradients_(at::randn_like(weights_)) {}

  void Run() {
    at::bmm_out(weights_, queries_, keys_.transpose(1, 2));
    at::bmm_out(mixed_, weights_, values_);
    at::bmm_out(gradient_, weights_.transpose(1, 2), mixed_);
    at::bmm_out(weight_gradients_, mixed_, values_.transpose(1, 2));
    at::bmm_out(mixed_, weight_gradients_, keys_);
    at::bmm_out(gradient_, weight_gradients_.transpose(1, 2), queries_);
  }
  double flop() const { return 6 * 2.0 * static_cast<double>(weights_.numel() * kWidth / kHeads); }

 private:
  at::Tensor queries_, mixed_, keys_, values_, gradient_, weights_, weight_gradients_;
};

// All products for one piece of the contexts.
struct Piece {
  explicit Piece(std::int64_t contexts) {
    const std::int64_t tokens = contexts * kTokens, queries = contexts * kQueries;
    products = {
        // The encoder. Its second layer has keys and values of all tokens, and one row for the
        // rest.
        {tokens, kObservations + kActions, kHidden, false},
        {tokens, kHidden, kWidth},
        {tokens, kWidth, 3 * kWidth},
        {tokens, kWidth, kWidth},
        {tokens, kWidth, kFeed},
        {tokens, kFeed, kWidth},
        {tokens, kWidth, 2 * kWidth},
        {contexts, kWidth, kWidth},
        {contexts, kWidth, kWidth},
        {contexts, kWidth, kFeed},
        {contexts, kFeed, kWidth},
        {contexts, kWidth, 2 * kWidth},
        // The decoder: state network, joint network, and standard deviation from the code.
        {queries, kObservations, kHidden, false},
        {queries, kHidden, kHidden},
        {queries, kHidden, kHidden},
        {queries, kHidden, kHidden},
        {queries, kHidden, kActions},
        {contexts, kWidth, kHidden},
        {contexts, kWidth, kHidden},
        {contexts, kHidden, kHidden},
        {contexts, kHidden, kActions},
        {contexts, kWidth, kLabels * kProjection},
    };
    attentions = {{contexts, kTokens}, {contexts, 1}};
  }

  void Run() {
    for (Product& product : products) product.Run();
    for (Attention& attention : attentions) attention.Run();
  }
  double flop() const {
    double sum = 0;
    for (const Product& product : products) sum += product.flop();
    for (const Attention& attention : attentions) sum += attention.flop();
    return sum;
  }

  std::vector<Product> products;
  std::vector<Attention> attentions;
};

// Returns seconds per step, for `workers` threads that share the cores and `contexts` at a time.
double Measure(int workers, std::int64_t contexts) {
  constexpr int kSteps = 3;
  std::barrier start(workers);
  std::vector<double> seconds(static_cast<std::size_t>(workers));
  const auto work = [&](int index) {
    at::set_num_threads(kCores / workers);
    Piece piece(contexts);
    piece.Run();
    start.arrive_and_wait();
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < kSteps * kContexts / workers / contexts; ++i) piece.Run();
    seconds[static_cast<std::size_t>(index)] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < workers; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  return *std::max_element(seconds.begin(), seconds.end()) / kSteps;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 3;
  double best = 1e9;
  std::int64_t best_contexts = 0;
  int best_workers = 0;
  for (const int workers : {1, kCores}) {
    for (const std::int64_t contexts : {2, 4, 8, 16, 32, 64}) {
      std::vector<double> times;
      for (int i = 0; i < rounds; ++i) times.push_back(Measure(workers, contexts));
      std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
      const double median = times[static_cast<std::size_t>(rounds / 2)];
      std::fprintf(stderr, "%d at work, %3ld contexts at once: %.1f ms\n", workers,
                   static_cast<long>(contexts), 1e3 * median);
      if (median < best) {
        best = median;
        best_contexts = contexts;
        best_workers = workers;
      }
    }
  }
  const double gflop = Piece(kContexts).flop() / 1e9;
  std::printf(
      "{\"ms_per_step\": %.3f, \"contexts\": %ld, \"workers\": %d, \"gflop\": %.3f, "
      "\"gflop_per_s\": %.1f}\n",
      1e3 * best, static_cast<long>(best_contexts), best_workers, gflop, gflop / best);
}
