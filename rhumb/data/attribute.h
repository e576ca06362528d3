// An attribute of an episode: sum, mean, min, max or std of an expression over its steps.
//
//   "mean(torso_height)", "max(sum_abs_action)", "sum(reward_forward - 0.1 * sum_sq_action)"
#pragma once

#include <string>
#include <string_view>

#include "rhumb/core/math/spread.h"
#include "rhumb/data/step_formula.h"

namespace rhumb::data {

// One thread at a time.
class Attribute {
 public:
  // Uses the names of StepFormula. Throws Error with the text and the place if the text is
  // malformed or a name is unknown.
  Attribute(std::string_view text, const DatasetDescription& description, std::string_view place);

  // The value for an episode of at least one step; std is the population standard deviation over
  // the steps. Throws Error if the expression is not finite in a step.
  double Compute(const Episode& episode) const;

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  double (*reduce_)(double sum, const core::RunningSpread& values);
  StepFormula formula_;
};

}  // namespace rhumb::data
