#include "rhumb/cli/steer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "rhumb/cli/table.h"
#include "rhumb/core/math/normal_quantile.h"
#include "rhumb/core/text.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/attainable.h"
#include "rhumb/steer/query/query_expression.h"
#include "rhumb/steer/query/query_file.h"
#include "rhumb/steer/query/query_text.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

std::string Number(double value) { return FormatNumber(value, "{:.5g}"); }
// Of an interval or a range, whose last digits mean nothing.
std::string RoundNumber(double value) { return FormatNumber(value, "{:.4g}"); }

// Returns a requirement without its quantity: ">= -3000", "-3000 to -1000".
std::string LimitsOf(const steer::Requirement& one) {
  if (one.low == -steer::kUnbounded) return "<= " + Number(one.high);
  if (one.high == steer::kUnbounded) return ">= " + Number(one.low);
  return fmt::format("{} to {}", Number(one.low), Number(one.high));
}

// Returns the query's request for a quantity: "6000", ">= -3000", "large", or "". A change of a
// value `was` becomes the number that is aimed at.
std::string Asked(const steer::Query& query, const std::string& quantity, double was) {
  std::string asked;
  const auto add = [&](const std::string& words) { asked += (asked.empty() ? "" : ", ") + words; };
  for (const steer::Target& target : query.targets) {
    if (target.quantity == quantity) add(Number(target.value));
  }
  for (const steer::Requirement& one : query.requirements) {
    if (one.quantity == quantity) add(LimitsOf(one));
  }
  for (const steer::Change& change : query.changes) {
    if (change.quantity != quantity) continue;
    add(std::isnan(was) ? steer::AmountOf(change)
                        : fmt::format("{} ({})", Number(was * change.factor + change.offset),
                                      steer::AmountOf(change)));
  }
  if (std::ranges::count(query.maximise, quantity) > 0) add("as large as possible");
  if (std::ranges::count(query.minimise, quantity) > 0) add("as small as possible");
  return asked;
}

// Returns the distinct quantities in the query that are not objectives.
std::vector<std::string> OtherQuantities(const steer::Query& query, const net::Model& model) {
  std::vector<std::string> seen = core::NamesOf(model.description.objectives);
  const std::size_t objectives = seen.size();
  const auto add = [&](const std::string& text) {
    if (std::ranges::count(seen, text) == 0) seen.push_back(text);
  };
  for (const steer::Target& target : query.targets) add(target.quantity);
  for (const steer::Requirement& requirement : query.requirements) add(requirement.quantity);
  for (const std::string& text : query.maximise) add(text);
  for (const std::string& text : query.minimise) add(text);
  for (const steer::Change& change : query.changes) add(change.quantity);
  return {seen.begin() + static_cast<std::ptrdiff_t>(objectives), seen.end()};
}

std::string FormatInterval(const std::vector<steer::Interval>& intervals, std::size_t k) {
  if (intervals.empty()) return "";
  return fmt::format("{} to {}", RoundNumber(intervals[k].low), RoundNumber(intervals[k].high));
}

std::string FormatRealised(double mean, double deviation) {
  return std::isnan(deviation)
             ? Number(mean)
             : fmt::format("{} ± {}", Number(mean),
                           FormatNumber(deviation, deviation < 100 ? "{:.2g}" : "{:.0f}"));
}

// "m/s summed over steps" -> "m/s, sum": the table is wide enough.
std::string BriefUnit(const std::string& unit) {
  constexpr std::string_view kSum = " summed over steps";
  if (!unit.ends_with(kSum)) return unit;
  const std::string bare = unit.substr(0, unit.size() - kSum.size());
  return bare + (bare.ends_with(',') ? " sum" : ", sum");
}

// Removes a column in which every cell but the heading is empty.
void DropEmptyColumn(std::string_view heading, Table& rows) {
  const auto found = std::ranges::find(rows[0], heading);
  if (found == rows[0].end()) return;
  const auto column = found - rows[0].begin();
  const bool is_empty = std::all_of(rows.begin() + 1, rows.end(), [&](const Row& row) {
    return row[static_cast<std::size_t>(column)].empty();
  });
  if (!is_empty) return;
  for (Row& row : rows) row.erase(row.begin() + column);
}

// A quantity of the query: an objective, or an expression of objectives.
struct QuantityRow {
  std::string name;
  std::string unit;
  std::string attainable;
  std::optional<std::size_t> objective;
  steer::QueryExpression expression;  // unless it is an objective

  double Of(const std::vector<double>& values) const {
    return objective ? values[*objective] : expression.Evaluate(values);
  }
};

std::vector<QuantityRow> QuantitiesOf(const SteerOutcome& outcome) {
  const net::ModelDescription& description = outcome.model.description;
  const std::vector<steer::Interval> ranges = steer::AttainableRanges(outcome.model, outcome.mode);
  std::vector<QuantityRow> quantities;
  for (std::size_t k = 0; k < description.objectives.size(); ++k) {
    quantities.push_back({description.objectives[k].name,
                          BriefUnit(description.objectives[k].unit),
                          FormatInterval(ranges, k),
                          k,
                          {}});
  }
  for (const std::string& text : OtherQuantities(outcome.query, outcome.model)) {
    quantities.push_back({text, "", "", std::nullopt,
                          steer::QueryExpression::Parse(text, description, "the query")});
  }
  return quantities;
}

std::string RealisedHeading(const std::vector<eval::Realised>& realised) {
  int episodes = 0;
  for (const eval::Realised& one : realised) episodes = std::max(episodes, one.episodes);
  return fmt::format("realised, {} episode{}", episodes, episodes == 1 ? "" : "s");
}

// The probability that the behaviour keeps all requirements on an objective; NaN without any.
double KeepingLikelihood(const SteerOutcome& outcome, const steer::Answer& answer, std::size_t k) {
  double likelihood = std::nan("");
  for (const steer::Requirement& one : outcome.query.requirements) {
    if (one.quantity != outcome.model.description.objectives[k].name) continue;
    if (answer.interval.empty()) continue;
    const double here = LikelihoodOf(answer.predicted[k], answer.interval[k],
                                     outcome.result.interval_level, one.low, one.high);
    likelihood = std::isnan(likelihood) ? here : std::min(likelihood, here);
  }
  return likelihood;
}

std::string Percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

}  // namespace

double LikelihoodOf(double predicted, const steer::Interval& interval, double level, double low,
                    double high) {
  const double z = core::NormalQuantile((1 + level) / 2);
  // The interval need not be symmetric: each side has its own standard deviation.
  const auto below = [&](double limit) {
    if (std::isinf(limit)) return limit > 0 ? 1.0 : 0.0;
    const double side = limit < predicted ? predicted - interval.low : interval.high - predicted;
    if (!(side > 0)) return limit >= predicted ? 1.0 : 0.0;
    return 0.5 * std::erfc(-(limit - predicted) / (side / z) / std::sqrt(2.0));
  };
  return below(high) - below(low);
}

std::string DescribeOrigin(const steer::Answer& answer) {
  switch (answer.origin) {
    case steer::Origin::kRolledOut:
      return "a code known from roll-outs";
    case steer::Origin::kTraining:
      return "a training code";
    case steer::Origin::kMixed:
      return fmt::format(
          "half-way between two candidates, {:.2f} spacings from the codes that were "
          "tried",
          answer.distance_to_data);
    case steer::Origin::kSteered:
      if (answer.iterations == 0) return "the start of steering, which is near enough";
      break;
  }
  return fmt::format("steered in {} steps, {:.2f} spacings from the codes that were tried",
                     answer.iterations, answer.distance_to_data);
}

// 100 % would promise too much.
std::string DescribeProbability(const steer::Answer& answer) {
  if (!(answer.probability < 1)) return "";
  return answer.probability > 0.99 ? "more than 99 % likely to be as asked"
                                   : Percent(answer.probability) + " likely to be as asked";
}

std::string DescribeTries(const std::vector<eval::RealisedAnswer>& tried) {
  int episodes = 0;
  for (const eval::RealisedAnswer& one : tried) {
    episodes += one.realised.episodes + one.realised.diverged;
  }
  return fmt::format("tried {} codes in {} episodes; the prediction includes what they did",
                     tried.size(), episodes);
}

std::string FormatAnswers(const SteerOutcome& outcome) {
  const steer::Result& result = outcome.result;
  const std::vector<eval::Realised>& realised = outcome.realised;
  const bool several = result.answers.size() > 1;
  const bool calibrated = result.interval_episodes > 0;
  const bool relative = outcome.reference != nullptr;
  Table rows = {{}};
  if (several) rows[0].push_back("answer");
  rows[0].push_back("quantity");
  if (relative) rows[0].push_back("was");
  rows[0].insert(rows[0].end(), {relative ? "aimed at" : "asked", "predicted"});
  if (calibrated) rows[0].push_back(fmt::format("{:g} % interval", 100 * result.interval_level));
  if (!realised.empty()) rows[0].push_back(RealisedHeading(realised));
  rows[0].insert(rows[0].end(), {"on this map", "unit"});
  const std::vector<QuantityRow> quantities = QuantitiesOf(outcome);
  for (std::size_t a = 0; a < result.answers.size(); ++a) {
    const steer::Answer& answer = result.answers[a];
    for (const QuantityRow& quantity : quantities) {
      Row& row = rows.emplace_back();
      if (several) row.push_back(std::to_string(a + 1));
      row.push_back(quantity.name);
      const double was = relative ? quantity.Of(outcome.reference->values) : std::nan("");
      if (relative) row.push_back(Number(was));
      std::string asked = Asked(outcome.query, quantity.name, was);
      if (asked.empty() && !outcome.query.changes.empty()) asked = "as it was";
      row.insert(row.end(), {asked, Number(quantity.Of(answer.predicted))});
      if (calibrated) {
        row.push_back(quantity.objective ? FormatInterval(answer.interval, *quantity.objective)
                                         : "");
      }
      if (!realised.empty()) {
        row.push_back(FormatRealised(
            quantity.Of(realised[a].mean),
            quantity.objective ? realised[a].std[*quantity.objective] : std::nan("")));
      }
      row.insert(row.end(), {quantity.attainable, quantity.unit});
    }
  }
  DropEmptyColumn("unit", rows);
  return FormatTable(rows);
}

std::string FormatBatch(std::span<const SteerOutcome> outcomes) {
  std::string interval;
  std::vector<eval::Realised> all_realised;
  for (const SteerOutcome& outcome : outcomes) {
    if (outcome.result.answers.empty()) continue;
    if (outcome.result.interval_episodes > 0) {
      interval = fmt::format("{:g} % interval", 100 * outcome.result.interval_level);
    }
    if (!outcome.realised.empty()) all_realised.push_back(outcome.realised.front());
  }
  Table rows = {{"query", "status", "ms", "quantity", "asked", "predicted"}};
  if (!interval.empty()) rows[0].push_back(interval);
  if (!all_realised.empty()) rows[0].push_back(RealisedHeading(all_realised));
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const SteerOutcome& outcome = outcomes[i];
    const steer::Result& result = outcome.result;
    Row first = {std::to_string(i + 1), std::string(steer::NameOf(result.status)),
                 fmt::format("{:.1f}", result.solve_ms)};
    for (const QuantityRow& quantity : QuantitiesOf(outcome)) {
      const std::string asked = Asked(outcome.query, quantity.name, std::nan(""));
      if (asked.empty()) continue;
      Row& row = rows.emplace_back(std::exchange(first, Row(3)));
      row.insert(row.end(), {quantity.name, asked});
      row.resize(rows[0].size(), "");
      if (result.answers.empty()) continue;
      const steer::Answer& answer = result.answers.front();
      row[5] = Number(quantity.Of(answer.predicted));
      if (!interval.empty() && quantity.objective) {
        row[6] = FormatInterval(answer.interval, *quantity.objective);
      }
      if (outcome.realised.empty()) continue;
      const eval::Realised& realised = outcome.realised.front();
      row.back() =
          FormatRealised(quantity.Of(realised.mean),
                         quantity.objective ? realised.std[*quantity.objective] : std::nan(""));
    }
  }
  return FormatTable(rows);
}

std::vector<std::string> RemarksOn(const SteerOutcome& outcome,
                                   const steer::SteerOptions& options) {
  std::vector<std::string> remarks;
  const std::vector<steer::Answer>& answers = outcome.result.answers;
  if (!answers.empty() && static_cast<int>(answers.size()) < options.answers) {
    remarks.push_back(fmt::format(
        "{} answer{}, not {}: every other code that meets the query is much like one of "
        "these, or riskier",
        answers.size(), answers.size() == 1 ? "" : "s", options.answers));
  }
  if (options.confidence > 0 && outcome.query.requirements.empty()) {
    remarks.push_back(fmt::format(
        "a confidence of {:g} has no effect: it is about requirements, and there is none",
        options.confidence));
  }
  if (outcome.reference == nullptr || outcome.query.changes.empty() || answers.empty()) {
    return remarks;
  }
  // Values that the query leaves alone should stay. Half a standard deviation can be seen.
  constexpr double kMoved = 0.5;
  const auto& objectives = outcome.model.description.objectives;
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    const double was = outcome.reference->values[k], now = answers.front().predicted[k];
    if (!Asked(outcome.query, objectives[k].name, was).empty()) continue;
    if (!(std::abs(now - was) > kMoved * objectives[k].std)) continue;
    remarks.push_back(fmt::format("{} could not stay: it moves from {} to {}", objectives[k].name,
                                  Number(was), Number(now)));
  }
  return remarks;
}

std::string FormatDiagnosis(const SteerOutcome& outcome, double likelihood) {
  const steer::Diagnosis& diagnosis = *outcome.result.infeasibility;
  const steer::Answer& nearest = diagnosis.nearest;
  const bool calibrated = !nearest.interval.empty();
  const bool is_tried = outcome.result.answers.empty() && !outcome.realised.empty();
  Table rows = {{"nearest", "asked", "predicted"}};
  if (calibrated) {
    rows[0].insert(rows[0].end(),
                   {fmt::format("{:g} % interval", 100 * outcome.result.interval_level), "kept"});
  }
  if (is_tried) rows[0].push_back(RealisedHeading(outcome.realised));
  rows[0].insert(rows[0].end(), {"on this map", "unit"});
  std::string unlikely;
  for (const QuantityRow& quantity : QuantitiesOf(outcome)) {
    const double was = outcome.reference ? quantity.Of(outcome.reference->values) : std::nan("");
    Row& row = rows.emplace_back(Row{quantity.name, Asked(outcome.query, quantity.name, was),
                                     Number(quantity.Of(nearest.predicted))});
    const std::optional<std::size_t> k = quantity.objective;
    if (calibrated) {
      const double kept = k ? KeepingLikelihood(outcome, nearest, *k) : std::nan("");
      row.insert(row.end(), {k ? FormatInterval(nearest.interval, *k) : "",
                             std::isnan(kept) ? "" : Percent(kept)});
      if (kept < likelihood) {
        unlikely += fmt::format("not likely enough: the nearest keeps {} {} with {}, asked {}\n",
                                quantity.name, Asked(outcome.query, quantity.name, was),
                                Percent(kept), Percent(likelihood));
      }
    }
    if (is_tried) {
      const eval::Realised& realised = outcome.realised.front();
      row.push_back(
          FormatRealised(quantity.Of(realised.mean), k ? realised.std[*k] : std::nan("")));
    }
    row.insert(row.end(), {quantity.attainable, quantity.unit});
  }
  DropEmptyColumn("unit", rows);
  if (calibrated) DropEmptyColumn("kept", rows);
  std::string text = FormatTable(rows) + unlikely + "to relax, one at a time:\n";
  for (const steer::Relaxation& one : diagnosis.relax) {
    if (one.possible) {
      text += fmt::format("  {}: relax to {} (by {})\n", one.text, Number(one.needed),
                          Number(one.needed - one.asked));
    } else if (calibrated) {
      text += fmt::format("  {}: no value of it alone makes the rest {} likely\n", one.text,
                          Percent(likelihood));
    } else {
      text += fmt::format("  {}: relaxing it alone is not enough\n", one.text);
    }
  }
  return text;
}

json RowsOfPicture(const SteerOutcome& outcome) {
  const std::vector<steer::Answer>& answers = outcome.result.answers;
  const steer::Answer& shown =
      answers.empty() ? outcome.result.infeasibility->nearest : answers.front();
  json asked_for = json::array(), rest = json::array();
  for (const QuantityRow& quantity : QuantitiesOf(outcome)) {
    const std::optional<std::size_t> k = quantity.objective;
    const double was =
        outcome.reference != nullptr ? quantity.Of(outcome.reference->values) : std::nan("");
    const std::string asked = Asked(outcome.query, quantity.name, was);
    std::string predicted = Number(quantity.Of(shown.predicted)), realised;
    if (k && !shown.interval.empty()) {
      predicted += fmt::format("  ({})", FormatInterval(shown.interval, *k));
    }
    if (!outcome.realised.empty()) {
      const eval::Realised& first = outcome.realised.front();
      realised = FormatRealised(quantity.Of(first.mean), k ? first.std[*k] : std::nan(""));
    }
    (asked.empty() ? rest : asked_for)
        .push_back({{"name", quantity.name},
                    {"asked", asked},
                    {"predicted", predicted},
                    {"realised", realised}});
  }
  asked_for.insert(asked_for.end(), rest.begin(), rest.end());
  return asked_for;
}

}  // namespace rhumb::cli
