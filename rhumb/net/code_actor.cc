#include "rhumb/net/code_actor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"

namespace rhumb::net {
namespace {

// Recovers the environment's double from the model's float32: the shortest decimal that rounds to
// it. 0.4f is 0.4000000059604645; the range was 0.4.
double NearestDecimal(float number) {
  std::array<char, 32> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  double decimal = 0;
  std::from_chars(text.data(), end, decimal);
  return decimal;
}

template <class Number>
bool AllFinite(std::span<const Number> numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](Number number) { return std::isfinite(number); });
}

}  // namespace

CodeActor::CodeActor(std::shared_ptr<const Model> model, RolloutMode mode, std::uint64_t seed,
                     int rows)
    : model_(std::move(model)), sampled_(mode == RolloutMode::kSampled), seed_(seed) {
  if (rows < 1) Fail("{} rows cannot act; at least 1 must", rows);
  const auto count = static_cast<std::size_t>(rows);
  const auto actions = static_cast<std::size_t>(model_->action_size());
  for (std::size_t a = 0; a < actions; ++a) {
    centre_.push_back(NearestDecimal(model_->action_centre[a]));
    half_range_.push_back(NearestDecimal(model_->action_half_range[a]));
  }
  keys_.resize(count);
  steps_.resize(count);
  blends_.assign(count, CodeBlend(model_->code_size()));
  prepared_.resize(count * model_->decoder.prepared_size());
  for (std::size_t row = 0; row < count; ++row) {
    prepared_rows_.push_back(prepared_.data() + row * model_->decoder.prepared_size());
  }
  normalised_.resize(count * static_cast<std::size_t>(model_->observation_size()));
  means_.resize(count * actions);
  log_stds_.resize(count * actions);
  workspace_.resize(model_->decoder.workspace_size(rows));
  const std::vector<float> zero(static_cast<std::size_t>(model_->code_size()));
  for (int row = 0; row < rows; ++row) SetCode(row, zero);
}

void CodeActor::SetCode(int row, std::span<const float> code, std::int64_t unit,
                        std::int64_t episode) {
  RHUMB_CHECK(row >= 0 && row < rows(), "row {} of {}", row, rows());
  if (code.size() != static_cast<std::size_t>(model_->code_size())) {
    Fail("a code of {} numbers; the model's codes have {}", code.size(), model_->code_size());
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!std::isfinite(code[i])) Fail("number {} of the code, {}, is not finite", i, code[i]);
  }
  const auto index = static_cast<std::size_t>(row);
  keys_[index] = {unit, episode};
  steps_[index] = 0;
  blends_[index].Start(code);
  Prepare(index);
}

bool CodeActor::BlendTo(int row, std::span<const float> code, int blend_steps) noexcept {
  if (row < 0 || row >= rows() || blend_steps < 0 || blend_steps > kMaxBlendSteps) return false;
  const auto index = static_cast<std::size_t>(row);
  if (code.size() != blends_[index].code().size() || !AllFinite(code)) return false;
  blends_[index].BlendTo(code, blend_steps);
  return true;
}

void CodeActor::Prepare(std::size_t row) noexcept {
  model_->decoder.Prepare(blends_[row].code().data(),
                          prepared_.data() + row * model_->decoder.prepared_size(), workspace_);
}

bool CodeActor::Act(std::span<const double> observations, std::span<double> actions) noexcept {
  const std::size_t rows = steps_.size(), width = centre_.size();
  const std::size_t inputs = normalised_.size() / rows;
  for (std::size_t i = 0; i < std::min(actions.size(), rows * width); ++i) {
    actions[i] = centre_[i % width];
  }
  if (observations.size() != rows * inputs || actions.size() != rows * width) return false;

  for (std::size_t row = 0; row < rows; ++row) {
    if (blends_[row].Advance()) Prepare(row);
  }
  model_->observations.Apply(observations.data(), static_cast<int>(rows), normalised_.data());
  model_->decoder.Forward(normalised_.data(), prepared_rows_.data(), static_cast<int>(rows),
                          means_.data(), log_stds_.data(), workspace_);
  bool usable = true;
  for (std::size_t row = 0; row < rows; ++row) {
    // raw = mean + std * n, stored over the mean; n is keyed by the step.
    const std::span<float> raw(means_.data() + row * width, width);
    if (sampled_) {
      core::Stream noise(seed_, core::Purpose::kAction, keys_[row].unit,
                         keys_[row].episode + (steps_[row] >> 32), steps_[row]);
      for (std::size_t a = 0; a < width; ++a) {
        raw[a] += std::exp(log_stds_[row * width + a]) * static_cast<float>(noise.Normal());
      }
    }
    // A code far from all data may overflow the network.
    if (!AllFinite(observations.subspan(row * inputs, inputs)) ||
        !AllFinite(std::span<const float>(raw))) {
      usable = false;
      continue;
    }
    // Round to float32, as rollouts do.
    for (std::size_t a = 0; a < width; ++a) {
      const double clipped = std::clamp<double>(raw[a], -1, 1);
      actions[row * width + a] = static_cast<float>(centre_[a] + half_range_[a] * clipped);
    }
    ++steps_[row];
  }
  return usable;
}

}  // namespace rhumb::net
