// A number of a whole episode: sum, mean, min, max or std of an expression over its steps.
//
//   "mean(torso_height)", "max(sum_abs_action)", "sum(reward_forward - 0.1 * sum_sq_action)"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/data/dataset_index.h"
#include "rhumb/data/step_formula.h"

namespace rhumb::data {

// Fed one step after the other, from a recording or from a roll-out. One thread at a time.
class Attribute {
 public:
  // The names are those of StepFormula. A text of another form, and an unknown name, are Errors
  // that quote the text and the place.
  Attribute(std::string_view text, const DatasetDescription& description, std::string_view place);

  // Begins the next episode.
  void Start();
  // An expression that gives no finite number is an Error.
  void AddStep(const StepView& step);
  // After at least one step. The std is over the steps, divided by their number.
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
  std::int64_t steps_ = 0;
  double sum_ = 0, min_ = 0, max_ = 0;
  double mean_ = 0, squares_ = 0;  // squared deviations from the mean
};

double ComputeAttribute(Attribute& attribute, const Episode& episode, const StepShape& shape);

}  // namespace rhumb::data
