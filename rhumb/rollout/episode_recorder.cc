#include "rhumb/rollout/episode_recorder.h"

#include <algorithm>

#include "rhumb/core/math/random.h"
#include "rhumb/core/text.h"
#include "rhumb/rollout/recording.h"

namespace rhumb::rollout {
namespace {

// The number of full-length episodes that give the steps, limited to the batch.
int SimulationCount(const sim::Environment& environment, const RecorderOptions& options) {
  const std::int64_t limit = environment.time_limit();
  return static_cast<int>(
      std::clamp<std::int64_t>((options.steps + limit - 1) / limit, 1, options.batch));
}

}  // namespace

data::DatasetDescription DescribeRecordings(const sim::Environment& environment) {
  data::DatasetDescription description;
  description.environment = environment.bundle();
  description.time_limit = environment.time_limit();
  for (const sim::ObjectiveSpec& objective : environment.objectives()) {
    description.objectives.push_back({objective.name, objective.unit});
  }
  description.quantities = core::NamesOf(environment.quantities());
  description.observation_size = environment.observation_size();
  for (int i = 0; i < environment.observation_size(); ++i) {
    if (environment.unseen()[static_cast<std::size_t>(i)] != 0) description.unseen.push_back(i);
  }
  description.action_size = environment.action_size();
  description.qpos_size = static_cast<int>(environment.model()->nq);
  description.qvel_size = static_cast<int>(environment.model()->nv);
  description.policy_outputs = true;
  for (std::size_t a = 0; a < environment.action_centre().size(); ++a) {
    const double centre = environment.action_centre()[a];
    const double half_range = environment.action_half_range()[a];
    description.action_low.push_back(centre - half_range);
    description.action_high.push_back(centre + half_range);
  }
  return description;
}

// The state of one Record call.
struct EpisodeRecorder::Run {
  const RecordedPolicy& recorded;
  net::PolicyActor actor;
  std::vector<data::Episode> episodes;  // by episode number
  std::vector<int> playing;             // [N] episode that each simulation plays
  std::vector<int> active;              // simulations with an episode
  std::int64_t counted = 0;             // steps so far of episodes that count or may still count
  std::int64_t simulated = 0;           // steps so far
};

EpisodeRecorder::EpisodeRecorder(const sim::Environment& environment,
                                 const RecorderOptions& options)
    : environment_(environment),
      options_(options),
      batch_(environment, {.count = SimulationCount(environment, options), .restart = false}) {
  const auto count = static_cast<std::size_t>(batch_.count());
  controls_.resize(count * static_cast<std::size_t>(environment.action_size()));
  means_.resize(controls_.size());
}

bool EpisodeRecorder::Counts(const data::Episode& episode) const {
  return !episode.diverged && episode.steps() >= options_.min_episode_steps;
}

void EpisodeRecorder::StartEpisode(Run& run, int simulation) {
  const auto number = static_cast<int>(run.episodes.size());
  batch_.Start(simulation,
               core::Stream(options_.seed, core::Purpose::kReset, run.recorded.index, number));
  data::Episode& episode = run.episodes.emplace_back();
  BeginRecording(batch_, simulation, episode);
  episode.policy = run.recorded.index;
  episode.seed = options_.seed;
  episode.action_stds = run.recorded.policy.deviation;
  run.playing[static_cast<std::size_t>(simulation)] = number;
}

// Draws and records the active simulations' actions.
void EpisodeRecorder::Act(Run& run) {
  const auto action_size = static_cast<std::size_t>(environment_.action_size());
  const std::vector<float>& deviation = run.recorded.policy.deviation;
  observations_.clear();
  for (const int simulation : run.active) {
    const std::span<const double> row = batch_.observation(simulation);
    observations_.insert(observations_.end(), row.begin(), row.end());
  }
  run.actor.Means(observations_.data(), static_cast<int>(run.active.size()), means_.data());

  const float* mean = means_.data();
  for (const int simulation : run.active) {
    const auto i = static_cast<std::size_t>(simulation);
    const int number = run.playing[i];
    data::Episode& episode = run.episodes[static_cast<std::size_t>(number)];
    core::Stream noise(options_.seed, core::Purpose::kAction, run.recorded.index, number,
                       episode.steps());
    for (std::size_t a = 0; a < action_size; ++a, ++mean) {
      const float raw = *mean + deviation[a] * static_cast<float>(noise.Normal());
      controls_[i * action_size + a] = RecordAction(environment_, a, raw, *mean, episode);
    }
  }
}

// Records the step in the episodes of the active simulations.
void EpisodeRecorder::Observe(Run& run) {
  for (const int simulation : run.active) {
    const auto i = static_cast<std::size_t>(simulation);
    CheckObjectives(environment_, batch_.outcomes()[i], "policy", run.recorded.index);
    RecordStep(batch_, simulation, run.recorded.weights,
               run.episodes[static_cast<std::size_t>(run.playing[i])]);
  }
}

std::vector<data::Episode> EpisodeRecorder::Record(const RecordedPolicy& recorded,
                                                   core::FunctionRef<bool(int)> go_on) {
  const int count = batch_.count();
  Run run{recorded, net::PolicyActor(recorded.policy, count), {}, {}, {}};
  run.playing.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    run.active.push_back(i);
    StartEpisode(run, i);
  }
  while (!run.active.empty()) {
    batch_.SetActive(run.active);
    Act(run);
    batch_.StepControls(controls_);
    Observe(run);
    const int steps = static_cast<int>(run.active.size());
    if (!go_on(steps)) return {};
    run.counted += steps;
    run.simulated += steps;
    std::erase_if(run.active, [&](int simulation) {
      const auto i = static_cast<std::size_t>(simulation);
      if (!batch_.outcomes()[i].ended()) return false;
      const data::Episode& episode = run.episodes[static_cast<std::size_t>(run.playing[i])];
      if (!Counts(episode)) run.counted -= episode.steps();
      if (run.counted >= options_.steps || run.simulated >= 2 * options_.steps) return true;
      StartEpisode(run, simulation);
      return false;
    });
  }

  // Keeps episodes in the order of their starts, not of their ends. Short episodes end first and
  // would be over-represented.
  std::int64_t kept = 0, all = 0;
  std::size_t end = 0;
  while (end < run.episodes.size() && kept < options_.steps && all < 2 * options_.steps) {
    const data::Episode& episode = run.episodes[end++];
    all += episode.steps();
    if (Counts(episode)) kept += episode.steps();
  }
  run.episodes.resize(end);
  return std::move(run.episodes);
}

}  // namespace rhumb::rollout
