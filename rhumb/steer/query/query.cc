#include "rhumb/steer/query/query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"
#include "rhumb/steer/query/expression_parser.h"
#include "rhumb/steer/query/query_parser.h"
#include "rhumb/steer/query/query_text.h"

namespace rhumb::steer {
namespace {

std::string CheckQuantity(std::string_view quantity, std::string_view kind) {
  quantity = core::Trim(quantity);
  ParseExpression(quantity, kind);
  return std::string(quantity);
}

void Check(const Target& target) {
  CheckQuantity(target.quantity, "target");
  if (!std::isfinite(target.value)) {
    Fail("the target of {} is {}, it must be finite", Quote(target.quantity), target.value);
  }
  if (!(target.tolerance >= 0 && target.tolerance < kUnbounded)) {
    Fail("the tolerance of target {} is {}, it must be finite and not below 0",
         Quote(target.quantity), target.tolerance);
  }
}

void Check(const Requirement& requirement) {
  const auto& [quantity, low, high] = requirement;
  CheckQuantity(quantity, "requirement");
  const bool bounded = std::isfinite(low) || std::isfinite(high);
  if (!(bounded && low < kUnbounded && high > -kUnbounded)) {
    Fail("the bounds of requirement {} are {} and {}, at least one must be a finite number",
         Quote(quantity), low, high);
  }
  if (low == high) {
    Fail("requirement {} leaves a single value, which no behaviour meets exactly: give a tolerance",
         Quote(TextOf(requirement)));
  }
  if (low > high) {
    Fail("requirement {} has its low bound, {}, above its high one, {}", Quote(TextOf(requirement)),
         low, high);
  }
}

void Check(const Change& change) {
  CheckQuantity(change.quantity, "change");
  if (!std::isfinite(change.factor) || !std::isfinite(change.offset)) {
    Fail("the change of {} is {}, it must be finite", Quote(change.quantity), AmountOf(change));
  }
}

bool IsSame(std::string_view a, std::string_view b) {
  const auto without_spaces = [](std::string_view text) {
    std::string kept(text);
    std::erase(kept, ' ');
    return kept;
  };
  return a == b || without_spaces(a) == without_spaces(b);
}

void CheckMeets(const Requirement& a, const Requirement& b) {
  if (IsSame(a.quantity, b.quantity) && std::max(a.low, b.low) > std::min(a.high, b.high)) {
    Fail("requirement {} contradicts {}", Quote(TextOf(b)), Quote(TextOf(a)));
  }
}

void CheckMeets(const Target& target, const Requirement& requirement) {
  if (IsSame(target.quantity, requirement.quantity) &&
      (target.value + target.tolerance < requirement.low ||
       target.value - target.tolerance > requirement.high)) {
    Fail("target {} lies outside of requirement {}", Quote(TextOf(target)),
         Quote(TextOf(requirement)));
  }
}

// Each quantity may have only one goal.
void CheckGoals(const Query& query) {
  struct Goal {
    std::string_view quantity;
    std::string text;
  };
  std::vector<Goal> goals;
  for (const Target& target : query.targets) {
    goals.push_back({target.quantity, "target " + Quote(TextOf(target))});
  }
  for (const Change& change : query.changes) {
    goals.push_back({change.quantity, "change " + Quote(TextOf(change))});
  }
  for (const std::string& text : query.maximise) goals.push_back({text, "maximise " + Quote(text)});
  for (const std::string& text : query.minimise) goals.push_back({text, "minimise " + Quote(text)});
  for (std::size_t i = 0; i < goals.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (IsSame(goals[i].quantity, goals[j].quantity)) {
        Fail("a quantity has two goals, {} and {}; one is allowed", goals[j].text, goals[i].text);
      }
    }
  }
}

void CheckCount(std::size_t count, std::string_view kind) {
  if (count > kMaxTerms) Fail("a query has more than {} of the kind '{}'", kMaxTerms, kind);
}

// Appends a term to the query's list of its kind, and returns the query.
template <class Term>
Query& Append(Query& query, std::vector<Term>& terms, Term term, std::string_view kind) {
  CheckCount(terms.size() + 1, kind);
  terms.push_back(std::move(term));
  return query;
}

Query& Append(Query& query, Requirement requirement) {
  Check(requirement);
  for (const Requirement& other : query.requirements) CheckMeets(other, requirement);
  return Append(query, query.requirements, std::move(requirement), "require");
}

}  // namespace

Query& Query::AddTarget(std::string_view text) {
  return Append(*this, targets, ParseTarget(text), "target");
}

Query& Query::AddTarget(std::string_view quantity, double value, double tolerance) {
  Target target{CheckQuantity(quantity, "target"), value, tolerance};
  Check(target);
  return Append(*this, targets, std::move(target), "target");
}

Query& Query::AddRequirement(std::string_view text) {
  return Append(*this, ParseRequirement(text));
}

Query& Query::AtLeast(std::string_view quantity, double low) {
  return Append(*this, {CheckQuantity(quantity, "requirement"), low, kUnbounded});
}

Query& Query::AtMost(std::string_view quantity, double high) {
  return Append(*this, {CheckQuantity(quantity, "requirement"), -kUnbounded, high});
}

Query& Query::AddChange(std::string_view text) {
  return Append(*this, changes, ParseChange(text), "change");
}

Query& Query::Maximise(std::string_view quantity) {
  return Append(*this, maximise, CheckQuantity(quantity, "maximise"), "maximise");
}

Query& Query::Minimise(std::string_view quantity) {
  return Append(*this, minimise, CheckQuantity(quantity, "minimise"), "minimise");
}

bool Query::empty() const {
  return targets.empty() && requirements.empty() && maximise.empty() && minimise.empty() &&
         changes.empty();
}

void CheckConsistent(const Query& query) {
  CheckCount(query.targets.size(), "target");
  CheckCount(query.requirements.size(), "require");
  CheckCount(query.changes.size(), "change");
  CheckCount(query.maximise.size(), "maximise");
  CheckCount(query.minimise.size(), "minimise");
  for (const Target& target : query.targets) Check(target);
  for (const Change& change : query.changes) Check(change);
  for (std::size_t i = 0; i < query.requirements.size(); ++i) {
    const Requirement& requirement = query.requirements[i];
    Check(requirement);
    for (std::size_t j = 0; j < i; ++j) CheckMeets(query.requirements[j], requirement);
    for (const Target& target : query.targets) CheckMeets(target, requirement);
  }
  CheckGoals(query);
}

std::string Describe(const Target& target) {
  if (target.tolerance == 0) return fmt::format("{} at {}", target.quantity, target.value);
  return fmt::format("{} at {} within {}", target.quantity, target.value, target.tolerance);
}

std::string Describe(const Requirement& requirement) {
  const auto& [quantity, low, high] = requirement;
  if (high == kUnbounded) return fmt::format("{} at least {}", quantity, low);
  if (low == -kUnbounded) return fmt::format("{} at most {}", quantity, high);
  return fmt::format("{} from {} to {}", quantity, low, high);
}

std::string Describe(const Query& query) {
  // "VERB a and b": one clause for all terms of a kind.
  std::vector<std::string> clauses;
  const auto add_clause = [&](const auto& terms, std::string_view verb, const auto& describe) {
    std::vector<std::string> words;
    for (const auto& term : terms) words.push_back(describe(term));
    if (!words.empty()) clauses.push_back(fmt::format("{} {}", verb, fmt::join(words, " and ")));
  };
  add_clause(query.targets, "bring", [](const Target& target) {
    const std::string within =
        target.tolerance == 0 ? "" : fmt::format(" within {}", target.tolerance);
    return fmt::format("{} to {}{}", target.quantity, target.value, within);
  });
  add_clause(query.changes, "change", [](const Change& change) {
    return fmt::format("{} by {}", change.quantity, AmountOf(change));
  });
  const auto quantity = [](const std::string& text) { return text; };
  add_clause(query.maximise, "make", quantity);
  if (!query.maximise.empty()) clauses.back() += " as large as possible";
  add_clause(query.minimise, "make", quantity);
  if (!query.minimise.empty()) clauses.back() += " as small as possible";

  // Requirements come after the goals.
  if (query.empty()) return "nothing is asked for";
  if (clauses.empty()) clauses.emplace_back("find a behaviour");
  std::vector<std::string> bounds;
  for (const Requirement& requirement : query.requirements) bounds.push_back(Describe(requirement));
  if (!bounds.empty()) clauses[0] += fmt::format(", with {}", fmt::join(bounds, " and "));
  return fmt::format("{}", fmt::join(clauses, ", and "));
}

}  // namespace rhumb::steer
