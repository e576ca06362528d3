// A code that changes while it acts.
//
//   Start(a) -> a, a, a ... BlendTo(b, 3) -> a + (b - a) / 3, a + 2 (b - a) / 3, b, b, b ...
//
// A blend that is replaced by another goes on from where it is, so codes never jump unless asked
// to.
#pragma once

#include <span>
#include <vector>

namespace rhumb::net {

// Longest blend, in steps. It bounds the time in which a robot obeys.
constexpr int kMaxBlendSteps = 1'000'000;

// Used by one thread at a time. Only the constructor allocates.
class CodeBlend {
 public:
  explicit CodeBlend(int code_size);

  // Takes the code [H] at once.
  void Start(std::span<const float> code);
  // Reaches the code [H] in `steps` calls of Advance; 0 and 1 both take it in the next.
  void BlendTo(std::span<const float> code, int steps);

  // Moves one step. Returns whether the code has changed.
  bool Advance() noexcept;

  const std::vector<float>& code() const { return code_; }      // [H], of the current step
  const std::vector<float>& target() const { return target_; }  // [H], at the end of the blend
  bool is_blending() const { return left_ > 0; }

 private:
  std::vector<float> code_, start_, target_;  // [H]
  int steps_ = 0, left_ = 0;
};

}  // namespace rhumb::net
