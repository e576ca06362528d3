#include "rhumb/cli/query_hint.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "rhumb/cli/table.h"
#include "rhumb/steer/attainable.h"

namespace rhumb::cli {
namespace {

std::string Number(double value) { return FormatNumber(value, "{:.4g}"); }

struct Offer {
  const net::ModelObjective& objective;
  steer::Interval range;
  int steps;  // of an episode; 0 if unknown

  bool Offers(double value) const { return value >= range.low && value <= range.high; }
  // Also a little beyond, for a guess.
  bool Holds(double value) const {
    const double slack = 0.1 * (range.high - range.low);
    return value >= range.low - slack && value <= range.high + slack;
  }
};

// Returns the value that was probably meant, with the reason.
struct Guess {
  double value;
  std::string reason;
};

std::optional<Guess> GuessMeaning(const Offer& offer, double value) {
  if (!std::isfinite(value) || value == 0 || offer.Offers(value)) return std::nullopt;
  const double sign_changed = -value;
  const bool is_sum = offer.objective.expression.empty() && offer.steps > 1;
  if (is_sum) {
    const std::string reason = fmt::format("is a sum over {} steps", offer.steps);
    if (offer.Holds(value * offer.steps)) return Guess{value * offer.steps, reason};
    if (offer.Holds(sign_changed * offer.steps)) return Guess{sign_changed * offer.steps, reason};
  } else if (offer.steps > 1 && offer.Holds(value / offer.steps)) {
    return Guess{value / offer.steps, "is not a sum over the episode"};
  }
  if (!offer.Holds(sign_changed)) return std::nullopt;
  return Guess{sign_changed, offer.range.high <= 0 ? "is never positive" : "has the opposite sign"};
}

void AddHint(const Offer& offer, const char* relation, double value,
             std::vector<std::string>& hints) {
  const std::optional<Guess> guess = GuessMeaning(offer, value);
  if (!guess) return;
  const std::string unit = offer.objective.unit.empty() ? "" : " " + offer.objective.unit;
  hints.push_back(fmt::format("did you mean {0}{1}{2}? {0} {3}, {4} to {5} on this map",
                              offer.objective.name, relation, Number(guess->value), guess->reason,
                              Number(offer.range.low), Number(offer.range.high)) +
                  (unit.empty() ? "" : " (" + unit.substr(1) + ")"));
}

}  // namespace

std::vector<std::string> HintsFor(const steer::Query& query, const net::Model& model,
                                  net::RolloutMode mode) {
  const std::vector<steer::Interval> ranges = steer::AttainableRanges(model, mode);
  std::vector<std::string> hints;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const net::ModelObjective& objective = model.description.objectives[k];
    const Offer offer{objective, ranges[k], model.description.time_limit};
    for (const steer::Target& target : query.targets) {
      if (target.quantity == objective.name) AddHint(offer, "=", target.value, hints);
    }
    for (const steer::Requirement& one : query.requirements) {
      if (one.quantity != objective.name) continue;
      // A bound that every behaviour keeps is not a slip.
      if (one.low > ranges[k].high) AddHint(offer, ">=", one.low, hints);
      if (one.high < ranges[k].low) AddHint(offer, "<=", one.high, hints);
    }
  }
  return hints;
}

}  // namespace rhumb::cli
