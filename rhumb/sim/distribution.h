// A random number that a spec asks for.
#pragma once

#include "rhumb/core/math/random.h"

namespace rhumb::sim {

// In a spec: { uniform = h } for [-h, h), { uniform = [low, high] }, { normal = deviation } or
// { normal = [mean, deviation] }.
struct Distribution {
  enum class Kind { kUniform, kNormal };
  Kind kind = Kind::kUniform;
  double first = 0;   // low, or the mean
  double second = 0;  // high, or the standard deviation

  double Draw(core::Stream& stream) const {
    return kind == Kind::kUniform ? stream.Uniform(first, second)
                                  : first + second * stream.Normal();
  }
  double mean() const { return kind == Kind::kUniform ? (first + second) / 2 : first; }
};

}  // namespace rhumb::sim
