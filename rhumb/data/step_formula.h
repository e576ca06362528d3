// An expression over the named values of one step.
//
//   quantities by name (x_velocity, infos_distance), obs_0 ... of the state before the action,
//   next_obs_0 ..., action_0 ..., reward (scalarised), reward_<objective>, sum_sq_action
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/math/expression.h"
#include "rhumb/data/dataset_index.h"

namespace rhumb::data {

// One step of an episode. The views are float32, as in datasets, so a formula gives the same number
// on a rollout and on its recording.
struct StepView {
  std::span<const float> observation;       // [O]
  std::span<const float> next_observation;  // [O]
  std::span<const float> action;            // [A], environment units
  std::span<const float> vector_reward;     // [K]
  std::span<const float> quantities;        // [Q]
  float reward = 0;
};

StepView ViewStep(const Episode& episode, const StepShape& shape, std::int64_t step);

// Reads only the values that its text names. Movable, not copyable; one thread at a time.
class StepFormula {
 public:
  // `place` is the origin of the text. Throws Error with the nearest known name if the dataset
  // lacks a name.
  StepFormula(std::string_view text, const DatasetDescription& description, std::string_view place);

  // The result may be non-finite, e.g. for a logarithm of a negative number; the caller checks.
  double Evaluate(const StepView& step) const;

  const std::string& text() const { return expression_.text(); }

 private:
  enum class Source {
    kQuantity,
    kObservation,
    kNextObservation,
    kAction,
    kVectorReward,
    kReward,
    kSumSquaredAction
  };
  struct Input {
    std::string name;
    Source source;
    std::size_t index;
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
