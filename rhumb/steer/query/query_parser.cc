#include "rhumb/steer/query/query_parser.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "rhumb/core/text.h"
#include "rhumb/steer/query/expression_parser.h"
#include "rhumb/steer/query/query_reader.h"
#include "rhumb/steer/query/query_text.h"

namespace rhumb::steer {
namespace {

constexpr std::string_view kTargetForm =
    "expected EXPR = NUMBER or EXPR = NUMBER +- TOLERANCE; bounds are requirements";
constexpr std::string_view kRequirementForm =
    "expected EXPR >= NUMBER, EXPR <= NUMBER, NUMBER <= EXPR <= NUMBER, EXPR in [LOW, HIGH], EXPR "
    "= NUMBER +- TOLERANCE or EXPR >= EXPR";
constexpr std::string_view kChangeForm = "expected NAME +10%, NAME -20%, NAME +0.5 or NAME *0.8 +5";

// One side of a relation.
struct Side {
  std::size_t offset = 0;
  std::string_view text;
  std::optional<double> number;  // set for a lone number
  ParsedExpression expression;   // set otherwise
};

// Takes a lone number, followed by a relation, a tolerance, a range or the end.
std::optional<double> TakeLoneNumber(QueryReader& reader) {
  const std::size_t begin = reader.Offset();
  reader.TakeSign();
  const bool is_number = reader.IsAtDigits();
  reader.Rewind(begin);
  if (!is_number) return std::nullopt;
  const double number = reader.TakeNumber();
  const std::size_t end = reader.Offset();
  const bool is_lone = end == reader.text().size() || reader.TakeRelation() != '\0' ||
                       reader.TakePlusMinus() || reader.IsAt("in");
  reader.Rewind(is_lone ? end : begin);
  return is_lone ? std::optional(number) : std::nullopt;
}

Side TakeSide(QueryReader& reader) {
  Side side;
  side.offset = reader.Offset();
  if (std::string_view("<>=").find(reader.Peek()) != std::string_view::npos ||
      side.offset == reader.text().size()) {
    reader.FailAt(side.offset, "names no quantity");
  }
  side.number = TakeLoneNumber(reader);
  if (!side.number) side.expression = TakeExpression(reader);
  side.text = core::Trim(reader.text().substr(side.offset, reader.Offset() - side.offset));
  return side;
}

std::string QuantityOf(const Side& side, const QueryReader& reader) {
  if (side.number) {
    reader.FailAt(side.offset, "expected a quantity, found the number {}", Quote(side.text));
  }
  if (side.expression.IsConstant()) {
    reader.FailAt(side.offset, "{} is a constant, it must depend on an objective",
                  Quote(side.text));
  }
  return std::string(side.text);
}

double NumberOf(const Side& side, const QueryReader& reader) {
  if (!side.number) reader.FailAt(side.offset, "expected a number, found {}", Quote(side.text));
  return *side.number;
}

// Returns 0 if no tolerance is written.
double TakeTolerance(QueryReader& reader) {
  if (!reader.TakePlusMinus()) return 0;
  const std::size_t at = reader.Offset();
  const double tolerance = reader.TakeNumber();
  if (tolerance <= 0) reader.FailAt(at, "the tolerance {} must be above 0", tolerance);
  return tolerance;
}

// After "EXPR in".
Requirement TakeRange(const Side& side, QueryReader& reader) {
  Requirement requirement{QuantityOf(side, reader)};
  reader.Expect("[");
  requirement.low = reader.TakeNumber();
  reader.Expect(",");
  requirement.high = reader.TakeNumber();
  reader.Expect("]");
  return requirement;
}

// After "EXPR =".
Requirement TakeEquality(const Side& side, QueryReader& reader) {
  Requirement requirement{QuantityOf(side, reader)};
  const std::size_t at = reader.Offset();
  const double value = reader.TakeNumber();
  const double tolerance = TakeTolerance(reader);
  if (tolerance == 0) reader.FailAt(reader.Offset(), "an equality needs a tolerance");
  requirement.low = value - tolerance;
  requirement.high = value + tolerance;
  if (!std::isfinite(requirement.low) || !std::isfinite(requirement.high)) {
    reader.FailAt(at, "a bound is not a finite number in double precision");
  }
  return requirement;
}

Requirement MakeInequality(const Side& left, bool rises, const Side& right,
                           const QueryReader& reader) {
  if (left.number) {
    Requirement requirement{QuantityOf(right, reader)};
    (rises ? requirement.low : requirement.high) = *left.number;
    return requirement;
  }
  Requirement requirement;
  if (right.number) {
    requirement.quantity = QuantityOf(left, reader);
  } else {
    for (const Side* side : {&left, &right}) {
      if (side->expression.denominator) {
        reader.FailAt(side->offset, "a ratio is compared with an expression");
      }
    }
    requirement.quantity = fmt::format("({}) - ({})", left.text, right.text);
    ParseExpression(requirement.quantity, reader.place());
  }
  (rises ? requirement.high : requirement.low) = right.number.value_or(0);
  return requirement;
}

// After "NUMBER <= EXPR", at the second relation.
Requirement TakeChain(const Side& first, char relation, const Side& middle, QueryReader& reader) {
  const std::size_t at = reader.Offset();
  if (reader.TakeRelation() != relation) reader.FailAt(at, "the two relations differ in direction");
  const double low = NumberOf(first, reader);
  Requirement requirement{QuantityOf(middle, reader), low, reader.TakeNumber()};
  if (relation == '>') std::swap(requirement.low, requirement.high);
  return requirement;
}

Requirement TakeRequirement(QueryReader& reader) {
  const Side first = TakeSide(reader);
  if (reader.Take("in")) return TakeRange(first, reader);
  const char relation = reader.TakeRelation();
  if (relation == '\0') reader.FailExpecting("a relation");
  if (relation == '=') return TakeEquality(first, reader);
  const Side second = TakeSide(reader);
  const std::size_t end = reader.Offset();
  if (reader.TakePlusMinus()) reader.FailAt(end, "only '=' takes a tolerance");
  const bool is_chain = reader.TakeRelation() != '\0';
  reader.Rewind(end);
  return is_chain ? TakeChain(first, relation, second, reader)
                  : MakeInequality(first, relation == '<', second, reader);
}

}  // namespace

Target ParseTarget(std::string_view text) {
  QueryReader reader("target", text, kTargetForm);
  const Side side = TakeSide(reader);
  const std::size_t at = reader.Offset();
  if (reader.TakeRelation() != '=') {
    reader.Rewind(at);
    reader.FailExpecting("'='");
  }
  Target target{QuantityOf(side, reader), reader.TakeNumber(), 0};
  target.tolerance = TakeTolerance(reader);
  reader.ExpectEnd();
  return target;
}

Requirement ParseRequirement(std::string_view text) {
  QueryReader reader("requirement", text, kRequirementForm);
  Requirement requirement = TakeRequirement(reader);
  reader.ExpectEnd();
  return requirement;
}

Change ParseChange(std::string_view text) {
  QueryReader reader("change", text, kChangeForm);
  Change change{std::string(reader.TakeName())};
  if (change.quantity.empty()) reader.FailAt(reader.Offset(), "names no quantity");
  const bool scales = reader.Take("*");
  if (scales) change.factor = reader.TakeNumber();
  if (scales && reader.Offset() == text.size()) return change;
  const char sign = reader.TakeSign();
  if (sign == '\0') reader.FailExpecting(scales ? "'+', '-' or the end" : "'+', '-' or '*'");
  const double amount = sign == '-' ? -reader.TakeDigits() : reader.TakeDigits();
  if (!scales && reader.Take("%")) {
    change.factor = 1 + amount / 100;
  } else {
    change.offset = amount;
  }
  reader.ExpectEnd();
  return change;
}

}  // namespace rhumb::steer
