#include "rhumb/data/attribute.h"

#include <algorithm>
#include <cmath>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"

namespace rhumb::data {
namespace {

// Position of the parenthesis that closes the one at `open`; npos if there is none.
std::size_t FindClosing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return text.npos;
}

}  // namespace

Attribute::Parts Attribute::Parse(std::string_view text, std::string_view place) {
  static const std::vector<std::string> kNames = {"sum", "mean", "min", "max", "std"};
  const std::string_view trimmed = core::Trim(text);
  const std::size_t open = trimmed.find('(');
  if (open == trimmed.npos || FindClosing(trimmed, open) != trimmed.size() - 1) {
    Fail(
        "{}: '{}' is not an attribute; apply sum, mean, min, max or std to an expression, as in "
        "mean(torso_height)",
        place, text);
  }
  const std::string name(core::Trim(trimmed.substr(0, open)));
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    Fail("{}: unknown '{}' in '{}'{}", place, name, text, core::Suggestion(name, kNames));
  }
  const std::string_view inside = trimmed.substr(open + 1, trimmed.size() - open - 2);
  return {static_cast<Kind>(found - kNames.begin()), std::string(core::Trim(inside))};
}

Attribute::Attribute(std::string_view text, const DatasetDescription& description,
                     std::string_view place)
    : Attribute(text, Parse(text, place), description, place) {}

Attribute::Attribute(std::string_view text, const Parts& parts,
                     const DatasetDescription& description, std::string_view place)
    : text_(core::Trim(text)), kind_(parts.kind), formula_(parts.expression, description, place) {}

void Attribute::Start() {
  sum_ = 0;
  values_ = {};
}

void Attribute::AddStep(const StepView& step) {
  const double value = formula_.Evaluate(step);
  if (!std::isfinite(value)) {
    Fail("attribute '{}' gives no finite number in step {} of an episode", text_, values_.count());
  }
  sum_ += value;
  values_.Add(value);
}

double Attribute::value() const {
  RHUMB_CHECK(values_.count() > 0, "attribute '{}' has no steps", text_);
  switch (kind_) {
    case Kind::kSum:
      return sum_;
    case Kind::kMean:
      return sum_ / static_cast<double>(values_.count());
    case Kind::kMin:
      return values_.spread().min;
    case Kind::kMax:
      return values_.spread().max;
    case Kind::kStd:
      return values_.spread().std;
  }
  RHUMB_CHECK(false, "unknown kind of attribute");
}

double ComputeAttribute(Attribute& attribute, const Episode& episode, const StepShape& shape) {
  attribute.Start();
  for (std::int64_t t = 0; t < episode.steps(); ++t) {
    attribute.AddStep(ViewStep(episode, shape, t));
  }
  return attribute.value();
}

}  // namespace rhumb::data
