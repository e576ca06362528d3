#include "rhumb/learn/representation/step_noise.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "rhumb/core/math/random.h"

namespace rhumb::learn::representation {
namespace {

// Each piece of the masks has its own stream, so threads may share the work in any way.
constexpr std::int64_t kPiece = 1 << 14;

}  // namespace

StepNoise::StepNoise(const NoiseShape& shape, double dropout, std::uint64_t seed,
                     std::uint32_t stage, torch::Device device)
    : dropout_(dropout), seed_(seed), stage_(stage) {
  picks_ = torch::zeros({shape.contexts, shape.picks}, device);
  normals_ = torch::zeros({shape.contexts, shape.code}, device);
  if (dropout > 0 && shape.masks > 0) masks_ = torch::zeros({shape.masks}, device);
}

void StepNoise::Reseed(std::int64_t step) {
  if (picks_.is_cpu()) return;
  core::Stream key(seed_, core::Purpose::kRepresentation,
                   core::stream_key::kTrainingStages + stage_, step);
  at::Generator generator = at::globalContext().defaultGenerator(picks_.device());
  const std::lock_guard lock(generator.mutex());
  generator.set_current_seed(key.Bits64());
}

void StepNoise::Draw(std::int64_t step) {
  if (picks_.is_cpu()) return DrawOnHost(step);
  picks_.uniform_();
  normals_.normal_();
  if (masks_.defined()) masks_.bernoulli_(1 - dropout_).mul_(1 / (1 - dropout_));
}

void StepNoise::DrawOnHost(std::int64_t step) {
  core::Stream noise(seed_, core::Purpose::kRepresentation,
                     core::stream_key::kTrainingStages + stage_, step, 1);
  float* picks = picks_.data_ptr<float>();
  for (std::int64_t i = 0; i < picks_.numel(); ++i) {
    picks[i] = static_cast<float>(noise.Bits32() >> 8) * 0x1p-24f;
  }
  float* normals = normals_.data_ptr<float>();
  for (std::int64_t i = 0; i < normals_.numel(); ++i) {
    normals[i] = static_cast<float>(noise.Normal());
  }
  if (!masks_.defined()) return;

  // 16 random bits decide each element, so the dropout rate is exact to 2^-17.
  const auto threshold = static_cast<std::uint32_t>(std::lround(dropout_ * 65536));
  const auto kept = static_cast<float>(1 / (1 - dropout_));
  float* masks = masks_.data_ptr<float>();
  const std::int64_t count = masks_.numel();
  at::parallel_for(0, (count + kPiece - 1) / kPiece, 1, [&](std::int64_t first, std::int64_t last) {
    std::array<std::uint32_t, kPiece / 2> words;
    for (std::int64_t piece = first; piece < last; ++piece) {
      core::Stream(seed_, core::Purpose::kRepresentation,
                   core::stream_key::kTrainingStages + stage_, step, 2 + piece)
          .FillBits(words);
      float* out = masks + piece * kPiece;
      const std::int64_t size = std::min(kPiece, count - piece * kPiece);
      const std::int64_t pairs = size / 2;
      for (std::int64_t i = 0; i < pairs; ++i) {
        const std::uint32_t word = words[static_cast<std::size_t>(i)];
        out[2 * i] = (word & 0xffff) < threshold ? 0.0f : kept;
        out[2 * i + 1] = (word >> 16) < threshold ? 0.0f : kept;
      }
      if (size % 2 != 0) {
        out[size - 1] = (words[static_cast<std::size_t>(pairs)] & 0xffff) < threshold ? 0.0f : kept;
      }
    }
  });
}

}  // namespace rhumb::learn::representation
