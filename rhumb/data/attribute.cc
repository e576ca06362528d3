#include "rhumb/data/attribute.h"

#include <cmath>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"

namespace rhumb::data {
namespace {

using Values = core::RunningSpread;

struct Reduction {
  const char* name;
  double (*apply)(double sum, const Values& values);
};
constexpr Reduction kReductions[] = {
    {"sum", [](double sum, const Values&) { return sum; }},
    {"mean",
     [](double sum, const Values& values) { return sum / static_cast<double>(values.count()); }},
    {"min", [](double, const Values& values) { return values.spread().min; }},
    {"max", [](double, const Values& values) { return values.spread().max; }},
    {"std", [](double, const Values& values) { return values.spread().std; }},
};

// Position of the parenthesis that closes the one at `open`; npos if there is none.
std::size_t FindClosing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return text.npos;
}

auto FindReduction(std::string_view text, std::string_view place) {
  const std::size_t open = text.find('(');
  if (open == text.npos || FindClosing(text, open) != text.size() - 1) {
    Fail(
        "{}: '{}' is not an attribute; apply sum, mean, min, max or std to an expression, as in "
        "mean(torso_height)",
        place, text);
  }
  const std::string_view name = core::Trim(text.substr(0, open));
  const std::string complaint = fmt::format("{}: unknown '{}' in '{}'", place, name, text);
  return kReductions[core::FindNamed(kReductions, name, complaint)].apply;
}

std::string_view InsideParentheses(std::string_view text) {
  const std::size_t begin = text.find('(') + 1;
  return core::Trim(text.substr(begin, text.size() - 1 - begin));
}

}  // namespace

Attribute::Attribute(std::string_view text, const DatasetDescription& description,
                     std::string_view place)
    : text_(core::Trim(text)),
      reduce_(FindReduction(text_, place)),
      formula_(InsideParentheses(text_), description, place) {}

double Attribute::Compute(const Episode& episode) const {
  RHUMB_CHECK(episode.steps() > 0, "attribute '{}' has no steps", text_);
  double sum = 0;
  Values values;
  for (std::int64_t t = 0; t < episode.steps(); ++t) {
    const double value = formula_.Evaluate(episode, t);
    if (!std::isfinite(value)) {
      Fail("attribute '{}' is not finite in step {} of an episode", text_, t);
    }
    sum += value;
    values.Add(value);
  }
  return reduce_(sum, values);
}

}  // namespace rhumb::data
