#include "rhumb/net/code_blend.h"

#include <algorithm>

#include "rhumb/core/error.h"

namespace rhumb::net {

CodeBlend::CodeBlend(int code_size)
    : code_(static_cast<std::size_t>(code_size)), start_(code_), target_(code_) {}

void CodeBlend::Start(std::span<const float> code) {
  RHUMB_CHECK(code.size() == code_.size(), "a code of {} numbers for {}", code.size(),
              code_.size());
  std::ranges::copy(code, code_.begin());
  std::ranges::copy(code, target_.begin());
  left_ = 0;
}

void CodeBlend::BlendTo(std::span<const float> code, int steps) {
  RHUMB_CHECK(code.size() == code_.size(), "a code of {} numbers for {}", code.size(),
              code_.size());
  RHUMB_CHECK(steps >= 0 && steps <= kMaxBlendSteps, "a blend of {} steps", steps);
  std::ranges::copy(code_, start_.begin());
  std::ranges::copy(code, target_.begin());
  steps_ = left_ = std::max(steps, 1);
}

bool CodeBlend::Advance() noexcept {
  if (left_ == 0) return false;
  --left_;
  if (left_ == 0) {
    std::ranges::copy(target_, code_.begin());  // exactly
    return true;
  }
  const float share = static_cast<float>(steps_ - left_) / static_cast<float>(steps_);
  for (std::size_t i = 0; i < code_.size(); ++i) {
    code_[i] = start_[i] + share * (target_[i] - start_[i]);
  }
  return true;
}

}  // namespace rhumb::net
