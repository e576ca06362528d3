// An attribute of an episode: sum, mean, min, max or std of an expression over its steps.
//
//   "mean(torso_height)", "max(sum_abs_action)", "sum(reward_forward - 0.1 * sum_sq_action)"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/math/spread.h"
#include "rhumb/data/dataset_index.h"
#include "rhumb/data/step_formula.h"

namespace rhumb::data {

// Accumulates the steps of a recording or a rollout, one by one. One thread at a time.
class Attribute {
 public:
  // Uses the names of StepFormula. Throws Error with the text and the place if the text is
  // malformed or a name is unknown.
  Attribute(std::string_view text, const DatasetDescription& description, std::string_view place);

  // Begins the next episode.
  void Start();
  // Throws Error if the expression's value is not finite.
  void AddStep(const StepView& step);
  // Requires at least one step. The std is the population standard deviation over the steps.
  double value() const;

  const std::string& text() const { return text_; }

 private:
  enum class Kind { kSum, kMean, kMin, kMax, kStd };
  struct Parts {
    Kind kind;
    std::string expression;
  };
  static Parts Parse(std::string_view text, std::string_view place);
  Attribute(std::string_view text, const Parts& parts, const DatasetDescription& description,
            std::string_view place);

  std::string text_;
  Kind kind_;
  StepFormula formula_;
  double sum_ = 0;
  core::RunningSpread values_;
};

double ComputeAttribute(Attribute& attribute, const Episode& episode, const StepShape& shape);

}  // namespace rhumb::data
