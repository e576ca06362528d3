// What a user asks for.
//
//   --target forward=6000 --require 'energy>=-3000' --maximise 'forward/energy'
//   {"target": {"forward": 6000}, "require": ["energy>=-3000"], "maximise": ["forward/energy"]}
//   Query().AddTarget("forward", 6000).AddRequirement("energy >= -3000")
//
// A query is text and numbers; only Problem (problem.h) knows a model's objectives.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace rhumb::steer {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::size_t kMaxTerms = 256;  // of each kind in a query

// Come as near to `value` as possible.
struct Target {
  std::string quantity;
  double value = 0;
  double tolerance = 0;  // reached within this; 0: 1.25 % of the quantity's range in the data

  bool operator==(const Target&) const = default;
};

// low <= quantity <= high; one of them may be infinite.
struct Requirement {
  std::string quantity;
  double low = -kUnbounded;
  double high = kUnbounded;

  bool operator==(const Requirement&) const = default;
};

// A change of a recorded trajectory's value: v -> v * factor + offset. What is not changed is kept
// as near as possible.
struct Change {
  std::string quantity;
  double factor = 1;
  double offset = 0;

  bool operator==(const Change&) const = default;
};

// Plain data. The words that are parsed:
//   target       EXPR = NUMBER [+- TOLERANCE]
//   requirement  EXPR >= NUMBER   EXPR <= NUMBER   NUMBER <= EXPR [<= NUMBER]   NUMBER >= EXPR …
//                EXPR = NUMBER +- TOLERANCE   EXPR in [LOW, HIGH]   EXPR >= EXPR (their difference)
//                ('<' and '>' mean the same as '<=' and '>=', '==' as '=', '±' as '+-')
//   change       NAME +10%   NAME -20%   NAME +0.5   NAME *0.8 +5
// EXPR is what expression_parser.h says. Bad words (no relation, two that contradict each other, a
// number that is not finite, LOW above HIGH, an equality without a tolerance in a requirement, a
// tolerance not above 0) are Errors that quote the text, give the column and say what is expected.
// So are two requirements on one quantity that no value meets, and more than kMaxTerms of a kind.
struct Query {
  std::vector<Target> targets;
  std::vector<Requirement> requirements;
  std::vector<std::string> maximise, minimise;  // EXPR
  std::vector<Change> changes;                  // need a reference: see Problem

  Query& AddTarget(std::string_view text);
  Query& AddRequirement(std::string_view text);
  Query& AddChange(std::string_view text);
  // By numbers, for C++.
  Query& AddTarget(std::string quantity, double value, double tolerance = 0);
  Query& AtLeast(std::string quantity, double low);
  Query& AtMost(std::string quantity, double high);
  Query& Maximise(std::string quantity);
  Query& Minimise(std::string quantity);

  bool empty() const;
  bool operator==(const Query&) const = default;
};

// Checks the numbers and what contradicts itself in the words alone: requirements on one quantity
// that do not meet, a target outside of a requirement on the same quantity, a quantity with two
// goals (target, change, maximise, minimise). Quantities are the same where their texts are, spaces
// aside. Errors quote both.
void CheckConsistent(const Query& query);

// In plain words: "bring forward to 6000, with energy at least -3000, and make forward/energy as
// large as possible".
std::string Describe(const Query& query);
std::string Describe(const Target& target);            // "forward at 6000 within 50"
std::string Describe(const Requirement& requirement);  // "energy at least -3000"

}  // namespace rhumb::steer
