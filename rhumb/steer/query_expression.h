// What a query asks about: an objective, a linear combination of objectives, or a ratio of two.
//
//   "energy"   "2*forward + energy"   "forward/(energy - 10)"
//
//   q(v) = (a . v + a0) / (b . v + b0),   v [K]: the values of a model's objectives, in their units
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/net/model.h"

namespace rhumb::steer {

// Constant once made; thread-safe. Nothing here allocates but Parse.
struct QueryExpression {
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

  // `place` says where the text stands ("require"). Errors, with the column where there is one:
  // what expression_parser.h refuses; an unknown objective, with the nearest known one;
  // coefficients that overflow over the objectives' ranges in the training data; a denominator that
  // can be zero within these ranges.
  static QueryExpression Parse(std::string_view text, const net::ModelDescription& model,
                               std::string_view place);
};

}  // namespace rhumb::steer
