#include "rhumb/data/episode.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "rhumb/core/error.h"

namespace rhumb::data {
namespace {

// Tests the bits, so the loop is vectorised: only NaN and infinity have all exponent bits set.
bool AllFinite(std::span<const float> numbers) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  bool finite = true;
  for (const float number : numbers) {
    finite &= (std::bit_cast<std::uint32_t>(number) & kExponent) != kExponent;
  }
  return finite;
}

}  // namespace

void Episode::Clear() {
  for (const FieldLayout& layout : LayoutOf({})) (this->*layout.values).clear();
  terminations.clear();
  truncations.clear();
  mocap.clear();
  for (std::vector<double>* numbers :
       {&start.qpos, &start.qvel, &start.act, &start.mocap_pos, &start.mocap_quat, &start.drawn}) {
    numbers->clear();  // keeps its memory
  }
  returns.clear();
  diverged = false;
}

std::array<FieldLayout, kFieldCount> LayoutOf(const StepShape& shape) {
  const int outputs = shape.policy_outputs ? shape.action : 0;
  using E = Episode;
  std::array<FieldLayout, kFieldCount> layouts = {{
      {Field::kObservations, &E::observations, false, "observations", shape.observation},
      {Field::kActions, &E::actions, false, "actions", shape.action},
      {Field::kRewards, &E::rewards, false, "rewards", 1},
      {Field::kVectorRewards, &E::vector_rewards, true, "vector_reward", shape.objectives},
      {Field::kRawActions, &E::raw_actions, true, "raw_action", outputs},
      {Field::kActionMeans, &E::action_means, true, "action_mean", outputs},
      {Field::kActionStds, &E::action_stds, true, "action_std", outputs},
      {Field::kQpos, &E::qpos, true, "qpos", shape.qpos},
      {Field::kQvel, &E::qvel, true, "qvel", shape.qvel},
      {Field::kQuantities, &E::quantities, true, "quantities", shape.quantities},
  }};
  for (const Field field : {Field::kObservations, Field::kQpos, Field::kQvel}) {
    layouts[static_cast<std::size_t>(field)].has_last_row = true;
  }
  layouts[static_cast<std::size_t>(Field::kActionStds)].may_be_constant = true;
  layouts[static_cast<std::size_t>(Field::kRewards)].is_vector = true;
  return layouts;
}

void CheckShape(const Episode& episode, const StepShape& shape, std::string_view place) {
  const auto steps = static_cast<std::size_t>(episode.steps());
  for (const FieldLayout& layout : LayoutOf(shape)) {
    const std::size_t size = (episode.*layout.values).size();
    const auto columns = static_cast<std::size_t>(layout.columns);
    const std::size_t wanted = (steps + (layout.has_last_row ? 1 : 0)) * columns;
    if (size == wanted || (layout.may_be_constant && size == columns)) continue;
    Fail("{}: {} of an episode of {} steps has {} numbers, not {}", place, layout.name, steps, size,
         wanted);
  }
  if (episode.truncations.size() != steps) {
    Fail("{}: truncations of an episode of {} steps has {} numbers, not one per step", place, steps,
         episode.truncations.size());
  }
  if (episode.returns.size() != static_cast<std::size_t>(shape.objectives)) {
    Fail("{}: an episode has {} returns, not {}", place, episode.returns.size(), shape.objectives);
  }
}

std::string FindNonFinite(const Episode& episode) {
  for (const FieldLayout& layout : LayoutOf({})) {
    if (!AllFinite(episode.*layout.values)) return layout.name;
  }
  const bool finite = std::all_of(episode.returns.begin(), episode.returns.end(),
                                  [](double value) { return std::isfinite(value); });
  return finite ? "" : "return";
}

double MeasureMotion(const Episode& episode) {
  double sum = 0;
  for (const float speed : episode.qvel) sum += static_cast<double>(speed) * speed;
  return episode.qvel.empty() ? 0 : std::sqrt(sum / static_cast<double>(episode.qvel.size()));
}

}  // namespace rhumb::data
