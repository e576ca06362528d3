#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "rhumb/cli/answer_rollout.h"
#include "rhumb/cli/commands.h"
#include "rhumb/cli/model_verdict.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/query_hint.h"
#include "rhumb/cli/steer_report.h"
#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/text.h"
#include "rhumb/eval/steering/steer_document.h"
#include "rhumb/eval/steering/steering_picture.h"
#include "rhumb/eval/steering/trial.h"
#include "rhumb/eval/steering/verification.h"
#include "rhumb/film/film.h"
#include "rhumb/net/model.h"
#include "rhumb/report/picture.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/rollout/trajectory.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/attainable.h"
#include "rhumb/steer/diagnosis.h"
#include "rhumb/steer/path_recorder.h"
#include "rhumb/steer/query/query_file.h"
#include "rhumb/steer/steerer.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// Filmed seconds per episode; a whole episode takes half a minute to draw without a GPU.
constexpr double kFilmSeconds = 5;
constexpr std::uint64_t kMaxBatchBytes = 1 << 28;

struct SteerArguments {
  std::string model, preset = "default", mode = "sampled";
  std::vector<std::string> targets, requirements, maximise, minimise, changes;
  std::string query_file, batch_file, like, out, picture, video;
  std::optional<std::int64_t> episode;
  std::optional<double> confidence;
  std::optional<int> answers;
  int rollouts = 0, tries = 0;

  void AddTo(Command& command);
  steer::SteerOptions Preset() const { return steer::PresetOptions(preset); }
  void Override(steer::SteerOptions& settings) const {
    settings.confidence = confidence.value_or(settings.confidence);
    settings.answers = answers.value_or(settings.answers);
  }
};

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

steer::Query ResolveQuery(const SteerArguments& arguments, const std::string& objective) {
  steer::Query query;
  if (!arguments.query_file.empty()) query = steer::ReadQuery(arguments.query_file);
  for (const std::string& text : arguments.targets) query.AddTarget(text);
  for (const std::string& text : arguments.requirements) query.AddRequirement(text);
  for (const std::string& text : arguments.changes) query.AddChange(text);
  for (const std::string& text : arguments.maximise) query.Maximise(text);
  for (const std::string& text : arguments.minimise) query.Minimise(text);
  if (!query.changes.empty() && arguments.like.empty()) {
    Fail("'{}' is a change of a recorded trajectory; name the trajectory with --like",
         query.changes.front().quantity);
  }
  if (query.empty() && !arguments.like.empty()) {
    Fail("--like {} alone asks for nothing; say what to change, for example --change '{} -20%'",
         arguments.like, objective);
  }
  return query;
}

// Returns the recorded trajectory named by --like, if any. Values that it does not record for a
// whole episode are predicted from its code.
std::optional<steer::Reference> ReadReference(const CommonOptions& options,
                                              const SteerArguments& arguments,
                                              const steer::Steerer& steerer,
                                              const steer::Query& query) {
  if (arguments.like.empty()) return std::nullopt;
  const net::Model& model = steerer.model();
  const rollout::Trajectory trajectory =
      rollout::ReadTrajectory(arguments.like, arguments.episode, model);
  steer::Reference reference;
  reference.code = rollout::EncodeTrajectory(
      model, trajectory,
      {.draws = rollout::kTrajectoryDraws, .seed = options.seed, .threads = options.threads});
  reference.values = steerer.Assess(reference.code).predicted;
  bool left_aside = false;
  for (std::size_t k = 0; k < reference.values.size(); ++k) {
    if (std::isnan(trajectory.values[k])) continue;
    left_aside |= !trajectory.whole;
    if (trajectory.whole) reference.values[k] = trajectory.values[k];
  }
  steerer.Check(query, &reference);
  if (left_aside) {
    core::LogInfo(
        "{} has {} of an episode's {} steps, so its returns are ignored; values of a whole episode "
        "are predicted from its code",
        arguments.like, trajectory.steps.count(), model.description.time_limit);
  }
  return reference;
}

rollout::CodeRunOptions RollOutOptions(const CommonOptions& options,
                                       const SteerArguments& arguments) {
  rollout::CodeRunOptions run;
  run.mode = net::ParseRolloutMode(arguments.mode);
  run.episodes = arguments.rollouts;
  run.job = options.MakeJob(options.json);
  return run;
}

// A behaviour to film, with the lines written over it.
struct FilmedCode {
  std::vector<float> code;
  std::string caption;
};

// Films one episode of each code, all from the same start, side by side. If that is impossible,
// prints a line on stderr and returns false.
bool FilmCodes(const CommonOptions& options, const SteerArguments& arguments,
               const net::Model& model, const std::vector<FilmedCode>& codes) {
  core::CatchInterrupts();
  const sim::Environment environment = rollout::MakeEnvironment(model);
  std::optional<film::Film> film;
  try {
    film.emplace(
        environment, arguments.video,
        film::FilmOptions{.width = 360, .height = 270, .panes = static_cast<int>(codes.size())});
  } catch (const Error& problem) {
    core::LogWarning("{} was not written: {}", arguments.video, problem.what());
    return false;
  }
  std::vector<film::Take> takes(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    rollout::CodeRunOptions run = RollOutOptions(options, arguments);
    run.episodes = 1;
    run.job.quiet = true;
    run.steps = std::max(1, static_cast<int>(kFilmSeconds / environment.control_step()));
    run.on_episode = [&](int, int, const data::Episode& recorded) {
      takes[i] = {.poses = recorded.qpos, .mocap = recorded.mocap, .caption = codes[i].caption};
    };
    if (!rollout::RollOutCodes(environment, model, codes[i].code, run)) {
      core::FailInterrupted("interrupted while rolling out; {} was not written", arguments.video);
    }
    if (takes[i].poses.empty()) {
      core::LogWarning("{} was not written: the simulation of a code diverged", arguments.video);
      return false;
    }
  }
  film->Add(takes);
  film->Finish();
  return true;
}

// The numbers are on stdout already.
[[noreturn]] void FailUnsolved(const steer::Result& result) {
  throw core::CommandFailed{core::kRefused, fmt::format("{}: {}", steer::NameOf(result.status),
                                                        result.infeasibility->reason)};
}

// Is the answer's interval for an objective narrow? A few codes that fall can make up most of an
// objective's variance, while the map knows the place of the answer well.
bool IsSureOf(const SteerOutcome& outcome, const std::string& objective) {
  constexpr double kNarrow = 0.25;  // as a share of what the map offers
  if (outcome.result.answers.empty() || outcome.result.answers.front().interval.empty()) {
    return false;
  }
  const std::size_t k =
      core::FindNamed(outcome.model.description.objectives, objective, "unknown objective");
  const steer::Interval own = outcome.result.answers.front().interval[k];
  const steer::Interval offered = steer::AttainableRanges(outcome.model, outcome.mode)[k];
  return own.high - own.low <= kNarrow * (offered.high - offered.low);
}

// Says that the map knows little about something that was asked for.
void WarnOfPoorMap(const SteerOutcome& outcome) {
  const std::vector<Verdict> verdicts = JudgeModel(outcome.model, outcome.mode);
  const std::string asked = steer::Describe(outcome.query);
  for (const Verdict& verdict : verdicts) {
    if (verdict.quality != Quality::kPoor && verdict.quality != Quality::kUseless) continue;
    if (!core::HasWord(asked, verdict.objective) || IsSureOf(outcome, verdict.objective)) continue;
    core::LogWarning("the map is poor; {}; to do: {}", Describe(verdict), Advice({verdict}));
  }
}

void PrintResult(const SteerOutcome& outcome, const steer::Steerer& steerer) {
  const steer::Result& result = outcome.result;
  fmt::print("asked: {}\n", eval::DescribeBriefly(outcome.query));
  fmt::print("{} in {:.1f} ms, predicted from {}\n\n", steer::NameOf(result.status),
             result.solve_ms, steerer.grounded() ? "roll-outs" : "the teachers' labels");
  if (!result.answers.empty()) {
    fmt::print("{}", FormatAnswers(outcome));
    for (std::size_t a = 0; a < result.answers.size(); ++a) {
      const steer::Answer& answer = result.answers[a];
      const std::string likely = DescribeProbability(answer);
      fmt::print("answer {}: {}{}{}\n", a + 1, DescribeOrigin(answer), likely.empty() ? "" : "; ",
                 likely);
    }
  }
  for (const std::string& remark : RemarksOn(outcome, steerer.options())) {
    fmt::print("{}\n", remark);
  }
  if (!result.infeasibility) return;
  const double asked = std::max(steer::kLikely, steerer.options().confidence);
  fmt::print("{}", FormatDiagnosis(outcome, asked));
}

std::string_view NameHeads(const steer::Steerer& steerer) {
  return steerer.grounded() ? "grounded" : "labels";
}

// The results of --picture and --video.
struct Shown {
  bool picture = false, video = false;
};

// The lines over a filmed behaviour: its name, and the values that the query is about.
std::string CaptionOf(const SteerOutcome& outcome, const std::string& name,
                      const std::vector<double>& values) {
  std::vector<std::string> names;
  std::vector<double> shown;
  const std::string asked = steer::Describe(outcome.query);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string& objective = outcome.model.description.objectives[k].name;
    const bool is_shaping = static_cast<int>(k) < outcome.model.description.shaping_labels;
    if (!is_shaping && !core::HasWord(asked, objective)) continue;
    names.push_back(objective);
    shown.push_back(values[k]);
  }
  return film::CaptionOf(name, names, shown);
}

// Draws and films the best answer, or the nearest behaviour without answers.
Shown ShowAnswer(const CommonOptions& options, const SteerArguments& arguments,
                 const steer::Steerer& steerer, const SteerOutcome& outcome,
                 const steer::PathRecorder& recorder) {
  const std::vector<steer::Answer>& answers = outcome.result.answers;
  const bool is_solved = !answers.empty();
  const steer::Answer& answer = is_solved ? answers.front() : outcome.result.infeasibility->nearest;
  const eval::Realised* realised = outcome.realised.empty() ? nullptr : &outcome.realised.front();
  const std::vector<float> before = eval::CodeBefore(steerer.model(), outcome.reference);
  const char* name = is_solved ? "after" : "nearest";
  Shown shown;
  if (!arguments.picture.empty()) {
    std::vector<std::vector<float>> path;
    if (is_solved) path = recorder.PathTo(answer, eval::kPathPoints);
    json document = eval::DescribeSteering(steerer, outcome.query, before, path, answer, realised);
    document["rows"] = RowsOfPicture(outcome);
    eval::AddOtherAnswers(steerer, outcome.result, document);
    shown.picture = report::DrawPicture("steer.py", document, arguments.picture);
    if (!shown.picture) core::LogWarning("{} was not written", arguments.picture);
  }
  if (!arguments.video.empty()) {
    const steer::Answer start = steerer.Assess(before);
    const std::string before_name =
        outcome.reference != nullptr ? "before, recorded" : "before, predicted";
    shown.video = FilmCodes(
        options, arguments, steerer.model(),
        {{before,
          CaptionOf(outcome, before_name,
                    outcome.reference != nullptr ? outcome.reference->values : start.predicted)},
         {answer.code,
          CaptionOf(outcome, fmt::format("{}, {}", name, realised ? "realised" : "predicted"),
                    realised != nullptr ? realised->mean : answer.predicted)}});
  }
  if (options.json) return shown;
  if (shown.picture) fmt::print("picture: {}\n", arguments.picture);
  if (shown.video) {
    fmt::print("video: {} (left before, right {})\n", arguments.video, name);
  }
  return shown;
}

// Tries candidates only if asked to; the simulator is not loaded otherwise.
eval::Trials SolveOne(const CommonOptions& options, const SteerArguments& arguments,
                      const steer::Steerer& steerer, const eval::TrialTask& task) {
  if (task.tries == 0) {
    return {steerer.Solve(task.query, task.reference, task.seed, task.first_start, task.observe),
            {}};
  }
  const sim::Environment environment = rollout::MakeEnvironment(steerer.model());
  core::CatchInterrupts();
  rollout::CodeRunOptions run = RollOutOptions(options, arguments);
  run.first_code = core::stream_key::kTriedCodes;
  run.label = "try";
  return Finished(eval::SolveByTrying(environment, steerer.model(), task, run),
                  "interrupted while trying; nothing was written");
}

void SteerOne(const CommonOptions& options, const SteerArguments& arguments,
              const net::Model& model, const steer::Steerer& steerer, double load_ms) {
  if (!arguments.video.empty()) film::CheckFilmPath(arguments.video);
  CheckPicturePath(arguments.picture);
  const steer::Query query = ResolveQuery(arguments, model.description.objectives.front().name);
  const std::optional<steer::Reference> recorded =
      ReadReference(options, arguments, steerer, query);
  const steer::Reference* reference = recorded ? &*recorded : nullptr;
  steer::PathRecorder recorder(model.code_size());
  const steer::PrimalDual::Observer observer(recorder);
  const steer::PrimalDual::Observer* observe = arguments.picture.empty() ? nullptr : &observer;
  const rollout::CodeRunOptions run = RollOutOptions(options, arguments);
  const eval::Trials trials = SolveOne(options, arguments, steerer,
                                       {.query = query,
                                        .reference = reference,
                                        .steer = steerer.options(),
                                        .tries = arguments.tries,
                                        .seed = options.seed,
                                        .observe = observe});
  const RolledOutResult rolled_out = RollOutAnswers(run, steerer, query, reference, trials.result);
  const steer::Result& result = rolled_out.result;
  const SteerOutcome outcome{model, run.mode, query, result, rolled_out.realised, reference};
  WarnOfPoorMap(outcome);

  json document = eval::SteerDocument(model, query, result, rolled_out.realised);
  document["model"] = arguments.model;
  document["model_hash"] = net::HashOfCodes(model);
  document["mode"] = arguments.mode;
  document["heads"] = NameHeads(steerer);
  if (!trials.tried.empty()) document["tried"] = eval::ToJson(trials.tried, model.description);
  document["timing_ms"] = {
      {"load", load_ms}, {"solve", result.solve_ms}, {"rollout", rolled_out.milliseconds}};
  if (!arguments.out.empty()) core::WriteFileAtomically(arguments.out, document.dump(2) + "\n");
  const std::vector<std::string> hints =
      result.infeasibility ? HintsFor(query, model, run.mode) : std::vector<std::string>{};
  if (!hints.empty()) document["hints"] = hints;
  if (!options.json) {
    PrintResult(outcome, steerer);
    if (!trials.tried.empty()) fmt::print("{}\n", DescribeTries(trials.tried));
    for (const std::string& hint : hints) fmt::print("{}\n", hint);
    if (!arguments.out.empty()) fmt::print("written: {}\n", arguments.out);
    std::fflush(stdout);  // even if the pictures fail
  }
  const Shown shown = ShowAnswer(options, arguments, steerer, outcome, recorder);
  if (shown.picture) document["picture"] = arguments.picture;
  if (shown.video) document["video"] = arguments.video;
  if (options.json) PrintJson(document);
  if (result.status != steer::Status::kSolved) FailUnsolved(result);
}

// Reads queries that the steerer accepts; an Error names the line. Keys that only tasks have
// (rhumb evaluate --write-tasks) are allowed, so that a file of tasks is a batch too.
std::vector<steer::Query> ReadBatch(const std::string& file, const steer::Steerer& steerer) {
  std::vector<steer::Query> queries;
  for (const auto& [place, document] : core::ReadJsonLines(file, kMaxBatchBytes)) {
    queries.push_back(steer::QueryFromJson(document, place, {"init", "seed", "anchor", "split"}));
    if (!queries.back().changes.empty()) {
      Fail("{}: a batch has no recorded trajectory to change", place);
    }
    try {
      steerer.Check(queries.back());
    } catch (const Error& problem) {
      Fail("{}: {}", place, problem.what());
    }
  }
  if (queries.empty())
    Fail("{} has no query; each line is one, as {{\"target\": {{…}}, \"require\": […]}}", file);
  return queries;
}

void SteerBatch(const CommonOptions& options, const SteerArguments& arguments,
                const net::Model& model, const steer::Steerer& steerer, double load_ms) {
  const std::vector<steer::Query> queries = ReadBatch(arguments.batch_file, steerer);
  const auto begin = Clock::now();
  std::vector<steer::Result> results = steerer.SolveAll(queries, options.threads, options.seed);
  const double solve_ms = MillisecondsSince(begin);
  const auto rolled_out = Clock::now();
  const std::vector<RolledOutResult> rolled_out_results =
      RollOutBatch(RollOutOptions(options, arguments), model, queries, std::move(results));
  json document = {
      {"model", arguments.model},
      {"model_hash", net::HashOfCodes(model)},
      {"mode", arguments.mode},
      {"heads", NameHeads(steerer)},
      {"results", json::array()},
      {"timing_ms",
       {{"load", load_ms}, {"solve", solve_ms}, {"rollout", MillisecondsSince(rolled_out)}}}};
  std::vector<SteerOutcome> outcomes;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const steer::Result& result = rolled_out_results[i].result;
    const std::vector<eval::Realised>& realised = rolled_out_results[i].realised;
    document["results"].push_back(eval::SteerDocument(model, queries[i], result, realised));
    outcomes.push_back(
        {model, net::ParseRolloutMode(arguments.mode), queries[i], result, realised});
  }
  if (!arguments.out.empty()) core::WriteFileAtomically(arguments.out, document.dump(2) + "\n");
  if (options.json) return PrintJson(document);
  fmt::print("{}{} queries in {:.1f} ms\n", FormatBatch(outcomes), queries.size(), solve_ms);
}

void Steer(const CommonOptions& options, const SteerArguments& arguments,
           const steer::SteerOptions& settings) {
  const auto begin = Clock::now();
  const net::Model model = net::ReadModel(zoo::FindModel(arguments.model));
  const steer::Steerer steerer(model, net::ParseRolloutMode(arguments.mode), settings);
  const double load_ms = MillisecondsSince(begin);
  if (arguments.batch_file.empty()) {
    SteerOne(options, arguments, model, steerer, load_ms);
  } else {
    SteerBatch(options, arguments, model, steerer, load_ms);
  }
}

// Returns --batch, which excludes all the others.
Option AddQueryOptions(Command& command, SteerArguments& arguments) {
  std::vector<Option> others;
  const auto add_list = [&](const char* name, std::vector<std::string>& list, const char* help) {
    others.push_back(command.Add(name, list, help, {.one_per_use = true}));
  };
  add_list(
      "--target", arguments.targets,
      "value to reach: 'forward=6000', or with a tolerance 'forward=6000+-100'. This and the next "
      "three options may be repeated");
  add_list("--require", arguments.requirements,
           "bound to keep: 'energy>=-3000', '-3000<=energy<=-1000', 'forward/energy<=-2'");
  add_list("--maximise,--maximize", arguments.maximise, "value to make as large as possible");
  add_list("--minimise,--minimize", arguments.minimise, "value to make as small as possible");
  others.push_back(command.Add("--query", arguments.query_file,
                               "file with targets and requirements, .toml or .json"));
  const Option like =
      command.Add("--like", arguments.like,
                  "recorded trajectory that --change refers to: FILE.json, or a dataset");
  others.push_back(like);
  command.Add("--episode", arguments.episode, "number of that dataset's episode, from 0",
              {.needs = {like}});
  add_list(
      "--change", arguments.changes,
      "change of that trajectory, which keeps its other values: 'energy -20%', 'forward +500'. "
      "May be repeated");
  return command.Add("--batch", arguments.batch_file,
                     "file with many queries, one JSON object per line, solved in parallel",
                     {.excludes = others});
}

void SteerArguments::AddTo(Command& command) {
  AddModel(command, model);
  const Option batch = AddQueryOptions(command, *this);
  command.Add("--mode", mode, "how the decoder will act",
              {.one_of = {"sampled", "mean"}, .show_default = true});
  command.Add("--preset", preset, "settings to start from",
              {.one_of = {"default", "paper", "naive"}, .show_default = true});
  command.Add("--confidence", confidence,
              "probability, below 1, that all requirements hold. It refers to the mean of as "
              "many episodes as the model was grounded with, not to each episode");
  command.Add("--answers", answers, "largest number of different answers");
  command.Add("--rollouts", rollouts, "episodes to verify each answer in simulation; 0: none",
              {.between = {0, 100000}});
  command.Add(
      "--try", tries,
      "candidates to try in simulation before answering; what they do improves the forecast",
      {.between = {0, 10000}, .excludes = {batch}});
  command.Add("--out", out,
              "write the JSON document to this file, for `rhumb play MODEL --code FILE`");
  command.Add("--picture", picture,
              "draw the answers on the map of the known codes to FILE.png, .svg or .pdf",
              {.excludes = {batch}});
  command.Add("--video", video,
              "film five seconds of the behaviour before and after to FILE.webp; .mp4, .gif and "
              ".webm need ffmpeg",
              {.excludes = {batch}});
}

}  // namespace

void AddSteerCommand(Command& app) {
  AddCommand<SteerArguments, steer::SteerOptions>(
      app,
      {"steer",
       "find a code whose behaviour meets targets and requirements, or explain why none does",
       "  rhumb steer halfcheetah --target forward=6000 --require 'energy>=-3000' --rollouts 8\n"
       "  rhumb steer halfcheetah --maximise forward --require 'energy>=-1000' --confidence 0.9\n"
       "  rhumb steer halfcheetah --like run.json --change 'energy -20%' --video after.webp\n"
       "Exit code 3 means infeasible or refused. The output then has the nearest behaviour\n"
       "and the requirements to relax.\n"},
      Steer);
}

}  // namespace rhumb::cli
