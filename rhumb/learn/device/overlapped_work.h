// Work that runs beside the main line. On CUDA it is a second stream, and in a recorded graph a
// branch; on the CPU the work is simply done when it is given.
//
//   main:  … Begin ────────────────── Join …        what Join is given waits for the work
//   side:        └── the work ──┘
#pragma once

#include <c10/core/Event.h>
#include <c10/core/Stream.h>
#include <torch/torch.h>

#include <optional>

#include "rhumb/core/function_ref.h"

namespace rhumb::learn::device {

class OverlappedWork {
 public:
  explicit OverlappedWork(torch::Device device);

  // Queues `work` behind what the main stream holds now. What it reads and makes must live until
  // Join.
  void Begin(core::FunctionRef<void()> work);
  // What the main stream is given from here on waits for the work.
  void Join();

 private:
  torch::Device device_;
  std::optional<c10::Stream> stream_;
};

}  // namespace rhumb::learn::device
