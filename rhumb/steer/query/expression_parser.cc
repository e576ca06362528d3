#include "rhumb/steer/query/expression_parser.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"
#include "rhumb/steer/query/query_text.h"

namespace rhumb::steer {
namespace {

constexpr std::string_view kForm =
    "an expression is linear in the objectives or a ratio of two linear forms";
// Tolerance for comparing coefficients, for the rounding of their sums.
constexpr double kRelativeError = 1e-9;

struct Ratio {
  LinearForm numerator;
  std::optional<LinearForm> denominator;
};

template <class Operation>
void Transform(LinearForm& form, const Operation& operation) {
  for (double& coefficient : form.coefficients) coefficient = operation(coefficient);
  form.constant = operation(form.constant);
}

void Add(LinearForm& sum, const LinearForm& term, double sign) {
  const std::size_t size = std::max(sum.coefficients.size(), term.coefficients.size());
  sum.coefficients.resize(size);
  for (std::size_t i = 0; i < term.coefficients.size(); ++i) {
    sum.coefficients[i] += sign * term.coefficients[i];
  }
  sum.constant += sign * term.constant;
}

// A recursive-descent parser. Forms cover the names seen so far.
class ExpressionParser {
 public:
  explicit ExpressionParser(QueryReader& reader) : reader_(reader), begin_(reader.Offset()) {}

  ParsedExpression TakeWhole() {
    Ratio ratio = TakeSum();
    CheckLength(reader_.Offset());
    return {std::move(names_), std::move(ratio.numerator), std::move(ratio.denominator)};
  }

 private:
  Ratio TakeSum() {
    Ratio sum = TakeProduct();
    while (true) {
      const std::size_t at = reader_.Offset();
      const char sign = reader_.TakeSign();
      if (sign == '\0') return sum;
      AddTerm(TakeProduct(), sign == '-' ? -1 : 1, at, sum);
    }
  }

  void AddTerm(const Ratio& term, double sign, std::size_t at, Ratio& sum) const {
    if (sum.denominator || term.denominator) reader_.FailAt(at, "a ratio is part of a sum");
    Add(sum.numerator, term.numerator, sign);
    CheckFinite(sum.numerator, at);
  }

  Ratio TakeProduct() {
    Ratio product{TakeFactor(), std::nullopt};
    while (true) {
      const std::size_t at = reader_.Offset();
      const bool divides = reader_.Take("/");
      if (!divides && !reader_.Take("*")) return product;
      LinearForm factor = TakeFactor();
      if (divides && !factor.IsConstant()) {
        if (product.denominator) reader_.FailAt(at, "a ratio is divided by an objective");
        product.denominator = std::move(factor);
        continue;
      }
      if (divides && factor.constant == 0) reader_.FailAt(at, "a division by zero");
      if (product.numerator.IsConstant() && !divides) std::swap(product.numerator, factor);
      if (!factor.IsConstant()) reader_.FailAt(at, "a product of objectives");
      Transform(product.numerator,
                [&](double c) { return divides ? c / factor.constant : c * factor.constant; });
      CheckFinite(product.numerator, at);
    }
  }

  LinearForm TakeFactor() {
    if (++depth_ > kMaxExpressionDepth) {
      reader_.FailAt(reader_.Offset(), "more than {} parentheses or powers inside each other",
                     kMaxExpressionDepth);
    }
    const bool is_negative = reader_.TakeSign() == '-';
    LinearForm factor = TakeOperand();
    const std::size_t at = reader_.Offset();
    if (reader_.Take("^")) {
      const LinearForm exponent = TakeFactor();
      if (!factor.IsConstant() || !exponent.IsConstant()) {
        reader_.FailAt(at, "a power of an objective");
      }
      factor = {{}, std::pow(factor.constant, exponent.constant)};
      CheckFinite(factor, at);
    }
    if (is_negative) Transform(factor, [](double c) { return -c; });
    --depth_;
    return factor;
  }

  LinearForm TakeOperand() {
    const std::size_t at = reader_.Offset();
    CheckLength(at);
    if (reader_.IsAtDigits()) return {{}, reader_.TakeDigits()};
    if (reader_.Take("(")) {
      Ratio inside = TakeSum();
      reader_.Expect(")");
      if (inside.denominator) reader_.FailAt(at, "a ratio stands in parentheses");
      return inside.numerator;
    }
    const std::string_view name = reader_.TakeName();
    if (name.empty()) reader_.FailExpecting("a number, an objective or '('");
    if (reader_.Peek() != '(') return TakeNamed(name, at);
    if (name != "sum") reader_.FailAt(at, "{} is not a function of queries", Quote(name));
    reader_.Take("(");
    Ratio sum;
    do {
      AddTerm(TakeSum(), 1, at, sum);
    } while (reader_.Take(","));
    reader_.Expect(")");
    return sum.numerator;
  }

  LinearForm TakeNamed(std::string_view text, std::size_t offset) {
    const auto found = std::find_if(names_.begin(), names_.end(),
                                    [&](const auto& name) { return name.text == text; });
    LinearForm form;
    form.coefficients.resize(static_cast<std::size_t>(found - names_.begin()) + 1);
    form.coefficients.back() = 1;
    if (found == names_.end()) names_.push_back({std::string(text), reader_.ColumnOf(offset)});
    return form;
  }

  void CheckFinite(const LinearForm& form, std::size_t at) const {
    const auto is_finite = [](double c) { return std::isfinite(c); };
    if (!is_finite(form.constant) ||
        !std::all_of(form.coefficients.begin(), form.coefficients.end(), is_finite)) {
      reader_.FailAt(at, "a coefficient is not finite");
    }
  }

  void CheckLength(std::size_t end) const {
    const std::string_view text = reader_.text().substr(begin_);
    if (core::Trim(text.substr(0, end - begin_)).size() <= kMaxExpressionLength) return;
    const std::string_view whole = core::Trim(text.substr(0, text.find_first_of("<>=[")));
    Fail("{} {} has {} characters, an expression has at most {}; {}", reader_.place(), Quote(whole),
         whole.size(), kMaxExpressionLength, reader_.form());
  }

  QueryReader& reader_;
  const std::size_t begin_;
  std::vector<ParsedExpression::Name> names_;
  int depth_ = 0;
};

// Whether a = r b for some number r, within rounding.
bool IsMultiple(const LinearForm& a, const LinearForm& b) {
  const std::size_t size = std::max(a.coefficients.size(), b.coefficients.size());
  const auto numbers_of = [&](const LinearForm& form) {
    std::vector<double> numbers = form.coefficients;
    numbers.resize(size);
    numbers.push_back(form.constant);
    return numbers;
  };
  const std::vector<double> of_a = numbers_of(a), of_b = numbers_of(b);
  const auto largest = std::max_element(
      of_b.begin(), of_b.end(), [](double x, double y) { return std::abs(x) < std::abs(y); });
  const double ratio = of_a[static_cast<std::size_t>(largest - of_b.begin())] / *largest;
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), [&](double x, double y) {
    return std::abs(x - ratio * y) <= kRelativeError * std::abs(x);
  });
}

}  // namespace

bool LinearForm::IsConstant() const {
  return std::all_of(coefficients.begin(), coefficients.end(), [](double c) { return c == 0; });
}

bool ParsedExpression::IsConstant() const {
  return denominator ? IsMultiple(numerator, *denominator) : numerator.IsConstant();
}

ParsedExpression TakeExpression(QueryReader& reader) {
  return ExpressionParser(reader).TakeWhole();
}

ParsedExpression ParseExpression(std::string_view text, std::string_view place) {
  QueryReader reader(place, text, kForm);
  if (reader.Offset() == text.size())
    Fail("{} {} names no quantity; {}", place, Quote(text), kForm);
  ParsedExpression expression = TakeExpression(reader);
  reader.ExpectEnd();
  if (expression.IsConstant()) {
    Fail("{} {} is a constant, it must depend on an objective", place, Quote(text));
  }
  return expression;
}

}  // namespace rhumb::steer
