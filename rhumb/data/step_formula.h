// An expression over the named numbers of one step.
//
//   quantities by their names (x_velocity, infos_distance), obs_0 ... of the state acted in,
//   next_obs_0 ..., action_0 ..., reward (scalarised), reward_<objective>, sum_sq_action
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rhumb/core/expression.h"
#include "rhumb/data/dataset_index.h"

namespace rhumb::data {

// One step of an episode; views into arrays of float32, as datasets hold them, so that a formula
// gives the same number on a roll-out as on its recording.
struct StepView {
  std::span<const float> observation;       // [O]
  std::span<const float> next_observation;  // [O]
  std::span<const float> action;            // [A], environment units
  std::span<const float> vector_reward;     // [K]
  std::span<const float> quantities;        // [Q]
  float reward = 0;
};

StepView ViewStep(const Episode& episode, const StepShape& shape, std::int64_t step);

// Reads only the numbers that its text names. Movable, not copyable; one thread at a time.
class StepFormula {
 public:
  // `place` says where the text stands. A name that the dataset lacks is an Error with the nearest
  // known one.
  StepFormula(std::string_view text, const DatasetDescription& description, std::string_view place);

  // May be non-finite (a logarithm of a negative number): the caller checks.
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
  std::unique_ptr<double[]> values_;  // [inputs]; a fixed address, which the expression holds
  core::Expression expression_;
};

}  // namespace rhumb::data
