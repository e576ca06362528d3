#include "rhumb/steer/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rhumb/core/error.h"
#include "rhumb/core/math/spread.h"

namespace rhumb::steer {
namespace {

constexpr double kLinearFrom = 3;  // standard deviations from which rho is linear
// Default tolerance of a target, as a share of the quantity's range.
constexpr double kToleranceOfRange = 0.0125;
// In standard deviations. Farther away, rounding hides the differences between behaviours.
constexpr double kFarthestGoal = 1e9;

double Rho(double x) {
  const double size = std::abs(x);
  return size <= kLinearFrom ? x * x : kLinearFrom * (2 * size - kLinearFrom);
}

double RhoSlope(double x) { return 2 * std::clamp(x, -kLinearFrom, kLinearFrom); }

// Returns the spread of an expression over the labels of the training codes.
core::Spread MeasureSpread(const QueryExpression& expression, const net::CodeTable& training) {
  const auto width = static_cast<std::size_t>(training.objectives);
  std::vector<double> values(width), all;
  for (auto row = training.values.begin(); row != training.values.end();
       row += training.objectives) {
    std::copy_n(row, width, values.begin());
    all.push_back(expression.Evaluate(values));
  }
  const core::Spread spread = core::SpreadOf(all);
  if (!(spread.max > spread.min) || !std::isfinite(spread.std)) {
    Fail("'{}' does not vary over the training data, so it cannot be steered", expression.text);
  }
  return spread;
}

// Turns query text into parts of a problem.
class Resolver {
 public:
  explicit Resolver(const net::Model& model) : model_(model) {}

  Goal MakeGoal(const std::string& text, double value, double tolerance, bool must,
                std::string_view place) const {
    Goal goal;
    goal.expression = QueryExpression::Parse(text, model_.description, place);
    const core::Spread spread = MeasureSpread(goal.expression, model_.training);
    goal.value = value;
    goal.std = spread.std;
    goal.range = spread.max - spread.min;
    goal.tolerance = tolerance > 0 ? tolerance : kToleranceOfRange * goal.range;
    goal.must = must;
    goal.words = Describe(Target{text, value, tolerance});
    if (!(std::abs(value - spread.mean) <= kFarthestGoal * spread.std)) {
      Fail("{}: {} for '{}' is more than {:g} standard deviations from the training data", place,
           value, text, kFarthestGoal);
    }
    return goal;
  }

  void AddBounds(const Requirement& requirement, std::string_view place,
                 std::vector<Bound>& bounds) const {
    Bound bound;
    bound.expression = QueryExpression::Parse(requirement.quantity, model_.description, place);
    bound.std = MeasureSpread(bound.expression, model_.training).std;
    for (const Requirement& one :
         {Requirement{requirement.quantity, requirement.low, kUnbounded},
          Requirement{requirement.quantity, -kUnbounded, requirement.high}}) {
      bound.sign = one.high == kUnbounded ? -1 : 1;
      bound.limit = bound.sign < 0 ? one.low : one.high;
      bound.words = Describe(one);
      if (std::isfinite(bound.limit)) bounds.push_back(bound);
    }
  }

  Wish MakeWish(const std::string& text, double sign, std::string_view place) const {
    Wish wish;
    wish.expression = QueryExpression::Parse(text, model_.description, place);
    wish.sign = sign;
    wish.std = MeasureSpread(wish.expression, model_.training).std;
    return wish;
  }

  // Changed quantities must reach their new values. Objectives that the query does not mention
  // stay as near as possible.
  void AddChanges(const std::vector<Change>& changes, const Reference& reference,
                  Problem& problem) const {
    std::vector<bool> free(reference.values.size(), true);
    const auto take = [&](const QueryExpression& expression) {
      for (std::size_t k = 0; k < free.size(); ++k) {
        if (expression.numerator[k] != 0) free[k] = false;
        if (!expression.denominator.empty() && expression.denominator[k] != 0) free[k] = false;
      }
    };
    for (const Goal& goal : problem.goals) take(goal.expression);
    for (const Wish& wish : problem.wishes) take(wish.expression);
    for (const Change& change : changes) {
      const QueryExpression expression =
          QueryExpression::Parse(change.quantity, model_.description, "change");
      const double value = expression.Evaluate(reference.values) * change.factor + change.offset;
      problem.goals.push_back(MakeGoal(change.quantity, value, 0, /*must=*/true, "change"));
      // A computed value has more digits than anybody reads.
      problem.goals.back().words = fmt::format("{} at {:.6g}", change.quantity, value);
      take(expression);
    }
    for (std::size_t k = 0; k < free.size(); ++k) {
      if (!free[k]) continue;
      problem.goals.push_back(MakeGoal(model_.description.objectives[k].name, reference.values[k],
                                       0, /*must=*/false, "change"));
    }
  }

 private:
  const net::Model& model_;
};

// If something else competes with goals that must be reached, each becomes two firm bounds.
void SetFirm(Problem& problem) {
  const bool pulled =
      !problem.wishes.empty() || std::any_of(problem.goals.begin(), problem.goals.end(),
                                             [](const Goal& goal) { return !goal.must; });
  if (!pulled) return;
  for (Goal& goal : problem.goals) {
    if (!goal.must) continue;
    goal.in_loss = false;
    AddFirmBounds(goal, problem.bounds);
  }
}

void CheckReference(const Reference& reference, const net::Model& model) {
  const auto finite = [](const auto& numbers) {
    return std::all_of(numbers.begin(), numbers.end(),
                       [](double number) { return std::isfinite(number); });
  };
  if (reference.code.size() != static_cast<std::size_t>(model.code_size()) ||
      reference.values.size() != model.description.objectives.size()) {
    Fail("a recorded behaviour has a code of {} numbers and {} values; this model's have {} and {}",
         reference.code.size(), reference.values.size(), model.code_size(),
         model.description.objectives.size());
  }
  if (!finite(reference.code) || !finite(reference.values)) {
    Fail("a recorded behaviour has a number that is not finite");
  }
}

}  // namespace

void AddFirmBounds(const Goal& goal, std::vector<Bound>& bounds) {
  for (const double sign : {-1.0, 1.0}) {
    bounds.push_back({goal.expression, sign, goal.value + sign * goal.tolerance, goal.std,
                      goal.words, /*firm=*/true});
  }
}

double Problem::Loss(std::span<const double> values) const {
  double loss = 0;
  for (const Goal& goal : goals) {
    if (!goal.in_loss) continue;
    loss += Rho((goal.expression.Evaluate(values) - goal.value) / goal.std);
  }
  for (const Wish& wish : wishes) loss += wish.sign * wish.expression.Evaluate(values) / wish.std;
  return loss;
}

void Problem::AddLossGradient(std::span<const double> values, std::span<double> gradient) const {
  for (const Goal& goal : goals) {
    if (!goal.in_loss) continue;
    const double x = (goal.expression.Evaluate(values) - goal.value) / goal.std;
    goal.expression.AddGradient(values, RhoSlope(x) / goal.std, gradient);
  }
  for (const Wish& wish : wishes) {
    wish.expression.AddGradient(values, wish.sign / wish.std, gradient);
  }
}

double Problem::Excess(std::size_t bound, std::span<const double> values) const {
  const Bound& one = bounds[bound];
  return one.sign * (one.expression.Evaluate(values) - one.limit) / one.std;
}

void Problem::AddExcessGradient(std::size_t bound, std::span<const double> values, double weight,
                                std::span<double> gradient) const {
  const Bound& one = bounds[bound];
  one.expression.AddGradient(values, weight * one.sign / one.std, gradient);
}

bool Problem::Reached(std::span<const double> values) const {
  return std::all_of(goals.begin(), goals.end(), [&](const Goal& goal) {
    return !goal.must || std::abs(goal.expression.Evaluate(values) - goal.value) <= goal.tolerance;
  });
}

double Problem::LargestExcess(std::span<const double> values) const {
  return LargestExcess([&](std::size_t bound) { return Excess(bound, values); });
}

double Problem::LargestExcess(core::FunctionRef<double(std::size_t)> excess) const {
  double largest = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i].firm) continue;
    const double here = excess(i);
    largest = std::isnan(here) ? kUnbounded : std::max(largest, here);
  }
  return largest;
}

double Problem::DistanceToGoals(std::span<const double> values) const {
  double squares = 0;
  for (const Goal& goal : goals) {
    if (!goal.must) continue;
    const double off = goal.expression.Evaluate(values) - goal.value;
    squares += off * off / (goal.std * goal.std);
  }
  return std::isnan(squares) ? kUnbounded : std::sqrt(squares);
}

double Problem::Miss(std::span<const double> values, double margin) const {
  double squares = 0, rest = 0;
  for (const Goal& goal : goals) {
    if (!goal.in_loss) continue;
    const double x = (goal.expression.Evaluate(values) - goal.value) / goal.std;
    squares += x * x;
  }
  for (const Wish& wish : wishes) rest += wish.sign * wish.expression.Evaluate(values) / wish.std;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    rest += kBoundWeight * std::max(0.0, Excess(i, values) + margin);
  }
  return std::sqrt(squares) + rest;
}

std::vector<int> ObjectivesOf(const Problem& problem) {
  std::vector<int> objectives;
  const auto add = [&](const QueryExpression& expression) {
    for (const std::vector<double>* terms : {&expression.numerator, &expression.denominator}) {
      for (std::size_t k = 0; k < terms->size(); ++k) {
        if ((*terms)[k] != 0) objectives.push_back(static_cast<int>(k));
      }
    }
  };
  for (const Goal& goal : problem.goals) add(goal.expression);
  for (const Wish& wish : problem.wishes) add(wish.expression);
  for (const Bound& bound : problem.bounds) add(bound.expression);
  std::sort(objectives.begin(), objectives.end());
  objectives.erase(std::unique(objectives.begin(), objectives.end()), objectives.end());
  return objectives;
}

Problem MakeProblem(const Query& query, const net::Model& model, const Reference* reference) {
  if (query.empty()) {
    Fail("the query asks for nothing: give a target, a requirement, or a quantity to maximise");
  }
  CheckConsistent(query);
  if (reference != nullptr) CheckReference(*reference, model);
  const Resolver resolver(model);
  Problem problem;
  for (const Target& target : query.targets) {
    problem.goals.push_back(
        resolver.MakeGoal(target.quantity, target.value, target.tolerance, true, "target"));
  }
  for (const Requirement& requirement : query.requirements) {
    resolver.AddBounds(requirement, "require", problem.bounds);
  }
  for (const std::string& text : query.maximise) {
    problem.wishes.push_back(resolver.MakeWish(text, -1, "maximise"));
  }
  for (const std::string& text : query.minimise) {
    problem.wishes.push_back(resolver.MakeWish(text, 1, "minimise"));
  }
  if (!query.changes.empty()) {
    if (reference == nullptr) {
      Fail("'{}' is a change, and there is no recorded trajectory to change",
           query.changes.front().quantity);
    }
    resolver.AddChanges(query.changes, *reference, problem);
  }
  SetFirm(problem);
  return problem;
}

}  // namespace rhumb::steer
