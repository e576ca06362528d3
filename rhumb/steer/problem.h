// A query resolved against a model: what is minimised, and what must hold, as functions of the
// values v [K] of the model's objectives.
//
//   loss   l(v) = sum over goals rho((q(v) - g) / s) + sum over wishes +-q(v) / s
//   bounds c(v) = +-(q(v) - limit) / s <= 0
//   Beside a wish a goal that must be reached is no part of the loss, where it would settle for a
//   compromise with the wish, but two bounds around it.
//   s: the quantity's deviation in the training data; rho(x) = x^2, and linear from |x| = 3 on, so
//   that a goal far out of reach does not throw the code off the map
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/steer/query.h"
#include "rhumb/steer/query_expression.h"

namespace rhumb::steer {

// A behaviour that a query's changes refer to: a recorded trajectory's code and values.
struct Reference {
  std::vector<float> code;     // [H]
  std::vector<double> values;  // [K], in the objectives' units
};

// Bring the quantity to the value.
struct Goal {
  QueryExpression quantity;
  double value = 0;
  double scale = 1;      // s
  double tolerance = 0;  // within which it is reached, in the quantity's unit
  bool must = true;      // false: as near as can be had, whatever that is
  bool in_loss = true;   // false: two firm bounds stand for it
  std::string words;
  double range = 0;  // of the quantity, in the training data
};

// Make the quantity as small (sign 1) or as large (sign -1) as possible.
struct Wish {
  QueryExpression quantity;
  double sign = 1;
  double scale = 1;
};

// sign * (quantity - limit) <= 0.
struct Bound {
  QueryExpression quantity;
  double sign = 1;
  double limit = 0;
  double scale = 1;
  std::string words;
  bool firm = false;  // stands for a goal: no confidence tightens it
};

// What exceeds a bound, beside a distance from a goal, when behaviours are compared.
constexpr double kBoundWeight = 5;

// Constant once made; thread-safe. Nothing here allocates.
struct Problem {
  std::vector<Goal> goals;
  std::vector<Wish> wishes;
  std::vector<Bound> bounds;

  double Loss(std::span<const double> values) const;
  // gradient[k] += dl/dv_k.
  void AddLossGradient(std::span<const double> values, std::span<double> gradient) const;
  // c of one bound, in deviations of its quantity.
  double Excess(std::size_t bound, std::span<const double> values) const;
  // gradient[k] += weight * dc/dv_k.
  void AddExcessGradient(std::size_t bound, std::span<const double> values, double weight,
                         std::span<double> gradient) const;
  // Whether every goal that must be is within its tolerance.
  bool Reached(std::span<const double> values) const;

  // The most by which a bound that is not firm is exceeded, in deviations, 0 where none is; and the
  // distance from the goals that must be reached. Infinite of what is no number.
  double LargestExcess(std::span<const double> values) const;
  double DistanceToGoals(std::span<const double> values) const;

  // How far the values are from what is asked for, to compare behaviours by: the distance from the
  // goals, and kBoundWeight times what exceeds a bound by more than -margin.
  double Miss(std::span<const double> values, double margin = 0) const;
};

// How near a behaviour is to what cannot be had. Less is nearer: what keeps all bounds before what
// does not. Among the latter the largest excess counts kBoundWeight times what the distance from
// the goals does: a bound that is broken anyway is not worth the goals.
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
