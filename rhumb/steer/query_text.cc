#include "rhumb/steer/query_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "rhumb/core/error.h"

namespace rhumb::steer {
namespace {

constexpr std::string_view kTargetForm =
    "expected EXPR = NUMBER or EXPR = NUMBER +- TOLERANCE; bounds are requirements";
constexpr std::string_view kRequirementForm =
    "expected EXPR >= NUMBER, EXPR <= NUMBER, NUMBER <= EXPR <= NUMBER, EXPR in [LOW, HIGH], EXPR "
    "= "
    "NUMBER +- TOLERANCE or EXPR >= EXPR";
constexpr std::string_view kChangeForm = "expected NAME +10%, NAME -20%, NAME +0.5 or NAME *0.8 +5";

// What is being read, for messages.
struct Source {
  std::string_view kind;
  std::string_view text;
  std::string_view form;
};

template <class... Args>
[[noreturn]] void FailForm(const Source& source, fmt::format_string<Args...> problem,
                           Args&&... args) {
  Fail("{} {} {}; {}", source.kind, Quote(source.text),
       fmt::format(problem, std::forward<Args>(args)...), source.form);
}

// '±' is another way to write '+-'.
std::string ReplaceSigns(std::string_view text) {
  constexpr std::string_view kPlusMinus = "\xc2\xb1";
  std::string plain;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(kPlusMinus, begin), text.size());
    plain += text.substr(begin, end - begin);
    if (end < text.size()) plain += "+-";
    begin = end + kPlusMinus.size();
  }
  return plain;
}

// The number that the text is, as "nan" and "inf" too are, or nothing. What double precision does
// not hold is NaN.
std::optional<double> AsNumber(std::string_view text) {
  text = Trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc() ? number : std::nan("");
}

double CheckFinite(double number, std::string_view written, const Source& source) {
  if (!std::isfinite(number)) {
    FailForm(source, "has {}, not a finite number in double precision", Quote(Trim(written)));
  }
  return number;
}

double ParseNumber(std::string_view written, const Source& source) {
  const std::optional<double> number = AsNumber(written);
  if (!number) FailForm(source, "has {} for a number", Quote(Trim(written)));
  return CheckFinite(*number, written, source);
}

std::string ParseQuantity(std::string_view written, const Source& source) {
  written = Trim(written);
  if (written.empty()) FailForm(source, "names no quantity");
  if (AsNumber(written)) {
    FailForm(source, "has the number {} in the place of a quantity", Quote(written));
  }
  return std::string(written);
}

// "a <= b <= c": sides a, b, c; signs '<', '<'.
struct Relations {
  std::vector<std::string_view> sides;
  std::string signs;  // of '<', '>', '='
};

Relations SplitRelations(std::string_view text) {
  constexpr std::string_view kSigns = "<>=";
  Relations relations;
  std::size_t begin = 0;
  for (std::size_t i = text.find_first_of(kSigns); i != text.npos;
       i = text.find_first_of(kSigns, begin)) {
    relations.sides.push_back(Trim(text.substr(begin, i - begin)));
    relations.signs.push_back(text[i]);
    begin = i + (i + 1 < text.size() && text[i + 1] == '=' ? 2 : 1);
  }
  relations.sides.push_back(Trim(text.substr(begin)));
  return relations;
}

// "6000 +- 50": the number, and a tolerance that is 0 where none is written.
struct Toleranced {
  double value = 0;
  double tolerance = 0;
};

Toleranced ParseToleranced(std::string_view written, const Source& source) {
  const std::size_t sign = written.find("+-");
  Toleranced result{ParseNumber(written.substr(0, sign), source), 0};
  if (sign == written.npos) return result;
  result.tolerance = ParseNumber(written.substr(sign + 2), source);
  if (result.tolerance <= 0) {
    FailForm(source, "has the tolerance {}, it must be above 0", result.tolerance);
  }
  return result;
}

// Of a side of an inequality. "3 +- 1" would otherwise pass for the sum of 3 and -1.
void RefuseTolerance(std::string_view side, const Source& source) {
  const std::size_t sign = side.find("+-");
  if (sign != side.npos && AsNumber(side.substr(0, sign)) && AsNumber(side.substr(sign + 2))) {
    FailForm(source, "has a tolerance, which goes with '=' only");
  }
}

// "EXPR in [LOW, HIGH]"; nothing where the text has another form.
std::optional<Requirement> ParseRange(std::string_view text, const Source& source) {
  const std::size_t open = text.rfind('[');
  if (open == text.npos || text.back() != ']') return std::nullopt;
  std::string_view before = Trim(text.substr(0, open));
  if (!before.ends_with("in")) return std::nullopt;
  before.remove_suffix(2);
  const bool ends_word = before.ends_with(')') || before.size() > Trim(before).size();
  if (!ends_word) return std::nullopt;
  const std::string_view bounds = text.substr(open + 1, text.size() - open - 2);
  const std::size_t comma = bounds.find(',');
  if (comma == bounds.npos) FailForm(source, "has no ',' between its bounds");
  if (SplitRelations(before).sides.size() > 1) FailForm(source, "has two relations");
  return Requirement{ParseQuantity(before, source), ParseNumber(bounds.substr(0, comma), source),
                     ParseNumber(bounds.substr(comma + 1), source)};
}

Requirement ParseEquality(const Relations& relations, const Source& source) {
  const auto [value, tolerance] = ParseToleranced(relations.sides[1], source);
  if (tolerance == 0) FailForm(source, "is an equality without a tolerance");
  return {ParseQuantity(relations.sides[0], source),
          CheckFinite(value - tolerance, relations.sides[1], source),
          CheckFinite(value + tolerance, relations.sides[1], source)};
}

Requirement ParseInequality(const Relations& relations, const Source& source) {
  for (const std::string_view side : relations.sides) RefuseTolerance(side, source);
  const std::string_view left = relations.sides[0];
  const std::string_view right = relations.sides[1];
  const bool rises = relations.signs[0] == '<';
  if (AsNumber(left)) {
    const double bound = ParseNumber(left, source);
    Requirement requirement{ParseQuantity(right, source)};
    (rises ? requirement.low : requirement.high) = bound;
    return requirement;
  }
  Requirement requirement{ParseQuantity(left, source)};
  double bound = 0;
  if (AsNumber(right)) {
    bound = ParseNumber(right, source);
  } else {
    requirement.quantity = fmt::format("({}) - ({})", left, ParseQuantity(right, source));
  }
  (rises ? requirement.high : requirement.low) = bound;
  return requirement;
}

Requirement ParseChain(const Relations& relations, const Source& source) {
  if (relations.signs[0] != relations.signs[1] || relations.signs[0] == '=') {
    FailForm(source, "has two relations that do not go together");
  }
  const double first = ParseNumber(relations.sides[0], source);
  const double last = ParseNumber(relations.sides[2], source);
  const bool rises = relations.signs[0] == '<';
  return {ParseQuantity(relations.sides[1], source), rises ? first : last, rises ? last : first};
}

// Takes the number that `rest` begins with off it; it has no sign unless `may_be_negative`.
double TakeNumber(std::string_view& rest, bool may_be_negative, const Source& source) {
  rest = Trim(rest);
  double number = 0;
  const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error == std::errc::invalid_argument || (!may_be_negative && rest.front() == '-')) {
    FailForm(source, "has no number where one is expected");
  }
  const auto length = static_cast<std::size_t>(stop - rest.data());
  const std::string_view written = rest.substr(0, length);
  rest = Trim(rest.substr(length));
  return CheckFinite(error == std::errc() ? number : std::nan(""), written, source);
}

// The shortest percentage that gives the factor to the last bit, or "" where there is none.
std::string PercentageOf(double factor) {
  for (int digits = 1; digits <= 17; ++digits) {
    const std::optional<double> percentage =
        AsNumber(fmt::format("{:.{}g}", (factor - 1) * 100, digits));
    if (percentage && 1 + *percentage / 100 == factor) return fmt::format("{:+}%", *percentage);
  }
  return "";
}

}  // namespace

Target ParseTarget(std::string_view text) {
  const Source source{"target", text, kTargetForm};
  const std::string plain = ReplaceSigns(text);
  const Relations relations = SplitRelations(plain);
  if (relations.signs != "=") FailForm(source, "is not an equality");
  const auto [value, tolerance] = ParseToleranced(relations.sides[1], source);
  return {ParseQuantity(relations.sides[0], source), value, tolerance};
}

Requirement ParseRequirement(std::string_view text) {
  const Source source{"requirement", text, kRequirementForm};
  const std::string plain = ReplaceSigns(Trim(text));
  if (const auto range = ParseRange(plain, source)) return *range;
  const Relations relations = SplitRelations(plain);
  if (relations.signs.empty()) FailForm(source, "has no relation");
  if (relations.signs == "=") return ParseEquality(relations, source);
  if (relations.signs.size() == 1) return ParseInequality(relations, source);
  if (relations.signs.size() == 2) return ParseChain(relations, source);
  FailForm(source, "has {} relations", relations.signs.size());
}

Change ParseChange(std::string_view text) {
  const Source source{"change", text, kChangeForm};
  std::string_view rest = Trim(text);
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  const auto name_end = std::find_if_not(rest.begin(), rest.end(), is_word);
  const auto name_size = static_cast<std::size_t>(name_end - rest.begin());
  Change change{ParseQuantity(rest.substr(0, name_size), source)};
  rest = Trim(rest.substr(name_size));
  const bool scales = rest.starts_with('*');
  if (scales) {
    rest.remove_prefix(1);
    change.factor = TakeNumber(rest, true, source);
    if (rest.empty()) return change;
  }
  if (!rest.starts_with('+') && !rest.starts_with('-')) {
    FailForm(source, "does not say by how much");
  }
  const double sign = rest.front() == '-' ? -1 : 1;
  rest.remove_prefix(1);
  const double amount = sign * TakeNumber(rest, false, source);
  if (rest == "%" && !scales) {
    change.factor = 1 + amount / 100;
  } else if (rest.empty()) {
    change.offset = amount;
  } else {
    FailForm(source, "goes on with {}", Quote(rest));
  }
  return change;
}

std::string TextOf(const Target& target) {
  if (target.tolerance == 0) return fmt::format("{} = {}", target.quantity, target.value);
  return fmt::format("{} = {} +- {}", target.quantity, target.value, target.tolerance);
}

std::string TextOf(const Requirement& requirement) {
  const auto& [quantity, low, high] = requirement;
  if (high == kUnbounded) return fmt::format("{} >= {}", quantity, low);
  if (low == -kUnbounded) return fmt::format("{} <= {}", quantity, high);
  return fmt::format("{} in [{}, {}]", quantity, low, high);
}

std::string TextOf(const Change& change) {
  return fmt::format("{} {}", change.quantity, AmountOf(change));
}

std::string AmountOf(const Change& change) {
  if (change.factor == 1 && change.offset != 0) return fmt::format("{:+}", change.offset);
  const std::string percentage = change.offset == 0 ? PercentageOf(change.factor) : "";
  if (!percentage.empty()) return percentage;
  return fmt::format("*{} {:+}", change.factor, change.offset);
}

std::string Quote(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return fmt::format("'{}'", text);
  std::size_t end = kLongest - 3;
  // Not in the middle of a character of several bytes.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return fmt::format("'{}...'", text.substr(0, end));
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

}  // namespace rhumb::steer
