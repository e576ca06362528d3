#include "rhumb/data/step_formula.h"

#include <algorithm>

#include "rhumb/core/error.h"
#include "rhumb/core/text.h"

namespace rhumb::data {

StepView ViewStep(const Episode& episode, const StepShape& shape, std::int64_t step) {
  const auto t = static_cast<std::size_t>(step);
  const auto row = [t](const std::vector<float>& rows, int columns, std::size_t later = 0) {
    const auto width = static_cast<std::size_t>(columns);
    return std::span<const float>(rows).subspan((t + later) * width, width);
  };
  return {.observation = row(episode.observations, shape.observation),
          .next_observation = row(episode.observations, shape.observation, 1),
          .action = row(episode.actions, shape.action),
          .vector_reward = row(episode.vector_rewards, shape.objectives),
          .quantities = row(episode.quantities, shape.quantities),
          .reward = episode.rewards[t]};
}

std::vector<StepFormula::Input> StepFormula::KnownInputs(const DatasetDescription& description) {
  std::vector<Input> inputs;
  // The first match wins: a quantity called sum_sq_action takes precedence over the built-in one.
  for (const std::string& name : description.quantities) {
    inputs.push_back({name, Source::kQuantity, inputs.size()});
  }
  for (std::size_t k = 0; k < description.objectives.size(); ++k) {
    inputs.push_back({"reward_" + description.objectives[k].name, Source::kVectorReward, k});
  }
  inputs.push_back({"reward", Source::kReward, 0});
  inputs.push_back({"sum_sq_action", Source::kSumSquaredAction, 0});
  const auto add_numbered = [&inputs](const char* prefix, Source source, int count) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      inputs.push_back({fmt::format("{}_{}", prefix, i), source, i});
    }
  };
  add_numbered("action", Source::kAction, description.action_size);
  add_numbered("obs", Source::kObservation, description.observation_size);
  add_numbered("next_obs", Source::kNextObservation, description.observation_size);
  return inputs;
}

std::vector<StepFormula::Input> StepFormula::FindInputs(std::string_view text,
                                                        const DatasetDescription& description,
                                                        std::string_view place) {
  const std::vector<Input> known = KnownInputs(description);
  std::vector<Input> used;
  for (const std::string& name : core::Expression::NamesIn(text, place)) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&name](const Input& input) { return input.name == name; });
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const Input& input : known) names.push_back(input.name);
      Fail("{}: unknown name '{}' in '{}'{}", place, name, text, core::Suggestion(name, names));
    }
    used.push_back(*found);
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

double StepFormula::Evaluate(const StepView& step) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Input& input = inputs_[i];
    double& value = values_[i];
    switch (input.source) {
      case Source::kQuantity:
        value = step.quantities[input.index];
        break;
      case Source::kObservation:
        value = step.observation[input.index];
        break;
      case Source::kNextObservation:
        value = step.next_observation[input.index];
        break;
      case Source::kAction:
        value = step.action[input.index];
        break;
      case Source::kVectorReward:
        value = step.vector_reward[input.index];
        break;
      case Source::kReward:
        value = step.reward;
        break;
      case Source::kSumSquaredAction:
        value = 0;
        for (const float action : step.action) value += static_cast<double>(action) * action;
        break;
    }
  }
  return expression_.Evaluate();
}

}  // namespace rhumb::data
