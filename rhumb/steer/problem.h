// A query resolved against a model: what is minimised, and what must hold, as functions of the
// values v [K] of the model's objectives.
//
//   loss   l(v) = sum over goals rho((q(v) - g) / s) + sum over wishes +-q(v) / s
//   bounds c(v) = +-(q(v) - limit) / s <= 0
//   Beside a wish, a goal that must be reached becomes two bounds around it. In the loss it would
//   settle for a compromise with the wish.
//   s: the standard deviation of q in the training data; rho(x) = x^2, and linear from |x| = 3 on,
//   so that a goal far out of reach does not throw the code off the map
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rhumb/core/function_ref.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/query.h"
#include "rhumb/steer/query_expression.h"

namespace rhumb::steer {

// A behaviour that a query's changes refer to: a recorded trajectory's code and values.
struct Reference {
  std::vector<float> code;     // [H]
  std::vector<double> values;  // [K], in the objectives' units
};

// Bring the expression to the value.
struct Goal {
  QueryExpression expression;
  double value = 0;
  double std = 1;        // s
  double tolerance = 0;  // within which it is reached, in the expression's unit
  bool must = true;      // false: as near as can be had, whatever that is
  bool in_loss = true;   // false: two firm bounds stand for it
  std::string words;
  double range = 0;  // of the expression, in the training data
};

// Make the expression as small (sign 1) or as large (sign -1) as possible.
struct Wish {
  QueryExpression expression;
  double sign = 1;
  double std = 1;
};

// sign * (expression - limit) <= 0.
struct Bound {
  QueryExpression expression;
  double sign = 1;
  double limit = 0;
  double std = 1;
  std::string words;
  bool firm = false;  // stands for a goal: no confidence tightens it
};

// Two behaviours are compared by their distance from the goals and by what exceeds a bound, which
// counts kBoundWeight times as much. Problem::Miss adds up the excesses of all bounds; it ranks
// starts and realised answers. Nearness takes the largest excess alone; it ranks what comes near to
// a query that cannot be met, where the number of bounds that are broken says little.
constexpr double kBoundWeight = 5;

// Constant once made; thread-safe. Nothing here allocates.
struct Problem {
  std::vector<Goal> goals;
  std::vector<Wish> wishes;
  std::vector<Bound> bounds;

  double Loss(std::span<const double> values) const;
  // gradient[k] += dl/dv_k.
  void AddLossGradient(std::span<const double> values, std::span<double> gradient) const;
  // c of one bound, in standard deviations of its expression.
  double Excess(std::size_t bound, std::span<const double> values) const;
  // gradient[k] += weight * dc/dv_k.
  void AddExcessGradient(std::size_t bound, std::span<const double> values, double weight,
                         std::span<double> gradient) const;
  // Whether every goal that must be is within its tolerance.
  bool Reached(std::span<const double> values) const;

  // Largest violation of any soft bound, in standard deviations (0 if none, +inf if NaN). The
  // second form takes the excess of bound i from the caller.
  double LargestExcess(std::span<const double> values) const;
  double LargestExcess(core::FunctionRef<double(std::size_t)> excess) const;
  // Distance from the goals that must be reached, in standard deviations (+inf if NaN).
  double DistanceToGoals(std::span<const double> values) const;

  // The distance from the goals in the loss, plus the wishes, plus kBoundWeight times the sum by
  // which bounds, tightened by `margin`, are exceeded.
  double Miss(std::span<const double> values, double margin = 0) const;
};

// How near a behaviour is to a query that cannot be met. Less is nearer: first what keeps all
// bounds, then the least kBoundWeight * excess + distance.
struct Nearness {
  double excess = 0, distance = 0;  // LargestExcess and DistanceToGoals

  friend bool operator<(const Nearness& a, const Nearness& b) {
    if ((a.excess > 0) != (b.excess > 0)) return b.excess > 0;
    return kBoundWeight * a.excess + a.distance < kBoundWeight * b.excess + b.distance;
  }
};

// An Error where the query is empty, names what the model does not have, contradicts itself, has
// changes without a reference, or a reference that does not fit the model.
Problem MakeProblem(const Query& query, const net::Model& model, const Reference* reference);

}  // namespace rhumb::steer
