// Distances between codes as the decoder sees them.
//
//   d(a, b) = |W^T (a - b)|,   W [H, 256]: the weights by which a code enters the decoder
//
// Many dimensions of a code are dead: the posterior ignores them, and so does the decoder. Plain
// distances count them. Coordinates are the live axes of W W^T, scaled, so that plain distances
// between coordinates are d.
#pragma once

#include <span>
#include <vector>

#include "rhumb/net/mlp.h"

namespace rhumb::steer {

// Constant after construction, and then thread-safe.
class CodeMetric {
 public:
  static constexpr int kMaxCodeSize = 1024;

  // `code_layer` is the decoder's layer for the code. If all its weights are 0, every dimension
  // counts equally. Throws Error if H exceeds kMaxCodeSize.
  explicit CodeMetric(const net::Layer& code_layer);

  int code_size() const { return code_size_; }  // H
  // L: number of axes along which the decoder's layer moves at least 1 % as much as along the
  // strongest one.
  int size() const { return size_; }

  // codes [N, H] -> coordinates [N, L].
  std::vector<float> Apply(std::span<const float> codes) const;
  // code [H] -> coordinates [L]. Allocates nothing.
  void Apply(std::span<const double> code, std::span<double> coordinates) const;
  void Apply(std::span<const float> code, std::span<float> coordinates) const;
  // gradient [H] <- that of a function of the coordinates, whose gradient is slope [L].
  void Pullback(std::span<const double> slope, std::span<double> gradient) const;
  // Returns the length |W^T step| of a step [H]. Allocates nothing.
  double Length(std::span<const double> step) const;

 private:
  template <class Number>
  double Coordinate(int axis, std::span<const Number> code) const;
  template <class Number>
  void ApplyTo(std::span<const Number> code, std::span<Number> coordinates) const;

  int code_size_;
  int size_ = 0;
  std::vector<double> axes_;  // [L, H], scaled
};

}  // namespace rhumb::steer
