// Work that runs in parallel with the main stream. On CUDA it uses a second stream, or a branch of
// a recorded graph. On the CPU it runs immediately.
//
//   main:  … Begin ────────────────── Join …        operations after Join wait for the work
//   side:        └── the work ──┘
#pragma once

#include <c10/core/Event.h>
#include <c10/core/Stream.h>
#include <torch/types.h>

#include <optional>

#include "rhumb/core/function_ref.h"

namespace rhumb::learn::device {

class OverlappedWork {
 public:
  explicit OverlappedWork(torch::Device device);

  // Queues `work` after the operations now on the main stream. Its inputs and outputs must live
  // until Join.
  void Begin(core::FunctionRef<void()> work);
  // Operations queued on the main stream after this call wait for the work.
  void Join();

 private:
  torch::Device device_;
  std::optional<c10::Stream> stream_;
};

}  // namespace rhumb::learn::device
