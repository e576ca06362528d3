// All random numbers of one training step, drawn together into memory allocated once. They select
// the pairs of contexts and queries, and supply the code noise and dropout masks.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace rhumb::learn::representation {

struct NoiseShape {
  std::int64_t contexts = 1;  // n
  std::int64_t picks = 1;     // pairs drawn per context
  std::int64_t code = 1;      // H
  std::int64_t masks = 0;     // elements of all dropout masks
};

class StepNoise {
 public:
  // `stage` distinguishes the stages of a run, whose steps all count from 0.
  StepNoise(const NoiseShape& shape, double dropout, std::uint64_t seed, std::uint32_t stage,
            torch::Device device);

  // On the CPU the numbers come from core::Stream for (seed, stage, step), for any number of
  // threads. On CUDA they come from the device's generator, which a graph can record. CUDA ignores
  // `step`; Reseed makes a sequence of steps repeatable.
  void Draw(std::int64_t step);
  void Reseed(std::int64_t step);

  const torch::Tensor& picks() const { return picks_; }      // [n, picks], uniform in [0, 1)
  const torch::Tensor& normals() const { return normals_; }  // [n, H]
  const torch::Tensor& masks() const { return masks_; }  // 0 or 1/(1-p); undefined without dropout

 private:
  void DrawOnHost(std::int64_t step);

  double dropout_;
  std::uint64_t seed_;
  std::uint32_t stage_;
  torch::Tensor picks_, normals_, masks_;
};

}  // namespace rhumb::learn::representation
