// An expression over the named values of one step.
//
//   quantities by name (x_velocity, infos_distance), obs_0 ... of the state before the action,
//   next_obs_0 ..., action_0 ..., reward (scalarised), reward_<objective>, sum_sq_action
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/math/expression.h"
#include "rhumb/data/dataset_index.h"

namespace rhumb::data {

// Reads only the values that its text names. They are float32, as in datasets, so a formula gives
// the same number on a rollout and on its recording. Movable, not copyable; one thread at a time.
class StepFormula {
 public:
  // `place` is the origin of the text. Throws Error with the nearest known name if the dataset
  // lacks a name.
  StepFormula(std::string_view text, const DatasetDescription& description, std::string_view place);

  // The episode must have the description's shape. The result may be non-finite, e.g. for a
  // logarithm of a negative number; the caller checks.
  double Evaluate(const Episode& episode, std::int64_t step) const;

  const std::string& text() const { return expression_.text(); }

 private:
  // One element of an array of the episode.
  struct Input {
    std::string name;
    std::vector<float> Episode::*values;  // [T or T + 1, columns]; null for sum_sq_action
    int row;                              // relative to the step: 0, or 1 for next_obs
    std::size_t columns, column;
  };
  static std::vector<Input> KnownInputs(const DatasetDescription& description);
  static std::vector<Input> FindInputs(std::string_view text, const DatasetDescription& description,
                                       std::string_view place);
  std::vector<core::Variable> Variables() const;

  std::vector<Input> inputs_;
  std::unique_ptr<double[]> values_;  // [inputs]; the expression keeps pointers into it
  core::Expression expression_;
};

}  // namespace rhumb::data
