#include "rhumb/data/step_formula.h"

#include "rhumb/core/text.h"

namespace rhumb::data {

std::vector<StepFormula::Input> StepFormula::KnownInputs(const DatasetDescription& description) {
  using E = Episode;
  const StepShape shape = description.shape();
  std::vector<Input> inputs;
  const auto add = [&inputs](std::string name, std::vector<float> E::*values, int columns,
                             std::size_t column, int row = 0) {
    inputs.push_back({std::move(name), values, row, static_cast<std::size_t>(columns), column});
  };
  const auto add_numbered = [&add](const char* prefix, std::vector<float> E::*values, int columns,
                                   int row = 0) {
    for (int i = 0; i < columns; ++i) {
      add(fmt::format("{}_{}", prefix, i), values, columns, static_cast<std::size_t>(i), row);
    }
  };
  // The first match wins: a quantity called sum_sq_action takes precedence over the built-in one.
  for (const std::string& name : description.quantities) {
    add(name, &E::quantities, shape.quantities, inputs.size());
  }
  for (std::size_t k = 0; k < description.objectives.size(); ++k) {
    add("reward_" + description.objectives[k].name, &E::vector_rewards, shape.objectives, k);
  }
  add("reward", &E::rewards, 1, 0);
  add("sum_sq_action", nullptr, shape.action, 0);
  add_numbered("action", &E::actions, shape.action);
  add_numbered("obs", &E::observations, shape.observation);
  add_numbered("next_obs", &E::observations, shape.observation, 1);
  return inputs;
}

std::vector<StepFormula::Input> StepFormula::FindInputs(std::string_view text,
                                                        const DatasetDescription& description,
                                                        std::string_view place) {
  const std::vector<Input> known = KnownInputs(description);
  std::vector<Input> used;
  for (const std::string& name : core::Expression::NamesIn(text, place)) {
    const std::string complaint = fmt::format("{}: unknown name '{}' in '{}'", place, name, text);
    used.push_back(known[core::FindNamed(known, name, complaint)]);
  }
  return used;
}

std::vector<core::Variable> StepFormula::Variables() const {
  std::vector<core::Variable> variables;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    variables.push_back({inputs_[i].name, &values_[i]});
  }
  return variables;
}

StepFormula::StepFormula(std::string_view text, const DatasetDescription& description,
                         std::string_view place)
    : inputs_(FindInputs(text, description, place)),
      values_(std::make_unique<double[]>(inputs_.size())),
      expression_(text, Variables(), place) {}

double StepFormula::Evaluate(const Episode& episode, std::int64_t step) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const auto& [name, values, row, columns, column] = inputs_[i];
    const std::size_t begin = static_cast<std::size_t>(step + row) * columns;
    if (values != nullptr) {
      values_[i] = (episode.*values)[begin + column];
    } else {
      values_[i] = 0;
      for (std::size_t a = begin; a < begin + columns; ++a) {
        values_[i] += static_cast<double>(episode.actions[a]) * episode.actions[a];
      }
    }
  }
  return expression_.Evaluate();
}

}  // namespace rhumb::data
