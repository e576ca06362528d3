// What a query speaks of: an objective, a linear combination of objectives, or a ratio of two.
//
//   "energy"   "2*forward + energy"   "forward/(energy - 10)"
//
//   q(v) = (a . v + a0) / (b . v + b0),   v [K]: the values of a model's objectives, in their units
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/net/model.h"

namespace rhumb::steer {

constexpr std::size_t kMaxQuantityLength = 1000;  // characters

// Constant once made; thread-safe. Nothing here allocates but Parse.
struct Quantity {
  std::string text;               // as it was asked for
  std::vector<double> numerator;  // a [K]
  double numerator_constant = 0;  // a0
  // Of a ratio the sign is such that the denominator is positive over the training data.
  std::vector<double> denominator;  // b [K]; empty: no ratio
  double denominator_constant = 1;  // b0

  // NaN where the denominator is not positive: a ratio is nothing to go by beyond its pole.
  double Evaluate(std::span<const double> values) const;
  // gradient[k] += weight * dq/dv_k at `values`.
  void AddGradient(std::span<const double> values, double weight, std::span<double> gradient) const;

  // Parsed by core::Expression. `place` says where the text stands ("--require"). Errors: a text
  // that does not parse or is longer than kMaxQuantityLength; an unknown objective, with the
  // nearest known one; what is neither linear nor a ratio of two linear forms; a constant;
  // coefficients that are not finite; a denominator that can be zero while every objective stays
  // within its range [min, max] in the training data.
  static Quantity Parse(std::string_view text, const net::ModelDescription& model,
                        std::string_view place);
};

}  // namespace rhumb::steer
