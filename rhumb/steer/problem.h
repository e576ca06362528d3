// A query resolved against a model: the loss and the bounds, as functions of the values v [K] of
// the model's objectives.
//
//   loss   l(v) = sum over goals rho((q(v) - g) / s) + sum over wishes +-q(v) / s
//   bounds c(v) = +-(q(v) - limit) / s <= 0
//
// s is the standard deviation of q in the training data. rho(x) = x^2, continued linearly from |x|
// = 3, so that an unreachable goal does not drive the code off the data.
// If the query has a wish, each goal that must be reached becomes two bounds around it. In the
// loss the goal would be traded off against the wish.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rhumb/core/function_ref.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/query/query.h"
#include "rhumb/steer/query/query_expression.h"

namespace rhumb::steer {

// The behaviour that a query's changes refer to: a recorded trajectory's code and values.
struct Reference {
  std::vector<float> code;     // [H]
  std::vector<double> values;  // [K], in the objectives' units
};

// Brings the expression to the value.
struct Goal {
  QueryExpression expression;
  double value = 0;
  double std = 1;        // s
  double tolerance = 0;  // maximum distance that counts as reached, in the expression's unit
  bool must = true;      // false: come as near as possible
  bool in_loss = true;   // false: two firm bounds replace it
  std::string words;
  double range = 0;  // range of the expression in the training data
};

// Minimises (sign 1) or maximises (sign -1) the expression.
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
  bool firm = false;  // replaces a goal; confidence does not tighten it
};

// Adds the two bounds that replace a goal: at least value - tolerance, at most value + tolerance.
void AddFirmBounds(const Goal& goal, std::vector<Bound>& bounds);

// Weight of bound violations against the distance from the goals, when behaviours are compared.
// Problem::Miss sums the violations of all bounds; it ranks starts and realised answers. Nearness
// uses the largest violation only; it ranks candidates for an infeasible query. There the number
// of violated bounds says little.
constexpr double kBoundWeight = 5;

// Constant once made; thread-safe. No member function allocates.
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
  // Returns whether every goal with `must` is within its tolerance.
  bool Reached(std::span<const double> values) const;

  // Largest violation of any soft bound, in standard deviations (0 if none, +inf if NaN). The
  // second form takes the violation of bound i from the caller.
  double LargestExcess(std::span<const double> values) const;
  double LargestExcess(core::FunctionRef<double(std::size_t)> excess) const;
  // Distance from the goals with `must`, in standard deviations (+inf if NaN).
  double DistanceToGoals(std::span<const double> values) const;

  // Distance from the goals in the loss, plus the wishes, plus kBoundWeight times the summed
  // violations of bounds tightened by `margin`.
  double Miss(std::span<const double> values, double margin = 0) const;
};

// Returns the objectives that goals, wishes or bounds depend on, ascending.
std::vector<int> ObjectivesOf(const Problem& problem);

// How near a behaviour is to an infeasible query; less is nearer. Behaviours that meet all bounds
// come first, then the least kBoundWeight * excess + distance.
struct Nearness {
  double excess = 0, distance = 0;  // LargestExcess and DistanceToGoals

  friend bool operator<(const Nearness& a, const Nearness& b) {
    if ((a.excess > 0) != (b.excess > 0)) return b.excess > 0;
    return kBoundWeight * a.excess + a.distance < kBoundWeight * b.excess + b.distance;
  }
};

// Throws Error if the query is empty, contradicts itself, or names unknown objectives. Throws
// Error if changes lack a reference, or if the reference does not fit the model.
Problem MakeProblem(const Query& query, const net::Model& model, const Reference* reference);

}  // namespace rhumb::steer
