#include "rhumb/learn/reconstruction.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "rhumb/learn/representation_losses.h"

namespace rhumb::learn {
namespace {

// On the CPU; 512 rows of 256 floats are half of a core's second-level cache.
constexpr std::int64_t kPieceRows = 512;

torch::Tensor Gather(const torch::Tensor& from, const torch::Tensor& rows) {
  return from.index_select(0, rows.reshape({-1})).view({rows.size(0), rows.size(1), -1});
}

// One piece, forward and back; the gradients go to the decoder's parameters.
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
  for (int i = 0; i < at::get_num_threads(); ++i) {
    Decoder worker(config, shape);
    const std::vector<torch::Tensor> from = decoder->parameters();
    std::vector<torch::Tensor> to = worker->parameters();
    for (std::size_t p = 0; p < to.size(); ++p) to[p].set_data(from[p]);
    workers_.push_back(worker);
  }
}

ReconstructionResult Reconstruction::Accumulate(const Targets& targets, const torch::Tensor& rows,
                                                const torch::Tensor& code, double weight) {
  if (workers_.empty()) return Differentiate(decoder_, targets, rows, code, weight);

  const std::int64_t contexts = rows.size(0);
  const std::int64_t piece = std::clamp<std::int64_t>(kPieceRows / rows.size(1), 1, contexts);
  const std::int64_t pieces = (contexts + piece - 1) / piece;
  const auto workers = static_cast<std::int64_t>(workers_.size());
  std::vector<torch::Tensor> losses(static_cast<std::size_t>(pieces));
  std::vector<torch::Tensor> code_gradients(losses.size());
  // Worker w takes pieces w, w + workers, …: which one is fixed, when is not.
  at::parallel_for(0, workers, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t w = begin; w < end; ++w) {
      for (std::int64_t i = w; i < pieces; i += workers) {
        const std::int64_t first = i * piece, count = std::min(piece, contexts - first);
        const double share = static_cast<double>(count) / static_cast<double>(contexts);
        ReconstructionResult part = Differentiate(workers_[static_cast<std::size_t>(w)], targets,
                                                  rows.narrow(0, first, count),
                                                  code.narrow(0, first, count), weight * share);
        losses[static_cast<std::size_t>(i)] = part.loss * share;
        code_gradients[static_cast<std::size_t>(i)] = part.code_gradient;
      }
    }
  });

  const torch::NoGradGuard no_grad;
  const std::vector<torch::Tensor> parameters = decoder_->parameters();
  for (Decoder& worker : workers_) {
    const std::vector<torch::Tensor> own = worker->parameters();
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      torch::Tensor& sum = parameters[p].mutable_grad();
      torch::Tensor& mine = own[p].mutable_grad();
      if (!mine.defined()) continue;  // more workers than pieces
      if (sum.defined()) {
        sum.add_(mine);
      } else {
        sum = mine;
      }
      mine = torch::Tensor();
    }
  }
  return {torch::stack(losses).sum(), torch::cat(code_gradients)};
}

}  // namespace rhumb::learn
