#include "rhumb/rollout/segment.h"

#include <algorithm>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"
#include "rhumb/rollout/recording.h"

namespace rhumb::rollout {
namespace {

std::size_t Size(int a, int b, int c = 1) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c);
}

}  // namespace

Segment::Segment(int step_count, int environment_count, const sim::Environment& environment)
    : steps(step_count),
      environments(environment_count),
      observation_size(environment.observation_size()),
      action_size(environment.action_size()),
      objective_count(environment.objective_count()),
      observations(Size(steps, environments, observation_size)),
      actions(Size(steps, environments, action_size)),
      rewards(Size(steps, environments, objective_count)),
      final_observations(observations.size()),
      last_observations(Size(environments, observation_size)),
      terminated(Size(steps, environments)),
      truncated(terminated.size()) {}

void EpisodeSummary::Add(const EpisodeSummary& other) {
  count += other.count;
  diverged += other.diverged;
  episode_steps += other.episode_steps;
  return_sum.resize(std::max(return_sum.size(), other.return_sum.size()), 0.0);
  for (std::size_t k = 0; k < other.return_sum.size(); ++k) return_sum[k] += other.return_sum[k];
}

SegmentRunner::SegmentRunner(const sim::Environment& environment, const Options& options)
    : environment_(environment), options_(options) {
  RHUMB_CHECK(options.group_size > 0 && options.environments % options.group_size == 0,
              "{} environments in groups of {}", options.environments, options.group_size);
  for (int first = 0; first < options.environments; first += options.group_size) {
    Group group;
    group.batch = std::make_unique<sim::Batch>(
        environment,
        sim::BatchOptions{.count = options.group_size,
                          .seed = options.seed,
                          .first_unit = options.first_unit + static_cast<std::uint32_t>(first)});
    group.batch->Reset();
    group.actions.resize(Size(options.group_size, environment.action_size()));
    group.means.resize(group.actions.size());
    group.episode_return.resize(Size(options.group_size, environment.objective_count()));
    group.steps.resize(static_cast<std::size_t>(options.group_size));
    group.episode_begin.resize(group.steps.size());
    groups_.push_back(std::move(group));
  }
}

void SegmentRunner::Run(int group_index, const net::GaussianPolicy& policy, Segment& segment) {
  Group& group = groups_[static_cast<std::size_t>(group_index)];
  sim::Batch& batch = *group.batch;
  const int count = options_.group_size;
  const int first = group_index * count;
  const auto observation_size = static_cast<std::size_t>(segment.observation_size);
  const auto action_size = static_cast<std::size_t>(segment.action_size);
  const auto objective_count = static_cast<std::size_t>(segment.objective_count);
  net::PolicyActor actor(policy, count);
  group.summary = {};
  group.summary.return_sum.assign(objective_count, 0.0);

  for (int t = 0; t < segment.steps; ++t) {
    const std::size_t row = Size(t, segment.environments) + static_cast<std::size_t>(first);
    std::ranges::copy(batch.observations(), segment.observations.data() + row * observation_size);

    // a = mean + deviation * n, with n keyed by the environment and its own step count.
    actor.Means(batch.observations().data(), count, group.means.data());
    float* actions = segment.actions.data() + row * action_size;
    for (int e = 0; e < count; ++e) {
      const auto i = static_cast<std::size_t>(e);
      const std::int64_t step = group.steps[i]++;
      core::Stream noise(options_.seed, core::Purpose::kAction,
                         options_.first_unit + std::int64_t{first + e}, step >> 32, step);
      for (std::size_t a = 0; a < action_size; ++a) {
        const std::size_t at = i * action_size + a;
        actions[at] = group.means[at] + policy.deviation[a] * static_cast<float>(noise.Normal());
        group.actions[at] = actions[at];
      }
    }
    batch.Step(group.actions);

    std::ranges::copy(batch.rewards(), segment.rewards.data() + row * objective_count);
    for (int e = 0; e < count; ++e) {
      const auto i = static_cast<std::size_t>(e);
      const sim::StepOutcome& outcome = batch.outcomes()[i];
      CheckObjectives(environment_, outcome, "environment", first + e);
      segment.terminated[row + i] = outcome.terminated;
      segment.truncated[row + i] = outcome.truncated;
      double* episode_return = group.episode_return.data() + i * objective_count;
      for (std::size_t k = 0; k < objective_count; ++k) {
        episode_return[k] += batch.rewards()[i * objective_count + k];
      }
      if (!outcome.ended()) continue;
      std::copy_n(batch.final_observations().data() + i * observation_size, observation_size,
                  segment.final_observations.data() + (row + i) * observation_size);
      if (outcome.diverged) {
        ++group.summary.diverged;
      } else {
        ++group.summary.count;
        group.summary.episode_steps += group.steps[i] - group.episode_begin[i];
        for (std::size_t k = 0; k < objective_count; ++k) {
          group.summary.return_sum[k] += episode_return[k];
        }
      }
      std::fill_n(episode_return, objective_count, 0.0);
      group.episode_begin[i] = group.steps[i];
    }
  }
  std::ranges::copy(batch.observations(),
                    segment.last_observations.data() + first * segment.observation_size);
}

EpisodeSummary SegmentRunner::summary() const {
  EpisodeSummary total;
  for (const Group& group : groups_) total.Add(group.summary);
  return total;
}

std::size_t SegmentRunner::state_size() const {
  return groups_.front().batch->state_size() +
         static_cast<std::size_t>(environment_.objective_count()) + 2;
}

// Per environment: {simulation state, return of the episode so far, steps since the run began,
// steps when the episode began}.
void SegmentRunner::SaveState(std::span<double> state) const {
  RHUMB_CHECK(state.size() == state_size() * static_cast<std::size_t>(options_.environments),
              "{} numbers", state.size());
  const auto objective_count = static_cast<std::size_t>(environment_.objective_count());
  double* out = state.data();
  for (const Group& group : groups_) {
    const std::size_t batch_size = group.batch->state_size();
    for (std::size_t i = 0; i < group.steps.size(); ++i) {
      group.batch->SaveState(static_cast<int>(i), {out, batch_size});
      out += batch_size;
      out = std::copy_n(group.episode_return.data() + i * objective_count, objective_count, out);
      *out++ = static_cast<double>(group.steps[i]);
      *out++ = static_cast<double>(group.episode_begin[i]);
    }
  }
}

void SegmentRunner::RestoreState(std::span<const double> state) {
  RHUMB_CHECK(state.size() == state_size() * static_cast<std::size_t>(options_.environments),
              "{} numbers", state.size());
  const auto objective_count = static_cast<std::size_t>(environment_.objective_count());
  const double* in = state.data();
  for (Group& group : groups_) {
    const std::size_t batch_size = group.batch->state_size();
    for (std::size_t i = 0; i < group.steps.size(); ++i) {
      group.batch->RestoreState(static_cast<int>(i), {in, batch_size});
      in += batch_size;
      std::copy_n(in, objective_count, group.episode_return.data() + i * objective_count);
      in += objective_count;
      group.steps[i] = static_cast<std::int64_t>(*in++);
      group.episode_begin[i] = static_cast<std::int64_t>(*in++);
    }
  }
}

}  // namespace rhumb::rollout
