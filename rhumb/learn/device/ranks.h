// Processes that train one model together, started by torchrun or in its way.
//
// Each rank keeps all weights and computes its share of every batch. Sums over the ranks then make
// the gradients those of the whole batch, so all weights stay equal.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <span>

#include "rhumb/learn/device/device.h"

namespace rhumb::learn::device {

// Moves tensors between the ranks. All ranks make the same calls in the same order.
class Exchange {
 public:
  virtual ~Exchange() = default;
  // Replaces `flat` [n], float32 and contiguous, by its sum over all ranks: the same bits on each.
  virtual void Sum(torch::Tensor flat) = 0;
  // rows [n, …], float32 and contiguous -> [ranks * n, …] in the order of the ranks.
  virtual torch::Tensor Gather(const torch::Tensor& rows) = 0;
};

class Ranks {
 public:
  // One process alone. The calls below then change nothing.
  Ranks() = default;
  // Joins the others by torchrun's variables: RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT and, for
  // CUDA, LOCAL_RANK, which becomes the current GPU. Waits until all are there.
  static Ranks Join(Device device);

  int rank() const { return rank_; }
  int count() const { return count_; }
  bool is_first() const { return rank_ == 0; }

  // The rows of a batch that are this rank's.
  struct Share {
    std::int64_t first = 0, count = 0;
    double weight = 1;  // count / rows of the batch
    torch::Tensor Of(const torch::Tensor& rows) const { return rows.narrow(0, first, count); }
  };
  // Throws an Error if the ranks do not divide `rows`.
  Share ShareOf(std::int64_t rows) const;

  // Sums float32 tensors over all ranks, in place. A CUDA graph can hold it.
  void Sum(std::span<const torch::Tensor> tensors) const;
  // own [K, n, Z], rows n of this rank -> [K, N, Z] of all ranks. Differentiable in `own`.
  torch::Tensor GatherRows(const torch::Tensor& own) const;
  // Whether it is true on any rank. Waits for all ranks; not inside a graph.
  bool Any(bool own) const;

 private:
  int rank_ = 0, count_ = 1;
  std::shared_ptr<Exchange> host_, device_;  // for host memory, and for the device's
};

}  // namespace rhumb::learn::device
