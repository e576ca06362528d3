#include "rhumb/eval/steering/anchor_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "rhumb/core/error.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/core/text.h"
#include "rhumb/data/attribute.h"
#include "rhumb/rollout/episode_encoder.h"
#include "rhumb/rollout/episode_recorder.h"
#include "rhumb/rollout/teachers.h"

namespace rhumb::eval {
namespace {

// Number of the first episode of each policy.
std::map<int, std::int64_t> FirstEpisodeByPolicy(const data::Dataset& dataset) {
  std::map<int, std::int64_t> first;
  for (const std::int64_t episode : dataset.AllEpisodes()) {
    first.try_emplace(dataset.index().episodes[static_cast<std::size_t>(episode)].policy, episode);
  }
  return first;
}

// Computes the model's objectives from recorded episodes.
class ValueReader {
 public:
  ValueReader(const net::ModelDescription& model, const sim::Environment& environment) {
    const data::DatasetDescription recordings = rollout::DescribeRecordings(environment);
    for (const net::ModelObjective& objective : model.objectives) {
      Source& source = sources_.emplace_back();
      if (!objective.expression.empty()) {
        source.attribute.emplace(objective.expression, recordings, objective.name);
        continue;
      }
      source.objective = core::FindNamed(
          recordings.objectives, objective.name,
          fmt::format("the robot has no objective '{}' of the model", objective.name));
    }
  }

  // Writes [K].
  void Read(const data::Episode& episode, std::span<double> values) const {
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      const Source& source = sources_[k];
      values[k] =
          source.attribute ? source.attribute->Compute(episode) : episode.returns[source.objective];
    }
  }

 private:
  struct Source {
    std::size_t objective = 0;  // of the recordings, or
    std::optional<data::Attribute> attribute;
  };
  std::vector<Source> sources_;  // [K]
};

// The simulations of one worker.
struct Player {
  Player(const sim::Environment& environment, const net::ModelDescription& model,
         const PlayAgainOptions& options)
      // Enough steps for all episodes. A policy that falls plays more; these are ignored.
      : recorder(environment, {.seed = options.job.seed,
                               .steps = std::int64_t{options.episodes} * environment.time_limit(),
                               .min_episode_steps = 1,
                               .batch = options.episodes}),
        reader(model, environment) {}

  rollout::EpisodeRecorder recorder;
  ValueReader reader;
};

}  // namespace

std::vector<int> AnchorsOfTasks(std::span<const Task> tasks, const data::Dataset& dataset) {
  const std::map<int, std::int64_t> known = FirstEpisodeByPolicy(dataset);
  std::vector<int> policies;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!tasks[i].anchor) Fail("task {} does not name the policy that anchors it", i);
    const std::int64_t anchor = *tasks[i].anchor;
    if (anchor > std::numeric_limits<int>::max() || !known.contains(static_cast<int>(anchor))) {
      Fail("task {} is anchored at policy {}, which has no episode in {}", i, anchor,
           dataset.artifact().path().string());
    }
    policies.push_back(static_cast<int>(anchor));
  }
  return policies;
}

std::vector<float> EncodeAnchors(const net::Model& model, const data::Dataset& dataset,
                                 std::span<const Task> tasks, std::uint64_t seed, int threads) {
  const std::map<int, std::int64_t> first = FirstEpisodeByPolicy(dataset);
  const std::vector<int> policies = AnchorsOfTasks(tasks, dataset);
  std::vector<std::int64_t> episodes;
  for (const int policy : policies) episodes.push_back(first.at(policy));
  std::sort(episodes.begin(), episodes.end());
  episodes.erase(std::unique(episodes.begin(), episodes.end()), episodes.end());
  const std::vector<float> encoded = rollout::EncodeEpisodes(
      model, rollout::LoadContexts(dataset, model, episodes), {.seed = seed, .threads = threads});
  const auto size = static_cast<std::ptrdiff_t>(model.code_size());
  std::vector<float> codes;
  for (const int policy : policies) {
    const auto row =
        std::lower_bound(episodes.begin(), episodes.end(), first.at(policy)) - episodes.begin();
    const auto code = encoded.begin() + row * size;
    codes.insert(codes.end(), code, code + size);
  }
  return codes;
}

std::optional<rollout::CodeRun> PlayAnchors(const sim::Environment& environment,
                                            const net::Model& model, const data::Dataset& dataset,
                                            const population::PopulationReader& population,
                                            std::span<const Task> tasks,
                                            const PlayAgainOptions& options) {
  // Each teacher is read once.
  const std::vector<int> anchors = AnchorsOfTasks(tasks, dataset);
  std::vector<int> distinct = anchors;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const std::vector<net::GaussianPolicy> teachers =
      rollout::ReadTeachers(population, dataset, distinct);

  const auto count = static_cast<std::int64_t>(tasks.size());
  const auto episodes = static_cast<std::size_t>(options.episodes);
  const std::size_t width = model.description.objectives.size();
  rollout::CodeRun run;
  run.codes = static_cast<int>(count);
  run.episodes = options.episodes;
  run.objectives = static_cast<int>(width);
  run.values.assign(tasks.size() * episodes * width, std::numeric_limits<double>::quiet_NaN());
  run.lengths.assign(tasks.size() * episodes, 0);
  run.diverged.assign(tasks.size() * episodes, 1);

  std::vector<std::unique_ptr<Player>> players;
  for (int i = 0; i < options.job.threads; ++i) {
    players.push_back(std::make_unique<Player>(environment, model.description, options));
  }
  core::Progress progress("play the teachers", count, {.quiet = options.job.quiet});
  core::ThreadPool pool(options.job.threads);
  pool.ParallelFor(count, [&](std::int64_t number, int index) {
    if (options.job.should_stop()) return;
    Player& player = *players[static_cast<std::size_t>(index)];
    const auto task = static_cast<std::size_t>(number);
    const auto teacher =
        std::lower_bound(distinct.begin(), distinct.end(), anchors[task]) - distinct.begin();
    const auto& weights = dataset.index().policies[static_cast<std::size_t>(anchors[task])].weights;
    const std::vector<data::Episode> played =
        player.recorder.Record({teachers[static_cast<std::size_t>(teacher)],
                                options.first_key + static_cast<int>(number), weights},
                               [&](int) { return !options.job.should_stop(); });
    for (std::size_t e = 0; e < std::min(episodes, played.size()); ++e) {
      const std::size_t job = task * episodes + e;
      run.lengths[job] = static_cast<int>(played[e].steps());
      if (played[e].diverged) continue;
      run.diverged[job] = 0;
      player.reader.Read(played[e], std::span(run.values).subspan(job * width, width));
    }
    progress.Advance();
  });
  if (options.job.should_stop()) return std::nullopt;
  return run;
}

}  // namespace rhumb::eval
