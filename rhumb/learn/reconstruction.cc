#include "rhumb/learn/reconstruction.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "rhumb/core/error.h"
#include "rhumb/learn/representation_losses.h"

namespace rhumb::learn {
namespace {

// Enough for threads to even out what else the machine does, few enough to be added up.
constexpr int kLanes = 8;

torch::Tensor Gather(const torch::Tensor& from, const torch::Tensor& rows) {
  return from.index_select(0, rows.reshape({-1})).view({rows.size(0), rows.size(1), -1});
}

// By autograd; the gradients go to the decoder's parameters.
ReconstructionResult Differentiate(Decoder& decoder, const Targets& targets,
                                   const torch::Tensor& rows, const torch::Tensor& code,
                                   double weight) {
  const torch::AutoGradMode with_gradients(true);
  torch::Tensor leaf = code.detach().requires_grad_(true);
  const auto [mean, log_deviation] = decoder->forward(Gather(targets.states, rows), leaf);
  const torch::Tensor wanted = Gather(targets.means, rows);
  torch::Tensor loss;
  if (targets.log_deviations.defined()) {
    loss = GaussianKl(wanted, Gather(targets.log_deviations, rows), mean, log_deviation);
  } else {
    loss = GaussianNll(wanted, mean, log_deviation);
  }
  (loss * weight).backward();
  return {loss.detach(), leaf.grad()};
}

}  // namespace

Reconstruction::Reconstruction(const RepresentationConfig& config, const RepresentationShape& shape,
                               const Decoder& decoder)
    : decoder_(decoder) {
  if (!decoder->parameters().front().is_cpu()) return;
  for (int i = 0; i < kLanes; ++i) lanes_.emplace_back(config, shape, decoder);
}

ReconstructionResult Reconstruction::Accumulate(const Targets& targets, const torch::Tensor& rows,
                                                const torch::Tensor& code, double weight) {
  if (lanes_.empty()) return Differentiate(decoder_, targets, rows, code, weight);

  const torch::NoGradGuard no_grad;
  RHUMB_CHECK(targets.states.is_contiguous() && targets.means.is_contiguous() &&
                  (!targets.log_deviations.defined() || targets.log_deviations.is_contiguous()),
              "targets are not contiguous");
  const std::int64_t contexts = rows.size(0), queries = rows.size(1);
  const double share = 1 / static_cast<double>(contexts * queries);
  const torch::Tensor all_rows = rows.contiguous(), codes = code.detach().contiguous();
  const torch::Tensor code_gradient = torch::empty_like(codes);
  const std::int64_t lanes = std::min<std::int64_t>(contexts, kLanes);
  std::vector<double> losses(static_cast<std::size_t>(lanes));
  std::atomic<std::int64_t> next = 0;
  // Inside, a product runs on one thread.
  at::parallel_for(0, at::get_num_threads(), 1, [&](std::int64_t, std::int64_t) {
    for (std::int64_t lane = next++; lane < lanes; lane = next++) {
      const std::int64_t first = contexts * lane / lanes;
      const std::int64_t count = contexts * (lane + 1) / lanes - first;
      const auto index = static_cast<std::size_t>(lane);
      losses[index] = lanes_[index].Compute(
          targets, {all_rows.data_ptr<std::int64_t>() + first * queries, count, queries},
          codes.narrow(0, first, count), weight * share, code_gradient.narrow(0, first, count));
    }
  });
  AddGradients(losses.size());
  const double loss = share * std::accumulate(losses.begin(), losses.end(), 0.0);
  return {torch::full({}, loss, code.options().requires_grad(false)), code_gradient};
}

void Reconstruction::AddGradients(std::size_t lanes) {
  const std::vector<torch::Tensor> parameters = decoder_->parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    torch::Tensor& sum = parameters[p].mutable_grad();
    if (!sum.defined()) sum = torch::zeros_like(parameters[p]);
    for (std::size_t lane = 0; lane < lanes; ++lane) sum.add_(lanes_[lane].gradients()[p]);
  }
}

}  // namespace rhumb::learn
