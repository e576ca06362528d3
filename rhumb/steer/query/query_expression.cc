#include "rhumb/steer/query/query_expression.h"

#include <algorithm>
#include <cmath>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"
#include "rhumb/steer/query/expression_parser.h"
#include "rhumb/steer/query/query_text.h"

namespace rhumb::steer {
namespace {

using Objectives = std::vector<net::ModelObjective>;

// Returns the index of each name's objective.
std::vector<std::size_t> FindObjectives(const ParsedExpression& parsed,
                                        const Objectives& objectives, std::string_view text,
                                        std::string_view place) {
  const std::vector<std::string> known = core::NamesOf(objectives);
  std::vector<std::size_t> indices;
  for (const auto& [name, column] : parsed.names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      FailAtColumn(
          place, text, column,
          fmt::format("unknown objective {}{}", Quote(name), core::Suggestion(name, known)));
    }
    indices.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  return indices;
}

// Returns coefficients [K] by objective, from those by name.
std::vector<double> Spread(const LinearForm& form, const std::vector<std::size_t>& indices,
                           std::size_t count) {
  std::vector<double> coefficients(count, 0.0);
  for (std::size_t i = 0; i < form.coefficients.size(); ++i) {
    coefficients[indices[i]] = form.coefficients[i];
  }
  return coefficients;
}

// The smallest and largest value of a linear form over the objectives' ranges. Both occur where
// every objective is at an end of its range. Throws Error if one is not finite.
struct Extremes {
  double low = 0, high = 0;
};

Extremes FindExtremes(std::span<const double> coefficients, double constant,
                      const Objectives& objectives, std::string_view text, std::string_view place) {
  Extremes extremes{constant, constant};
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    const double at_min = coefficients[k] * objectives[k].min;
    const double at_max = coefficients[k] * objectives[k].max;
    extremes.low += std::min(at_min, at_max);
    extremes.high += std::max(at_min, at_max);
  }
  if (!std::isfinite(extremes.low) || !std::isfinite(extremes.high)) {
    Fail("{} {} is not finite over the ranges of the objectives in the training data", place,
         Quote(text));
  }
  return extremes;
}

double AddProducts(double sum, std::span<const double> a, std::span<const double> b) {
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

double QueryExpression::Evaluate(std::span<const double> values) const {
  const double above = AddProducts(numerator_constant, numerator, values);
  if (denominator.empty()) return above;
  const double below = AddProducts(denominator_constant, denominator, values);
  return below > 0 ? above / below : std::nan("");
}

void QueryExpression::AddGradient(std::span<const double> values, double weight,
                                  std::span<double> gradient) const {
  if (denominator.empty()) {
    for (std::size_t k = 0; k < numerator.size(); ++k) gradient[k] += weight * numerator[k];
    return;
  }
  // d(N / D) = (dN - q dD) / D
  const double below = AddProducts(denominator_constant, denominator, values);
  const double quotient = AddProducts(numerator_constant, numerator, values) / below;
  for (std::size_t k = 0; k < numerator.size(); ++k) {
    gradient[k] += weight * (numerator[k] - quotient * denominator[k]) / below;
  }
}

QueryExpression QueryExpression::Parse(std::string_view text, const net::ModelDescription& model,
                                       std::string_view place) {
  text = core::Trim(text);
  const ParsedExpression parsed = ParseExpression(text, place);
  const std::vector<std::size_t> indices = FindObjectives(parsed, model.objectives, text, place);
  QueryExpression expression;
  expression.text = text;
  expression.numerator = Spread(parsed.numerator, indices, model.objectives.size());
  expression.numerator_constant = parsed.numerator.constant;
  FindExtremes(expression.numerator, expression.numerator_constant, model.objectives, text, place);
  if (!parsed.denominator) return expression;

  expression.denominator = Spread(*parsed.denominator, indices, model.objectives.size());
  expression.denominator_constant = parsed.denominator->constant;
  const Extremes below = FindExtremes(expression.denominator, expression.denominator_constant,
                                      model.objectives, text, place);
  if (!(below.low > 0 || below.high < 0)) {
    Fail(
        "{} {} has a denominator that can be zero: it goes from {:.6g} to {:.6g} over the ranges "
        "of the objectives in the training data",
        place, Quote(text), below.low, below.high);
  }
  if (below.high > 0) return expression;
  for (std::vector<double>* form : {&expression.numerator, &expression.denominator}) {
    for (double& coefficient : *form) coefficient = -coefficient;
  }
  expression.numerator_constant = -expression.numerator_constant;
  expression.denominator_constant = -expression.denominator_constant;
  return expression;
}

}  // namespace rhumb::steer
