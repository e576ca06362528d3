// A user's query.
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
constexpr std::size_t kMaxTerms = 256;  // per kind in a query

// Asks for a value as near to `value` as possible.
struct Target {
  std::string quantity;
  double value = 0;
  double tolerance =
      0;  // distance that counts as reached; 0 means 1.25 % of the quantity's range in the data

  bool operator==(const Target&) const = default;
};

// low <= quantity <= high; one of the limits may be infinite.
struct Requirement {
  std::string quantity;
  double low = -kUnbounded;
  double high = kUnbounded;

  bool operator==(const Requirement&) const = default;
};

// A change to a recorded trajectory's value: v -> v * factor + offset. Unchanged values are kept
// as near as possible.
struct Change {
  std::string quantity;
  double factor = 1;
  double offset = 0;

  bool operator==(const Change&) const = default;
};

// Plain data. The syntax of its terms:
//   target       EXPR = NUMBER [+- TOLERANCE]
//   requirement  EXPR >= NUMBER   EXPR <= NUMBER   NUMBER <= EXPR [<= NUMBER]   NUMBER >= EXPR …
//                EXPR = NUMBER +- TOLERANCE   EXPR in [LOW, HIGH]   EXPR >= EXPR (their difference)
//                ('<' and '>' mean the same as '<=' and '>=', '==' as '=', '±' as '+-')
//   change       NAME +10%   NAME -20%   NAME +0.5   NAME *0.8 +5
// expression_parser.h defines EXPR. Invalid terms throw Error, which quotes the text, gives the
// column and names the expected input. So do two requirements that no value meets, and more than
// kMaxTerms of a kind.
struct Query {
  std::vector<Target> targets;
  std::vector<Requirement> requirements;
  std::vector<std::string> maximise, minimise;  // EXPR
  std::vector<Change> changes;                  // these need a reference: see Problem

  Query& AddTarget(std::string_view text);
  Query& AddRequirement(std::string_view text);
  Query& AddChange(std::string_view text);
  // Adds terms given as numbers, for C++ callers.
  Query& AddTarget(std::string_view quantity, double value, double tolerance = 0);
  Query& AtLeast(std::string_view quantity, double low);
  Query& AtMost(std::string_view quantity, double high);
  Query& Maximise(std::string_view quantity);
  Query& Minimise(std::string_view quantity);

  bool empty() const;
  bool operator==(const Query&) const = default;
};

// Checks the numbers, and contradictions visible in the text alone. Contradictions are disjoint
// requirements on one quantity, a target outside a requirement on its quantity, and two goals for
// one quantity. Goals are target, change, maximise and minimise. Quantities are equal if their
// texts are, ignoring spaces. Errors quote both terms.
void CheckConsistent(const Query& query);

// In plain words: "bring forward to 6000, with energy at least -3000, and make forward/energy as
// large as possible".
std::string Describe(const Query& query);
std::string Describe(const Target& target);            // "forward at 6000 within 50"
std::string Describe(const Requirement& requirement);  // "energy at least -3000"

}  // namespace rhumb::steer
