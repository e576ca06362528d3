#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/played_schedule.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/error.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/core/text.h"
#include "rhumb/eval/steering/schedule_trial.h"
#include "rhumb/film/film.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/rollout/recording.h"
#include "rhumb/rollout/trajectory.h"
#include "rhumb/sim/batch.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/code_file.h"
#include "rhumb/steer/schedule.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct PlayConfig {
  int episodes = 1;
  int steps = 0;
  int width = 480;
  int height = 360;
  void Visit(core::FieldVisitor& v) {
    v("episodes", episodes, core::Range{1, 100000}, "episodes to play");
    v("steps", steps, core::Range{0, 10000000}, "step limit of an episode; 0: the environment's");
    v("width", width, core::Range{16, 4096, "pixels"}, "width of the video");
    v("height", height, core::Range{16, 4096, "pixels"}, "height of the video");
  }
};

struct PlayRequest {
  std::string model;                   // "" if a policy acts
  std::string code, before, schedule;  // file names
  int answer = 1, tries = 4;
  std::string mode;  // "": the code file's
  std::string policy = "random";
  std::string environment, rewards, video, record;

  void AddTo(Command& command);
};

void PlayRequest::AddTo(Command& command) {
  const Option of_model =
      command.Add("MODEL", model, "folder of a model whose decoder acts, or its name in the zoo");
  const Option of_code =
      command.Add("--code", code,
                  "JSON file with the code to play, from `rhumb steer --out` or `rhumb encode "
                  "--out`. Without an answer in it, its nearest behaviour is played",
                  {.needs = {of_model}});
  command.Add("--answer", answer, "number of the answer of `rhumb steer`; 1 is the best",
              {.between = {1, 100}, .needs = {of_code}, .show_default = true});
  const Option of_schedule = command.Add(
      "--schedule", schedule,
      "JSON lines with behaviours one after another: {\"step\": 0, \"target\": {\"forward\": "
      "2000}}, then {\"step\": 500, \"blend\": 20, \"code\": \"code.json\"}",
      {.needs = {of_model}, .excludes = {of_code}});
  command.Add(
      "--try", tries,
      "number of answers to simulate from the robot's state where a query takes over; the one "
      "whose values change least plays. 0: the best answer, without a simulation",
      {.between = {0, 100}, .needs = {of_schedule}, .show_default = true});
  command.Add("--mode", mode, "how the decoder acts (default: as the code file says, else sampled)",
              {.one_of = {"sampled", "mean"}, .needs = {of_model}});
  command.Add(
      "--record", record,
      "write the first episode to this JSON file, for `rhumb encode` and `rhumb envs replay`");
  AddEnvironment(command, environment, rewards, {.excludes = {of_model}});
  command.Add("--policy", policy, "policy that acts if there is no model",
              {.one_of = {"random", "zero"}, .excludes = {of_model}, .show_default = true});
  const Option of_video = command.Add(
      "--video", video, "film the episodes to FILE.webp; .mp4, .gif and .webm need ffmpeg");
  command.Add("--before", before, "second code, shown on the left side of the video",
              {.needs = {of_code, of_video}, .excludes = {of_schedule}});
}

struct PlayedEpisode {
  int length = 0;
  std::vector<double> returns;  // [K]
  std::string ending;
  film::Take take;  // if filmed
};

std::string EndingOf(bool terminated, bool truncated) {
  if (terminated) return "fell";
  if (truncated) return "time limit";
  return "stopped";
}
constexpr const char* kDiverged = "diverged";
constexpr const char kRecorded[] = "trajectory of episode 0: {}\n";

// Starts the requested film, if any.
std::optional<film::Film> BeginFilm(const sim::Environment& environment, const PlayRequest& request,
                                    const PlayConfig& config) {
  if (request.video.empty()) return std::nullopt;
  return std::make_optional<film::Film>(
      environment, request.video,
      film::FilmOptions{
          .width = config.width, .height = config.height, .panes = request.before.empty() ? 1 : 2});
}

json ToJson(std::span<const std::string> objectives, std::span<const PlayedEpisode> episodes) {
  json list = json::array();
  for (const PlayedEpisode& episode : episodes) {
    list.push_back({{"steps", episode.length},
                    {"returns", core::ByName(episode.returns, objectives)},
                    {"ending", episode.ending}});
  }
  return list;
}

std::string FormatEpisodes(std::span<const std::string> objectives,
                           std::span<const PlayedEpisode> episodes) {
  Table rows = {{"episode", "steps"}};
  rows[0].insert(rows[0].end(), objectives.begin(), objectives.end());
  rows[0].push_back("ended by");
  for (std::size_t e = 0; e < episodes.size(); ++e) {
    Row& row = rows.emplace_back(Row{std::to_string(e), std::to_string(episodes[e].length)});
    for (const double value : episodes[e].returns) row.push_back(fmt::format("{:.2f}", value));
    row.push_back(episodes[e].ending);
  }
  return FormatTable(rows);
}

// Plays the batch's one simulation, unit `unit` of the run, from its start, and records it.
PlayedEpisode PlayEpisode(sim::Batch& batch, const std::string& policy, std::uint64_t seed,
                          std::uint32_t unit, int step_limit, core::Progress& progress,
                          data::Episode& recorded) {
  const sim::Environment& environment = batch.environment();
  PlayedEpisode played;
  played.returns.resize(batch.rewards().size(), 0.0);
  std::vector<float> action(static_cast<std::size_t>(environment.action_size()), 0.0f);
  std::vector<double> controls(action.size());
  rollout::BeginRecording(batch, 0, recorded);
  for (int step = 0; step < step_limit; ++step) {
    if (policy == "random") {
      core::Stream noise(seed, core::Purpose::kAction, unit, 0, step);
      for (float& value : action) value = static_cast<float>(noise.Uniform(-1, 1));
    }
    for (std::size_t a = 0; a < action.size(); ++a) {
      controls[a] = rollout::RecordAction(environment, a, action[a], action[a], recorded);
    }
    batch.StepControls(controls);
    rollout::RecordStep(batch, 0, {}, recorded);
    ++played.length;
    progress.Advance();
    for (std::size_t k = 0; k < played.returns.size(); ++k) played.returns[k] += batch.rewards()[k];
    const sim::StepOutcome& outcome = batch.outcomes()[0];
    played.ending = outcome.diverged ? kDiverged : EndingOf(outcome.terminated, outcome.truncated);
    if (outcome.ended()) break;
  }
  played.take = {.poses = recorded.qpos, .mocap = recorded.mocap};
  if (recorded.diverged) played.take.poses.resize(recorded.qpos.size() - batch.qpos(0).size());
  return played;
}

// Writes the episode's name and returns over its film.
void Caption(const std::string& name, std::span<const std::string> objectives,
             PlayedEpisode& episode) {
  episode.take.caption = film::CaptionOf(name, objectives, episode.returns);
}

// Films the episodes of both side by side; skips those that could not be simulated.
void FinishFilm(film::Film& film, std::span<const PlayedEpisode> before,
                std::span<const PlayedEpisode> after) {
  core::CatchInterrupts();  // drawing takes seconds, and an interrupted film says so
  bool any = false;
  for (std::size_t e = 0; e < after.size(); ++e) {
    if (after[e].take.poses.empty() || (!before.empty() && before[e].take.poses.empty())) continue;
    any = true;
    if (before.empty()) {
      film.Add({&after[e].take, 1});
    } else {
      film.Add(std::array{before[e].take, after[e].take});
    }
  }
  if (!any) Fail("every episode diverged, so there is nothing to film");
  film.Finish();
}

// Writes the first episode for --record.
template <class Objectives>
void Record(const std::string& file, const sim::Environment& environment,
            const data::Episode& first, const Objectives& objectives, const PlayedEpisode& played) {
  if (first.steps() == 0 || first.diverged) {
    Fail("episode 0 diverged, so it cannot be written to {}", file);
  }
  const std::vector<std::string> names = core::NamesOf(objectives);
  rollout::WriteTrajectory(file, environment, first, names, played.returns);
}

void PlayPolicy(const CommonOptions& options, const PlayRequest& request,
                const PlayConfig& config) {
  const sim::Environment environment(sim::FindBundle(request.environment, request.rewards));
  const int step_limit = config.steps > 0 ? std::min(config.steps, environment.time_limit())
                                          : environment.time_limit();
  std::optional<film::Film> film = BeginFilm(environment, request, config);
  core::Progress progress("play", static_cast<std::int64_t>(step_limit) * config.episodes);
  std::vector<PlayedEpisode> episodes;
  data::Episode recorded;
  for (std::uint32_t unit = 0; unit < static_cast<std::uint32_t>(config.episodes); ++unit) {
    sim::Batch batch(environment, {.seed = options.seed, .first_unit = unit, .restart = false});
    batch.Reset();
    episodes.push_back(
        PlayEpisode(batch, request.policy, options.seed, unit, step_limit, progress, recorded));
    if (!film) episodes.back().take = {};
    if (unit == 0 && !request.record.empty()) {
      Record(request.record, environment, recorded, environment.objectives(), episodes[0]);
    }
  }
  progress.Finish();
  const std::vector<std::string> objectives = core::NamesOf(environment.objectives());
  if (film) {
    for (PlayedEpisode& episode : episodes) Caption("", objectives, episode);
    FinishFilm(*film, {}, episodes);
  }
  json document = {{"env", environment.id()},
                   {"rewards", environment.rewards()},
                   {"policy", request.policy},
                   {"episodes", ToJson(objectives, episodes)}};
  if (film) document["video"] = request.video;
  if (!request.record.empty()) document["record"] = request.record;
  if (options.json) return PrintJson(document);
  fmt::print("{}", FormatEpisodes(objectives, episodes));
  if (film) fmt::print("video: {}\n", request.video);
  if (!request.record.empty()) fmt::print(kRecorded, request.record);
}

// Plays a model's codes, each as code number 0, so two codes start alike.
struct CodePlayer {
  const sim::Environment& environment;
  const net::Model& model;
  rollout::CodeRunOptions options;
  bool filmed = false;
  // Sees every finished episode, one at a time; may be empty.
  std::function<void(const data::Episode& episode)> see = nullptr;

  // `first` becomes a copy of episode 0, or empty if that diverged.
  std::vector<PlayedEpisode> Play(std::span<const float> code, data::Episode& first) const {
    std::vector<PlayedEpisode> episodes(static_cast<std::size_t>(options.episodes));
    rollout::CodeRunOptions run_options = options;
    std::mutex seeing;
    run_options.on_episode = [&](int, int e, const data::Episode& recorded) {
      if (see) {
        const std::scoped_lock one_at_a_time(seeing);
        see(recorded);
      }
      PlayedEpisode& played = episodes[static_cast<std::size_t>(e)];
      played.ending = EndingOf(recorded.terminations.back() != 0, recorded.truncations.back() != 0);
      if (filmed) played.take = {.poses = recorded.qpos, .mocap = recorded.mocap};
      if (e == 0) first = recorded;
    };
    const rollout::CodeRun run =
        rollout::RollOutCodes(environment, model, code, run_options).value();
    const auto width = static_cast<std::size_t>(run.objectives);
    for (std::size_t e = 0; e < episodes.size(); ++e) {
      episodes[e].length = run.lengths[e];
      const std::span<const double> values = std::span(run.values).subspan(e * width, width);
      episodes[e].returns.assign(values.begin(), values.end());
      if (run.diverged[e] != 0) episodes[e].ending = kDiverged;
    }
    return episodes;
  }
};

// Without a code there is no behaviour. MODEL may be an environment by mistake.
void CheckHasCode(const PlayRequest& request) {
  if (!request.code.empty()) return;
  std::error_code none;
  const std::vector<std::string> ids = sim::KnownIds();
  const bool is_folder = std::filesystem::exists(request.model, none);
  if (!is_folder && std::ranges::count(ids, request.model) > 0) {
    Fail("{} is an environment, not a model; play it with --env {}", request.model, request.model);
  }
  zoo::FindModel(request.model);  // a misspelt name comes first
  Fail("choose the behaviour of {} to play with --code FILE", request.model);
}

// The mode of the command line, or else the one for which the code was chosen.
net::RolloutMode ChooseMode(const PlayRequest& request, const steer::StoredCode& stored) {
  if (request.mode.empty()) return stored.mode.value_or(net::RolloutMode::kSampled);
  const net::RolloutMode mode = net::ParseRolloutMode(request.mode);
  if (stored.mode && *stored.mode != mode) {
    core::LogInfo("{} is for {} actions; its predictions do not hold for {} ones", request.code,
                  net::NameOf(*stored.mode), net::NameOf(mode));
  }
  return mode;
}

void PlayCode(const CommonOptions& options, const PlayRequest& request, const PlayConfig& config) {
  CheckHasCode(request);
  const net::Model model = net::ReadModel(zoo::FindModel(request.model));
  const steer::StoredCode stored = steer::ReadCode(request.code, model, request.answer);
  const std::vector<float>& code = stored.code;
  const net::RolloutMode mode = ChooseMode(request, stored);
  if (!stored.nearest_of.empty()) {
    core::LogInfo("{} has no answer (status {}); this is the nearest behaviour", request.code,
                  stored.nearest_of);
  }
  std::vector<float> before_code;
  if (!request.before.empty()) before_code = steer::ReadCode(request.before, model).code;
  const sim::Environment environment = rollout::MakeEnvironment(model);
  std::optional<film::Film> film = BeginFilm(environment, request, config);

  const CodePlayer player{.environment = environment,
                          .model = model,
                          .options = {.mode = mode,
                                      .episodes = config.episodes,
                                      .steps = config.steps,
                                      .label = "play",
                                      .job = {.seed = options.seed, .threads = options.threads}},
                          .filmed = film.has_value()};
  data::Episode first, unused;
  std::vector<PlayedEpisode> episodes = player.Play(code, first);
  std::vector<PlayedEpisode> before;
  if (!before_code.empty()) before = player.Play(before_code, unused);
  const std::vector<std::string> objectives = core::NamesOf(model.description.objectives);
  if (film) {
    for (PlayedEpisode& episode : before) Caption("before", objectives, episode);
    for (PlayedEpisode& one : episodes) Caption(before.empty() ? "" : "after", objectives, one);
    FinishFilm(*film, before, episodes);
  }
  if (!request.record.empty()) {
    Record(request.record, environment, first, model.description.objectives, episodes[0]);
  }

  json document = {{"env", environment.id()},
                   {"rewards", environment.rewards()},
                   {"model", request.model},
                   {"mode", net::NameOf(mode)},
                   {"model_hash", net::HashOfCodes(model)},
                   {"code", code},
                   {"episodes", ToJson(objectives, episodes)}};
  if (!before.empty()) document["before"] = ToJson(objectives, before);
  if (film) document["video"] = request.video;
  if (!request.record.empty()) document["record"] = request.record;
  if (options.json) return PrintJson(document);
  if (!before.empty()) fmt::print("before:\n{}after:\n", FormatEpisodes(objectives, before));
  fmt::print("{}", FormatEpisodes(objectives, episodes));
  if (film) {
    fmt::print("video: {}{}\n", request.video,
               before.empty() ? "" : ", before on the left, after on the right");
  }
  if (!request.record.empty()) fmt::print(kRecorded, request.record);
}

void PlaySchedule(const CommonOptions& options, const PlayRequest& request,
                  const PlayConfig& config) {
  const net::Model model = net::ReadModel(zoo::FindModel(request.model));
  const net::RolloutMode mode =
      net::ParseRolloutMode(request.mode.empty() ? "sampled" : request.mode);
  steer::SteerOptions steering = steer::PresetOptions("default");
  steering.answers = std::max(1, request.tries);
  const steer::Steerer steerer(model, mode, steering);
  std::vector<steer::ScheduledCode> schedule = steer::ReadSchedule(request.schedule, steerer);
  for (const steer::ScheduledCode& one : schedule) {
    if (one.status == steer::Status::kSolved) continue;
    core::LogInfo("step {}: {} is {}; the nearest behaviour plays", one.step, one.words,
                  steer::NameOf(one.status));
  }
  const sim::Environment environment = rollout::MakeEnvironment(model);
  const core::Job job{.seed = options.seed, .threads = options.threads};
  const int others =
      Finished(eval::TrySchedule(environment, model,
                                 {.mode = mode, .steps = config.steps, .job = job}, schedule),
               "interrupted");
  if (others > 0) {
    core::LogInfo("at {} of {} changes another answer takes over better than the best", others,
                  schedule.size() - 1);
  }
  std::optional<film::Film> film = BeginFilm(environment, request, config);
  const auto objectives_count = static_cast<std::size_t>(environment.objective_count());
  std::vector<PlayedSpan> spans(schedule.size(), {0, std::vector<double>(objectives_count)});
  const CodePlayer player{.environment = environment,
                          .model = model,
                          .options = {.mode = mode,
                                      .episodes = config.episodes,
                                      .steps = config.steps,
                                      .changes = {eval::ChangesOf(schedule)},
                                      .label = "play",
                                      .job = job},
                          .filmed = film.has_value(),
                          .see = [&](const data::Episode& episode) {
                            AddSpans(episode, schedule, objectives_count, spans);
                          }};
  data::Episode first;
  std::vector<PlayedEpisode> episodes = player.Play(schedule.front().answer.code, first);
  const std::vector<std::string> objectives = core::NamesOf(model.description.objectives);
  if (film) {
    for (PlayedEpisode& episode : episodes) Caption("schedule", objectives, episode);
    FinishFilm(*film, {}, episodes);
  }
  if (!request.record.empty()) {
    Record(request.record, environment, first, model.description.objectives, episodes[0]);
  }
  json document = {{"env", environment.id()},   {"rewards", environment.rewards()},
                   {"model", request.model},    {"mode", net::NameOf(mode)},
                   {"schedule", json::array()}, {"episodes", ToJson(objectives, episodes)}};
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    document["schedule"].push_back(ToJson(schedule[i], spans[i], environment, model));
  }
  if (film) document["video"] = request.video;
  if (!request.record.empty()) document["record"] = request.record;
  if (options.json) return PrintJson(document);
  fmt::print("{}{}", FormatSchedule(document["schedule"], environment),
             FormatEpisodes(objectives, episodes));
  if (film) fmt::print("video: {}\n", request.video);
  if (!request.record.empty()) fmt::print(kRecorded, request.record);
}

void Play(const CommonOptions& options, const PlayRequest& request, const PlayConfig& config) {
  if (!request.schedule.empty()) return PlaySchedule(options, request, config);
  if (!request.model.empty()) return PlayCode(options, request, config);
  if (request.environment.empty())
    Fail("nothing to play: give a MODEL with --code FILE, or --env ID");
  PlayPolicy(options, request, config);
}

}  // namespace

void AddPlayCommand(Command& app) {
  AddCommand<PlayRequest, PlayConfig>(
      app,
      {"play", "roll out a model's code or a simple policy, and film it",
       "  rhumb play --env mo-hopper-v5 --policy random\n"
       "  rhumb play --env mo-ant-v5 --policy random --video ant.webp --set steps=100\n"
       "  rhumb play cheetah.model --code code.json --mode mean --record run.json\n"
       "  rhumb play cheetah.model --code after.json --before before.json --video both.webp\n"
       "  rhumb play cheetah.model --schedule faster.jsonl --video faster.webp\n"},
      Play);
}

}  // namespace rhumb::cli
