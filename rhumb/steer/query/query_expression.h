// The quantity in a query term: an objective, a linear combination of objectives, or a ratio of
// two.
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

// Constant once made; thread-safe. Only Parse allocates.
struct QueryExpression {
  std::string text;               // the original text
  std::vector<double> numerator;  // a [K]
  double numerator_constant = 0;  // a0
  // A ratio's sign is chosen so that the denominator is positive over the training data.
  std::vector<double> denominator;  // b [K]; empty if not a ratio
  double denominator_constant = 1;  // b0

  // Returns NaN if the denominator is not positive, because a ratio is meaningless beyond its
  // pole.
  double Evaluate(std::span<const double> values) const;
  // gradient[k] += weight * dq/dv_k at `values`.
  void AddGradient(std::span<const double> values, double weight, std::span<double> gradient) const;

  // `place` says where the text comes from ("require"). Throws Error, with the column if known, in
  // these cases: expression_parser.h rejects the text; an objective is unknown (the nearest known
  // one is suggested); coefficients overflow, or a denominator can be zero, over the objectives'
  // ranges in the training data.
  static QueryExpression Parse(std::string_view text, const net::ModelDescription& model,
                               std::string_view place);
};

}  // namespace rhumb::steer
