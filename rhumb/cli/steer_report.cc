#include "rhumb/cli/steer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rhumb/cli/table.h"
#include "rhumb/core/text.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/query/query_expression.h"
#include "rhumb/steer/query/query_file.h"
#include "rhumb/steer/query/query_text.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

std::string Number(double value) { return FormatNumber(value, "{:.5g}"); }

// Returns the query's request for a quantity: "6000", ">= -3000", "-3000 to -1000", "large", or
// "".
std::string Asked(const steer::Query& query, const std::string& quantity) {
  std::string asked;
  const auto add = [&](const std::string& words) { asked += (asked.empty() ? "" : ", ") + words; };
  for (const steer::Target& target : query.targets) {
    if (target.quantity == quantity) add(Number(target.value));
  }
  for (const steer::Requirement& one : query.requirements) {
    if (one.quantity != quantity) continue;
    if (one.low == -steer::kUnbounded) {
      add("<= " + Number(one.high));
    } else if (one.high == steer::kUnbounded) {
      add(">= " + Number(one.low));
    } else {
      add(fmt::format("{} to {}", Number(one.low), Number(one.high)));
    }
  }
  for (const steer::Change& change : query.changes) {
    if (change.quantity == quantity) add(steer::AmountOf(change));
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
  return fmt::format("{} to {}", Number(intervals[k].low), Number(intervals[k].high));
}

}  // namespace

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

std::string DescribeTries(const std::vector<eval::RealisedAnswer>& tried) {
  int episodes = 0;
  for (const eval::RealisedAnswer& one : tried) {
    episodes += one.realised.episodes + one.realised.diverged;
  }
  return fmt::format("tried {} codes in {} episodes; the prediction includes what they did",
                     tried.size(), episodes);
}

std::string FormatAnswers(const net::Model& model, const steer::Query& query,
                          const steer::Result& result,
                          const std::vector<eval::Realised>& realised) {
  const auto& objectives = model.description.objectives;
  const bool several = result.answers.size() > 1;
  const bool calibrated = result.interval_episodes > 0;
  Table rows = {{}};
  if (several) rows[0].push_back("answer");
  for (const char* word : {"quantity", "asked", "predicted"}) rows[0].push_back(word);
  if (calibrated) rows[0].push_back(fmt::format("{:g} % interval", 100 * result.interval_level));
  if (!realised.empty()) rows[0].insert(rows[0].end(), {"realised", "deviation", "episodes"});
  const std::vector<std::string> others = OtherQuantities(query, model);
  for (std::size_t a = 0; a < result.answers.size(); ++a) {
    const steer::Answer& answer = result.answers[a];
    const auto add = [&](const std::string& name, double predicted, const std::string& interval,
                         double mean, double deviation) {
      Row& row = rows.emplace_back();
      if (several) row.push_back(std::to_string(a + 1));
      row.insert(row.end(), {name, Asked(query, name), Number(predicted)});
      if (calibrated) row.push_back(interval);
      if (!realised.empty()) {
        row.insert(row.end(),
                   {Number(mean), Number(deviation), std::to_string(realised[a].episodes)});
      }
    };
    for (std::size_t k = 0; k < objectives.size(); ++k) {
      add(objectives[k].name, answer.predicted[k], FormatInterval(answer.interval, k),
          realised.empty() ? 0 : realised[a].mean[k], realised.empty() ? 0 : realised[a].std[k]);
    }
    for (const std::string& text : others) {
      const auto expression = steer::QueryExpression::Parse(text, model.description, "the query");
      add(text, expression.Evaluate(answer.predicted), "",
          realised.empty() ? 0 : expression.Evaluate(realised[a].mean), std::nan(""));
    }
  }
  return FormatTable(rows);
}

std::string FormatDiagnosis(const net::Model& model, const steer::Diagnosis& diagnosis,
                            const eval::Realised* realised) {
  const steer::Answer& nearest = diagnosis.nearest;
  const bool calibrated = !nearest.interval.empty();
  Table rows = {{"nearest", "value"}};
  if (calibrated) rows[0].push_back("interval");
  if (realised != nullptr) rows[0].insert(rows[0].end(), {"realised", "deviation", "episodes"});
  for (std::size_t k = 0; k < nearest.predicted.size(); ++k) {
    rows.push_back({model.description.objectives[k].name, Number(nearest.predicted[k])});
    if (calibrated) rows.back().push_back(FormatInterval(nearest.interval, k));
    if (realised != nullptr) {
      rows.back().insert(rows.back().end(), {Number(realised->mean[k]), Number(realised->std[k]),
                                             std::to_string(realised->episodes)});
    }
  }
  std::string text = FormatTable(rows) + "requirements to relax, one at a time:\n";
  for (const steer::Relaxation& one : diagnosis.relax) {
    text += one.possible ? fmt::format("  {}: relax to {} (by {})\n", one.text, Number(one.needed),
                                       Number(one.needed - one.asked))
                         : fmt::format("  {}: relaxing it alone is not enough\n", one.text);
  }
  return text;
}

json SteerDocument(const net::Model& model, const steer::Query& query, const steer::Result& result,
                   const std::vector<eval::Realised>& realised) {
  json document = steer::ToJson(result, model.description);
  document["query"] = steer::ToJson(query);
  document["query"]["words"] = steer::Describe(query);
  if (result.answers.empty() && !realised.empty()) {
    document["infeasibility"]["realised"] = eval::ToJson(realised.front(), model.description);
    return document;
  }
  for (std::size_t a = 0; a < realised.size(); ++a) {
    document["answers"][a]["realised"] = eval::ToJson(realised[a], model.description);
  }
  return document;
}

}  // namespace rhumb::cli
