#include "rhumb/learn/representation/reconstruction.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "rhumb/core/error.h"

namespace rhumb::learn::representation {
namespace {

// Enough lanes to balance uneven threads, few enough to sum cheaply.
constexpr int kLanes = 8;

}  // namespace

Reconstruction::Reconstruction(const RepresentationConfig& config, const RepresentationShape& shape,
                               const Decoder& decoder)
    : decoder_(decoder) {
  if (!decoder->parameters().front().is_cpu()) {
    tensors_.emplace(config, shape, decoder);
    return;
  }
  for (int i = 0; i < kLanes; ++i) lanes_.emplace_back(config, shape, decoder);
}

void Reconstruction::Begin(const Targets& targets, const torch::Tensor& rows) {
  if (tensors_) return tensors_->RunStates(targets, rows);
  targets_ = targets;
  rows_ = rows;
}

torch::Tensor Reconstruction::RunToCode(const torch::Tensor& code, double weight) {
  return tensors_ ? tensors_->RunToCode(code, weight) : RunLanes(code, weight);
}

ReconstructionResult Reconstruction::Accumulate(const Targets& targets, const torch::Tensor& rows,
                                                const torch::Tensor& code, double weight) {
  Begin(targets, rows);
  const torch::Tensor code_gradient = RunToCode(code, weight);
  return {AddGradients(), code_gradient};
}

torch::Tensor Reconstruction::RunLanes(const torch::Tensor& code, double weight) {
  const torch::NoGradGuard no_grad;
  RHUMB_CHECK(targets_.states.is_contiguous() && targets_.means.is_contiguous() &&
                  (!targets_.log_deviations.defined() || targets_.log_deviations.is_contiguous()),
              "targets are not contiguous");
  const std::int64_t contexts = rows_.size(0), queries = rows_.size(1);
  const double share = 1 / static_cast<double>(contexts * queries);
  const torch::Tensor all_rows = rows_.contiguous(), codes = code.detach().contiguous();
  const torch::Tensor code_gradient = torch::empty_like(codes);
  const std::int64_t lanes = std::min<std::int64_t>(contexts, kLanes);
  std::vector<double> losses(static_cast<std::size_t>(lanes));
  std::atomic<std::int64_t> next = 0;
  // Inside parallel_for a product runs on one thread.
  at::parallel_for(0, at::get_num_threads(), 1, [&](std::int64_t, std::int64_t) {
    for (std::int64_t lane = next++; lane < lanes; lane = next++) {
      const std::int64_t first = contexts * lane / lanes;
      const std::int64_t count = contexts * (lane + 1) / lanes - first;
      const auto index = static_cast<std::size_t>(lane);
      losses[index] = lanes_[index].Compute(
          targets_, {all_rows.data_ptr<std::int64_t>() + first * queries, count, queries},
          codes.narrow(0, first, count), weight * share, code_gradient.narrow(0, first, count));
    }
  });
  lanes_used_ = losses.size();
  lanes_loss_ = share * std::accumulate(losses.begin(), losses.end(), 0.0);
  return code_gradient;
}

torch::Tensor Reconstruction::AddGradients() {
  if (tensors_) return tensors_->AddGradients();
  const std::vector<torch::Tensor> parameters = decoder_->parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    torch::Tensor& sum = parameters[p].mutable_grad();
    if (!sum.defined()) sum = torch::zeros_like(parameters[p]);
    for (std::size_t lane = 0; lane < lanes_used_; ++lane) sum.add_(lanes_[lane].gradients()[p]);
  }
  return torch::full({}, lanes_loss_, torch::kFloat32);
}

}  // namespace rhumb::learn::representation
