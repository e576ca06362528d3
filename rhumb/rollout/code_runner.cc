#include "rhumb/rollout/code_runner.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

#include "rhumb/core/error.h"
#include "rhumb/core/function_ref.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/math/running_statistics.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/net/code_blend.h"
#include "rhumb/rollout/episode_values.h"
#include "rhumb/rollout/recording.h"

namespace rhumb::rollout {
namespace {

void CheckActionRange(const net::Model& model, const sim::Environment& environment) {
  // The model's numbers were rounded to float32 and converted from low = centre - half_range and
  // back.
  const auto differs = [](double ours, double theirs) {
    return !(std::abs(ours - theirs) <= 1e-5 * std::max(1.0, std::abs(theirs)));
  };
  for (std::size_t a = 0; a < environment.action_centre().size(); ++a) {
    const double centre = environment.action_centre()[a];
    const double half_range = environment.action_half_range()[a];
    if (differs(model.action_centre[a], centre) ||
        differs(model.action_half_range[a], half_range)) {
      Fail("action {} of '{}' is {} +- {}; the model was trained with {} +- {}", a,
           environment.id(), centre, half_range, model.action_centre[a],
           model.action_half_range[a]);
    }
  }
}

void CheckChanges(std::span<const CodeChange> changes, std::size_t code_size) {
  std::int64_t last = 0;
  for (const CodeChange& change : changes) {
    if (change.step < last) {
      Fail("a code changes at step {}, after step {}; the steps must ascend from 0", change.step,
           last);
    }
    last = change.step;
    if (change.blend_steps < 0 || change.blend_steps > net::kMaxBlendSteps) {
      Fail("the blend at step {} takes {} steps; allowed are 0 to {}", change.step,
           change.blend_steps, net::kMaxBlendSteps);
    }
    if (change.code.size() != code_size) {
      Fail("the code at step {} has {} numbers; the model's codes have {}", change.step,
           change.code.size(), code_size);
    }
    if (!std::ranges::all_of(change.code, [](float x) { return std::isfinite(x); })) {
      Fail("the code at step {} has a number that is not finite", change.step);
    }
  }
}

// State shared by the workers: the list of jobs and the results.
struct Work {
  const sim::Environment& environment;
  const net::Model& model;
  const float* codes;
  const CodeRunOptions& options;
  CodeRun& result;
  core::Progress& progress;
  std::int64_t jobs;                  // job = code * E + episode
  std::int64_t step_limit;            // of an episode
  std::atomic<std::int64_t> next{0};  // next job to take
  std::atomic<bool> stopped{false};
};

// One worker's simulations. Each plays one job after another until none is left.
class Worker {
 public:
  Worker(Work& work, int simulations)
      : work_(work),
        batch_(work.environment, {.count = simulations, .restart = false}),
        players_(static_cast<std::size_t>(simulations), Player(work.model)),
        values_(work.environment, work.model),
        prepared_(players_.size()),
        workspace_(work.model.decoder.workspace_size(simulations)) {
    const auto rows = static_cast<std::size_t>(simulations);
    const auto actions = static_cast<std::size_t>(work.environment.action_size());
    controls_.resize(rows * actions);
    means_.resize(rows * actions);
    log_deviations_.resize(rows * actions);
    observations_.resize(rows * static_cast<std::size_t>(work.environment.observation_size()));
    active_.reserve(rows);
  }

  void Run() {
    for (int simulation = 0; simulation < batch_.count() && TakeJob(simulation); ++simulation) {
      active_.push_back(simulation);
    }
    while (!active_.empty()) {
      if (work_.options.job.should_stop()) work_.stopped = true;
      if (work_.stopped) return;
      batch_.SetActive(active_);
      Act();
      batch_.StepControls(controls_);
      work_.progress.Advance(static_cast<std::int64_t>(active_.size()));
      std::erase_if(active_, [this](int simulation) { return !GoOn(simulation); });
    }
  }

 private:
  // The job of one simulation.
  struct Player {
    explicit Player(const net::Model& model)
        : blend(model.code_size()), prepared(model.decoder.prepared_size()) {}

    std::int64_t job = 0;
    net::CodeBlend blend;
    std::size_t next_change = 0;
    std::vector<float> prepared;
    data::Episode episode;
  };

  int CodeOf(const Player& player) const {
    return static_cast<int>(player.job / work_.options.episodes);
  }
  int EpisodeOf(const Player& player) const {
    return static_cast<int>(player.job % work_.options.episodes);
  }
  core::Stream StreamOf(const Player& player, core::Purpose purpose, std::int64_t step) const {
    return {work_.options.job.seed, purpose, work_.options.first_code + CodeOf(player),
            EpisodeOf(player), step};
  }

  // Starts the next job in this simulation; returns false if none is left.
  bool TakeJob(int simulation) {
    const std::int64_t job = work_.next++;
    if (job >= work_.jobs) return false;
    Player& player = players_[static_cast<std::size_t>(simulation)];
    player.job = job;
    const auto code_size = static_cast<std::size_t>(work_.model.code_size());
    player.blend.Start(
        {work_.codes + std::ptrdiff_t{CodeOf(player)} * work_.model.code_size(), code_size});
    player.next_change = 0;
    Prepare(player);
    batch_.Start(simulation, StreamOf(player, core::Purpose::kReset, 0));
    if (!work_.options.states.empty()) {
      const std::size_t size = batch_.state_size();
      const auto row = static_cast<std::size_t>(CodeOf(player));
      batch_.RestoreState(simulation, work_.options.states.subspan(row * size, size));
    }
    BeginRecording(batch_, simulation, player.episode);
    player.episode.policy = CodeOf(player);
    player.episode.seed = work_.options.job.seed;
    return true;
  }

  void Prepare(Player& player) {
    work_.model.decoder.Prepare(player.blend.code().data(), player.prepared.data(), workspace_);
  }

  // Turns to the next code of a schedule when its step has come.
  void FollowSchedule(Player& player) {
    const std::vector<CodeChange>& changes =
        work_.options.changes[static_cast<std::size_t>(CodeOf(player))];
    for (; player.next_change < changes.size() &&
           changes[player.next_change].step <= player.episode.steps();
         ++player.next_change) {
      const CodeChange& change = changes[player.next_change];
      player.blend.BlendTo(change.code, change.blend_steps);
    }
    if (player.blend.Advance()) Prepare(player);
  }

  // Draws and records the actions of the active simulations.
  void Act() {
    const auto action_size = static_cast<std::size_t>(work_.environment.action_size());
    const auto observation_size = static_cast<std::size_t>(work_.environment.observation_size());
    const bool sampled = work_.options.mode == net::RolloutMode::kSampled;
    for (std::size_t row = 0; row < active_.size(); ++row) {
      work_.model.observations.Apply(batch_.observation(active_[row]).data(), 1,
                                     observations_.data() + row * observation_size);
      Player& player = players_[static_cast<std::size_t>(active_[row])];
      if (!work_.options.changes.empty()) FollowSchedule(player);
      prepared_[row] = player.prepared.data();
    }
    work_.model.decoder.Forward(observations_.data(), prepared_.data(),
                                static_cast<int>(active_.size()), means_.data(),
                                log_deviations_.data(), workspace_);

    for (std::size_t row = 0; row < active_.size(); ++row) {
      const auto i = static_cast<std::size_t>(active_[row]);
      Player& player = players_[i];
      core::Stream noise = StreamOf(player, core::Purpose::kAction, player.episode.steps());
      for (std::size_t a = 0; a < action_size; ++a) {
        const float mean = means_[row * action_size + a];
        const float deviation = std::exp(log_deviations_[row * action_size + a]);
        const float raw = sampled ? mean + deviation * static_cast<float>(noise.Normal()) : mean;
        controls_[i * action_size + a] =
            RecordAction(work_.environment, a, raw, mean, player.episode);
        player.episode.action_stds.push_back(deviation);
      }
    }
  }

  // Records the step. If the episode has ended, finishes it and starts the next job. Returns false
  // if none is left.
  bool GoOn(int simulation) {
    Player& player = players_[static_cast<std::size_t>(simulation)];
    const sim::StepOutcome& outcome = batch_.outcomes()[static_cast<std::size_t>(simulation)];
    CheckObjectives(work_.environment, outcome, "code", CodeOf(player));
    RecordStep(batch_, simulation, {}, player.episode);
    if (player.episode.steps() == work_.options.save_at && !outcome.ended())
      Save(player, simulation);
    if (!outcome.ended() && player.episode.steps() < work_.step_limit) return true;
    Finish(player);
    return TakeJob(simulation);
  }

  void Save(const Player& player, int simulation) {
    const auto job = static_cast<std::size_t>(player.job);
    const std::size_t size = batch_.state_size();
    batch_.SaveState(simulation, std::span(work_.result.states).subspan(job * size, size));
    work_.result.saved[job] = 1;
  }

  void Finish(const Player& player) {
    const data::Episode& episode = player.episode;
    const auto job = static_cast<std::size_t>(player.job);
    work_.result.lengths[job] = static_cast<int>(episode.steps());
    // An episode that ends early counts as full progress.
    work_.progress.Advance(work_.step_limit - episode.steps());
    if (episode.diverged) return;
    const auto width = static_cast<std::size_t>(work_.result.objectives);
    values_.Compute(episode, std::span(work_.result.values).subspan(job * width, width));
    work_.result.diverged[job] = 0;
    if (work_.options.on_episode) {
      work_.options.on_episode(CodeOf(player), EpisodeOf(player), episode);
    }
  }

  Work& work_;
  sim::Batch batch_;
  std::vector<Player> players_;  // per simulation
  EpisodeValues values_;
  std::vector<int> active_;             // simulations with a job
  std::vector<double> controls_;        // [simulations, A]
  std::vector<float> observations_;     // [active, O], normalised
  std::vector<const float*> prepared_;  // [active]
  std::vector<float> means_;            // [active, A]
  std::vector<float> log_deviations_;   // [active, A]
  std::vector<float> workspace_;
};

}  // namespace

sim::Environment MakeEnvironment(const net::Model& model) {
  const net::ModelDescription& description = model.description;
  if (!description.environment.has_files()) {
    Fail(
        "the model has no environment to act in, because its data were imported without one; name "
        "it at the import");
  }
  sim::Environment made(description.environment);
  if (made.observation_size() != model.observation_size() ||
      made.action_size() != model.action_size()) {
    Fail("the model maps {} observations to {} actions; its environment '{}' has {} and {}",
         model.observation_size(), model.action_size(), made.id(), made.observation_size(),
         made.action_size());
  }
  CheckActionRange(model, made);
  [[maybe_unused]] const EpisodeValues checked(made, model);  // the objectives fit
  return made;
}

std::optional<CodeRun> RollOutCodes(const sim::Environment& environment, const net::Model& model,
                                    std::span<const float> codes, const CodeRunOptions& options) {
  const auto code_size = static_cast<std::size_t>(model.code_size());
  RHUMB_CHECK(codes.size() % code_size == 0, "{} numbers in codes of {}", codes.size(), code_size);
  RHUMB_CHECK(options.episodes >= 1 && options.job.threads >= 1 && options.batch >= 1,
              "{} episodes, {} threads, batches of {}", options.episodes, options.job.threads,
              options.batch);
  const auto bad =
      std::find_if(codes.begin(), codes.end(), [](float x) { return !std::isfinite(x); });
  if (bad != codes.end()) {
    Fail("code {} has a number that is not finite",
         static_cast<std::size_t>(bad - codes.begin()) / code_size);
  }
  RHUMB_CHECK(options.changes.empty() || options.changes.size() == codes.size() / code_size,
              "changes of {} codes for {}", options.changes.size(), codes.size() / code_size);
  for (const std::vector<CodeChange>& changes : options.changes) CheckChanges(changes, code_size);

  CodeRun result;
  result.codes = static_cast<int>(codes.size() / code_size);
  result.episodes = options.episodes;
  result.objectives = static_cast<int>(model.description.objectives.size());
  const std::int64_t jobs = std::int64_t{result.codes} * options.episodes;
  const auto count = static_cast<std::size_t>(jobs);
  result.values.assign(count * model.description.objectives.size(),
                       std::numeric_limits<double>::quiet_NaN());
  result.lengths.assign(count, 0);
  result.diverged.assign(count, 1);  // until the episode is played
  if (jobs == 0) return result;
  if (options.save_at > 0 || !options.states.empty()) {
    const std::size_t state_size = sim::Batch(environment, {}).state_size();
    RHUMB_CHECK(options.states.empty() ||
                    options.states.size() == static_cast<std::size_t>(result.codes) * state_size,
                "{} numbers in the states of {} codes", options.states.size(), result.codes);
    if (options.save_at > 0) {
      result.states.assign(count * state_size, 0);
      result.saved.assign(count, 0);
    }
  }

  // Spreads the jobs over all workers before filling any batch.
  const auto threads = static_cast<int>(std::min<std::int64_t>(options.job.threads, jobs));
  const auto simulations =
      static_cast<int>(std::min<std::int64_t>(options.batch, (jobs + threads - 1) / threads));
  const int step_limit = options.steps > 0 ? std::min(options.steps, environment.time_limit())
                                           : environment.time_limit();
  core::Progress progress(options.label, jobs * step_limit, {.quiet = options.job.quiet});
  Work work{environment, model, codes.data(), options, result, progress, jobs, step_limit};
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < threads; ++i) workers.push_back(std::make_unique<Worker>(work, simulations));
  core::ThreadPool pool(threads);
  pool.ParallelFor(threads, [&](std::int64_t index, int) {
    try {
      workers[static_cast<std::size_t>(index)]->Run();
    } catch (...) {
      work.stopped = true;
      throw;
    }
  });
  if (work.stopped) return std::nullopt;
  return result;
}

namespace {

// Applies `number` [K] to each code's episodes that did not diverge: [N, K].
std::vector<double> PerCode(
    const CodeRun& run,
    core::FunctionRef<std::vector<double>(const core::RunningStatistics&)> number) {
  const auto width = static_cast<std::size_t>(run.objectives);
  std::vector<double> numbers;
  std::size_t job = 0;
  for (int code = 0; code < run.codes; ++code) {
    core::RunningStatistics statistics(run.objectives);
    for (int episode = 0; episode < run.episodes; ++episode, ++job) {
      if (run.diverged[job] != 0) continue;
      statistics.AddRow(std::span(run.values).subspan(job * width, width));
    }
    const std::vector<double> row =
        statistics.count() > 0
            ? number(statistics)
            : std::vector<double>(width, std::numeric_limits<double>::quiet_NaN());
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
  return numbers;
}

}  // namespace

std::vector<double> CodeRun::Means() const {
  return PerCode(*this, [](const core::RunningStatistics& played) { return played.mean(); });
}

std::vector<double> CodeRun::Deviations() const {
  return PerCode(*this, [](const core::RunningStatistics& played) { return played.sample_std(); });
}

}  // namespace rhumb::rollout
