#include "rhumb/steer/quantity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/expression.h"
#include "rhumb/core/text.h"
#include "rhumb/steer/query_text.h"

namespace rhumb::steer {
namespace {

// Two ways to compute a number agree to this, relative to the sizes of its terms.
constexpr double kRelativeError = 1e-9;

// c . v + c0
struct AffineForm {
  std::vector<double> coefficients;  // [K]
  double constant = 0;

  double Evaluate(std::span<const double> values) const {
    double sum = constant;
    for (std::size_t k = 0; k < coefficients.size(); ++k) sum += coefficients[k] * values[k];
    return sum;
  }
  // The sum of the terms' absolute values: the scale of rounding errors.
  double Size(std::span<const double> values) const {
    double sum = std::abs(constant);
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      sum += std::abs(coefficients[k] * values[k]);
    }
    return sum;
  }
  bool IsConstant() const {
    return std::all_of(coefficients.begin(), coefficients.end(), [](double c) { return c == 0; });
  }
};

// Where expressions are evaluated to see what they are: variables of the objectives' names, and
// fixed points of several magnitudes, relative to the objectives' ranges.
class Probe {
 public:
  explicit Probe(const std::vector<net::ModelObjective>& objectives)
      : values_(objectives.size(), 0.0) {
    for (std::size_t k = 0; k < objectives.size(); ++k) {
      variables_.push_back({objectives[k].name, &values_[k]});
      const double reach = std::max(std::abs(objectives[k].min), std::abs(objectives[k].max));
      // A power of two: coefficients come out as they were written, to the last bit.
      scales_.push_back(reach > 0 ? std::exp2(std::ceil(std::log2(reach))) : 1);
    }
    // Multiples of irrational numbers, whose fractions are spread and never equal.
    constexpr std::array<double, 6> kMagnitudes = {1, 1, 1, 0.1, 1e-3, 1e3};
    for (std::size_t i = 0; i < kMagnitudes.size(); ++i) {
      std::vector<double>& point = points_.emplace_back();
      for (std::size_t k = 0; k < scales_.size(); ++k) {
        const double spread =
            0.6180339887 * static_cast<double>(k + 1) + 0.7548776662 * static_cast<double>(i + 1);
        point.push_back(kMagnitudes[i] * scales_[k] * (2 * (spread - std::floor(spread)) - 1));
      }
    }
  }

  std::span<const core::Variable> variables() const { return variables_; }
  const std::vector<std::vector<double>>& points() const { return points_; }

  double Evaluate(const core::Expression& expression, std::span<const double> point) {
    std::copy(point.begin(), point.end(), values_.begin());
    return expression.Evaluate();
  }

  // The affine form that the expression is, or nothing.
  std::optional<AffineForm> FindAffine(const core::Expression& expression) {
    AffineForm form;
    std::vector<double> point(scales_.size(), 0.0);
    form.constant = Evaluate(expression, point);
    for (std::size_t k = 0; k < point.size(); ++k) {
      point[k] = scales_[k];
      form.coefficients.push_back((Evaluate(expression, point) - form.constant) / scales_[k]);
      point[k] = 0;
    }
    for (const std::vector<double>& other : points_) {
      const double error = std::abs(Evaluate(expression, other) - form.Evaluate(other));
      // Not so for NaN and infinities either.
      if (!(error <= kRelativeError * form.Size(other) && std::isfinite(error)))
        return std::nullopt;
    }
    return form;
  }

 private:
  std::vector<double> values_;  // what the variables refer to
  std::vector<core::Variable> variables_;
  std::vector<double> scales_;  // [K]
  std::vector<std::vector<double>> points_;
};

struct RatioText {
  std::string numerator, denominator;
};

// Splits a product into what is multiplied and what is divided by: "2*a/(b + 1)/c" becomes
// "(2)*(a)" and "((b + 1))*(c)". Nothing where the text, outside of parentheses, is not a product
// or has no '/'.
std::optional<RatioText> SplitRatio(std::string_view text) {
  RatioText ratio;
  std::size_t begin = 0;
  bool divides = false;
  const auto end_factor = [&](std::size_t end) {
    std::string& product = divides ? ratio.denominator : ratio.numerator;
    if (!product.empty()) product += '*';
    product.append("(").append(text.substr(begin, end - begin)).append(")");
    begin = end + 1;
  };
  int depth = 0;
  bool after_operand = false;  // a sign is then an operator between two terms
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(') {
      ++depth;
    } else if (c == ')') {
      if (--depth < 0) return std::nullopt;
      after_operand = true;
    } else if (depth > 0 || std::isspace(static_cast<unsigned char>(c)) != 0) {
      continue;
    } else if (is_word(static_cast<unsigned char>(c)) || c == '.') {
      // A name, or a number with what may be the sign of its exponent: on to its last character.
      const char* first = text.data() + i;
      const char* last = text.data() + text.size();
      double number = 0;
      const char* number_end = std::from_chars(first, last, number).ptr;
      const char* word_end = std::find_if_not(first, last, is_word);
      i += static_cast<std::size_t>(std::max({first + 1, number_end, word_end}) - first) - 1;
      after_operand = true;
    } else if (c == '*' || c == '/') {
      end_factor(i);
      divides = c == '/';
      after_operand = false;
    } else if (c == '^') {
      after_operand = false;
    } else if ((c != '+' && c != '-') || after_operand) {
      return std::nullopt;
    }
  }
  end_factor(text.size());
  if (ratio.denominator.empty()) return std::nullopt;
  return ratio;
}

void RefuseUnknownNames(std::string_view text, const std::vector<net::ModelObjective>& objectives,
                        std::string_view place) {
  std::vector<std::string> known;
  for (const net::ModelObjective& objective : objectives) known.push_back(objective.name);
  for (const std::string& name : core::Expression::NamesIn(text, place)) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      Fail("{}: unknown objective {} in {}{}", place, Quote(name), Quote(text),
           core::Suggestion(name, known));
    }
  }
}

// A ratio of two affine forms; where the second is 1, the first is the whole.
struct Ratio {
  AffineForm numerator;
  std::optional<AffineForm> denominator;
};

// The text as a ratio of two affine forms, or nothing.
std::optional<Ratio> FindRatio(std::string_view text, Probe& probe, std::string_view place) {
  const core::Expression whole(text, probe.variables(), place);
  if (const auto form = probe.FindAffine(whole)) return Ratio{*form, std::nullopt};
  const auto parts = SplitRatio(text);
  if (!parts) return std::nullopt;
  const auto numerator =
      probe.FindAffine(core::Expression(parts->numerator, probe.variables(), place));
  const auto denominator =
      probe.FindAffine(core::Expression(parts->denominator, probe.variables(), place));
  if (!numerator || !denominator) return std::nullopt;
  // Whatever precedences the split took for granted, the parts must give what the whole does.
  for (const std::vector<double>& point : probe.points()) {
    const double divisor = denominator->Evaluate(point);
    // Near a zero of the denominator rounding decides.
    if (std::abs(divisor) < 1e-6 * denominator->Size(point)) continue;
    const double error =
        std::abs(probe.Evaluate(whole, point) - numerator->Evaluate(point) / divisor);
    if (!(error <= kRelativeError * numerator->Size(point) / std::abs(divisor))) {
      return std::nullopt;
    }
  }
  return Ratio{*numerator, *denominator};
}

// a = r b for a number r, to rounding.
bool IsMultiple(const AffineForm& a, const AffineForm& b) {
  std::vector<double> of_a = a.coefficients;
  std::vector<double> of_b = b.coefficients;
  of_a.push_back(a.constant);
  of_b.push_back(b.constant);
  const auto largest = std::max_element(
      of_b.begin(), of_b.end(), [](double x, double y) { return std::abs(x) < std::abs(y); });
  const double ratio = of_a[static_cast<std::size_t>(largest - of_b.begin())] / *largest;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const double error = std::abs(of_a[i] - ratio * of_b[i]);
    if (error > kRelativeError * std::abs(of_a[i])) return false;
  }
  return true;
}

void CheckNeverZero(const AffineForm& denominator, std::string_view text,
                    const std::vector<net::ModelObjective>& objectives, std::string_view place) {
  // A linear form takes its extremes where every objective takes one of its own.
  double low = denominator.constant;
  double high = denominator.constant;
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    const double at_min = denominator.coefficients[k] * objectives[k].min;
    const double at_max = denominator.coefficients[k] * objectives[k].max;
    low += std::min(at_min, at_max);
    high += std::max(at_min, at_max);
  }
  if (!(low > 0 || high < 0)) {
    Fail(
        "{}: the denominator of {} can be zero: it goes from {:.6g} to {:.6g} over the ranges of "
        "the objectives in the training data",
        place, Quote(text), low, high);
  }
}

double AddProducts(double sum, std::span<const double> a, std::span<const double> b) {
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

double Quantity::Evaluate(std::span<const double> values) const {
  const double above = AddProducts(numerator_constant, numerator, values);
  if (denominator.empty()) return above;
  const double below = AddProducts(denominator_constant, denominator, values);
  return below > 0 ? above / below : std::nan("");
}

void Quantity::AddGradient(std::span<const double> values, double weight,
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

Quantity Quantity::Parse(std::string_view text, const net::ModelDescription& model,
                         std::string_view place) {
  text = Trim(text);
  if (text.size() > kMaxQuantityLength) {
    Fail("{}: {} has {} characters, a quantity has at most {}", place, Quote(text), text.size(),
         kMaxQuantityLength);
  }
  RefuseUnknownNames(text, model.objectives, place);
  Probe probe(model.objectives);
  const auto ratio = FindRatio(text, probe, place);
  if (!ratio) {
    Fail(
        "{}: {} is neither linear in the objectives nor a ratio of two linear forms, with finite "
        "coefficients",
        place, Quote(text));
  }
  const auto& [numerator, denominator] = *ratio;
  if (denominator ? IsMultiple(numerator, *denominator) : numerator.IsConstant()) {
    Fail("{}: {} is a constant, it must depend on an objective", place, Quote(text));
  }
  Quantity quantity;
  quantity.text = text;
  quantity.numerator = numerator.coefficients;
  quantity.numerator_constant = numerator.constant;
  if (denominator) {
    CheckNeverZero(*denominator, text, model.objectives, place);
    quantity.denominator = denominator->coefficients;
    quantity.denominator_constant = denominator->constant;
    std::vector<double> middle;
    for (const auto& objective : model.objectives) {
      middle.push_back((objective.min + objective.max) / 2);
    }
    if (denominator->Evaluate(middle) < 0) {
      for (std::vector<double>* form : {&quantity.numerator, &quantity.denominator}) {
        for (double& coefficient : *form) coefficient = -coefficient;
      }
      quantity.numerator_constant = -quantity.numerator_constant;
      quantity.denominator_constant = -quantity.denominator_constant;
    }
  }
  return quantity;
}

}  // namespace rhumb::steer
