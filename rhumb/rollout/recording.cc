#include "rhumb/rollout/recording.h"

#include <algorithm>

#include "rhumb/core/error.h"

namespace rhumb::rollout {
namespace {

void Append(std::vector<float>& row, std::span<const double> values) {
  for (const double value : values) row.push_back(static_cast<float>(value));
}

void AppendState(const sim::Batch& batch, int simulation, data::Episode& episode) {
  Append(episode.observations, batch.observation(simulation));
  Append(episode.qpos, batch.qpos(simulation));
  Append(episode.qvel, batch.qvel(simulation));
}

}  // namespace

void BeginRecording(const sim::Batch& batch, int simulation, data::Episode& episode) {
  episode.Clear();
  episode.returns.assign(static_cast<std::size_t>(batch.environment().objective_count()), 0.0);
  AppendState(batch, simulation, episode);
  Append(episode.mocap, batch.mocap_positions(simulation));
  Append(episode.mocap, batch.mocap_quaternions(simulation));
  // Into the vectors of the last episode, which are large enough.
  const auto copy = [](std::span<const double> from, std::vector<double>& to) {
    to.assign(from.begin(), from.end());
  };
  copy(batch.qpos(simulation), episode.start.qpos);
  copy(batch.qvel(simulation), episode.start.qvel);
  copy(batch.act(simulation), episode.start.act);
  copy(batch.mocap_positions(simulation), episode.start.mocap_pos);
  copy(batch.mocap_quaternions(simulation), episode.start.mocap_quat);
  batch.CopyDrawn(simulation, episode.start.drawn);
}

double RecordAction(const sim::Environment& environment, std::size_t action, float raw, float mean,
                    data::Episode& episode) {
  const double centre = environment.action_centre()[action];
  const double half_range = environment.action_half_range()[action];
  const double clipped = std::clamp<double>(raw, -1, 1);
  const auto applied = static_cast<float>(centre + half_range * clipped);
  episode.actions.push_back(applied);
  episode.raw_actions.push_back(raw);
  episode.action_means.push_back(mean);
  return applied;
}

void RecordStep(const sim::Batch& batch, int simulation, std::span<const double> weights,
                data::Episode& episode) {
  const auto i = static_cast<std::size_t>(simulation);
  const auto objectives = static_cast<std::size_t>(batch.environment().objective_count());
  const std::size_t quantities = batch.environment().quantities().size();
  const sim::StepOutcome& outcome = batch.outcomes()[i];
  const std::span<const double> rewards = batch.rewards().subspan(i * objectives, objectives);
  double scalar = 0;
  for (std::size_t k = 0; k < objectives; ++k) {
    if (!weights.empty()) scalar += weights[k] * rewards[k];
    episode.returns[k] += rewards[k];
  }
  episode.rewards.push_back(static_cast<float>(scalar));
  Append(episode.vector_rewards, rewards);
  Append(episode.quantities, batch.quantities().subspan(i * quantities, quantities));
  episode.terminations.push_back(outcome.terminated);
  episode.truncations.push_back(outcome.truncated);
  episode.diverged = outcome.diverged;
  AppendState(batch, simulation, episode);
}

void CheckObjectives(const sim::Environment& environment, const sim::StepOutcome& outcome,
                     std::string_view actor, int number) {
  if (outcome.non_finite_objective < 0) return;
  const auto k = static_cast<std::size_t>(outcome.non_finite_objective);
  const sim::ObjectiveSpec& objective = environment.objectives()[k];
  Fail("objective '{}' of '{}' (\"{}\") is not a finite number in a step of {} {}", objective.name,
       environment.id(), objective.expression, actor, number);
}

}  // namespace rhumb::rollout
