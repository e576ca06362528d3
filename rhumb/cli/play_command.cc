#include "rhumb/cli/play_command.h"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/error.h"
#include "rhumb/core/progress.h"
#include "rhumb/core/random.h"
#include "rhumb/sim/batch.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/renderer.h"
#include "rhumb/sim/video.h"

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
    v("steps", steps, core::Range{0, 10000000},
      "end an episode after this many; 0: its time limit");
    v("width", width, core::Range{16, 4096, "pixels"}, "of the video");
    v("height", height, core::Range{16, 4096, "pixels"}, "of the video");
  }
};

struct PlayRequest {
  std::string environment;
  std::string rewards;
  std::string policy = "random";
  std::string video;
};

struct EpisodeRecord {
  int length = 0;
  std::vector<double> returns;
  std::string ending;
};

// The spec's camera, where it says anything, over the default one.
sim::Camera CameraOf(const sim::Environment& environment) {
  const sim::CameraSpec& spec = environment.spec().camera;
  sim::Camera camera = sim::DefaultCamera(*environment.model());
  if (!spec.body.empty()) {
    camera.track_body =
        sim::FindObject(environment.model(), mjOBJ_BODY, spec.body, environment.id() + ": camera");
  }
  if (spec.distance > 0) camera.distance = spec.distance;
  if (spec.azimuth) camera.azimuth = *spec.azimuth;
  if (spec.elevation) camera.elevation = *spec.elevation;
  if (spec.height) camera.lookat[2] = *spec.height;
  return camera;
}

// Films one simulation of a batch.
class Film {
 public:
  Film(const sim::Environment& environment, const std::string& path, const PlayConfig& config)
      : renderer_(*environment.model(), config.width, config.height),
        video_(path, config.width, config.height, 1 / environment.control_step()),
        data_(mj_makeData(environment.model())) {
    renderer_.SetCamera(CameraOf(environment));
  }
  void Take(const sim::Batch& batch) {
    if (video_.SkipUnseen()) return;  // drawing is the expensive part
    batch.CopyData(0, data_.get());
    video_.Add(renderer_.Render(data_.get()));
  }
  void Finish() { video_.Finish(); }

 private:
  sim::Renderer renderer_;
  sim::VideoWriter video_;
  sim::DataPointer data_;
};

std::string EndingOf(const sim::StepOutcome& outcome) {
  if (outcome.diverged) return "diverged";
  if (outcome.terminated) return "fell";
  if (outcome.truncated) return "time limit";
  return "stopped";
}

// Plays the batch's one simulation, unit `unit` of the run, from its start.
EpisodeRecord PlayEpisode(sim::Batch& batch, const std::string& policy, std::uint64_t seed,
                          std::uint32_t unit, int step_limit, Film* film,
                          core::Progress& progress) {
  EpisodeRecord record;
  record.returns.resize(batch.rewards().size(), 0.0);
  std::vector<double> action(static_cast<std::size_t>(batch.environment().action_size()), 0.0);
  if (film != nullptr) film->Take(batch);
  for (int step = 0; step < step_limit; ++step) {
    if (policy == "random") {
      core::Stream noise(seed, core::Purpose::kAction, unit, 0, static_cast<std::uint32_t>(step));
      for (double& value : action) value = noise.Uniform(-1, 1);
    }
    batch.Step(action);
    ++record.length;
    progress.Advance();
    for (std::size_t k = 0; k < record.returns.size(); ++k) record.returns[k] += batch.rewards()[k];
    record.ending = EndingOf(batch.outcomes()[0]);
    if (batch.outcomes()[0].ended()) break;
    if (film != nullptr) film->Take(batch);
  }
  return record;
}

void Play(const CommonOptions& options, const PlayRequest& request) {
  const auto config = options.Resolve<PlayConfig>();
  const sim::Environment environment(sim::FindSpec(request.environment), request.rewards);
  const int step_limit = config.steps > 0 ? std::min(config.steps, environment.time_limit())
                                          : environment.time_limit();

  std::optional<Film> film;
  if (!request.video.empty()) film.emplace(environment, request.video, config);
  core::Progress progress("play", static_cast<std::int64_t>(step_limit) * config.episodes);
  std::vector<EpisodeRecord> records;
  for (std::uint32_t unit = 0; unit < static_cast<std::uint32_t>(config.episodes); ++unit) {
    sim::Batch batch(environment, {.seed = options.seed, .first_unit = unit});
    batch.Reset();
    records.push_back(PlayEpisode(batch, request.policy, options.seed, unit, step_limit,
                                  film ? &*film : nullptr, progress));
  }
  progress.Finish();
  if (film) film->Finish();

  json document = {{"env", environment.id()},
                   {"rewards", environment.rewards()},
                   {"policy", request.policy},
                   {"episodes", json::array()}};
  std::vector<std::vector<std::string>> rows = {{"episode", "steps"}};
  for (const auto& objective : environment.objectives()) rows[0].push_back(objective.name);
  rows[0].push_back("ended by");
  for (std::size_t e = 0; e < records.size(); ++e) {
    json returns;
    std::vector<std::string> row = {std::to_string(e), std::to_string(records[e].length)};
    for (std::size_t k = 0; k < records[e].returns.size(); ++k) {
      returns[environment.objectives()[k].name] = records[e].returns[k];
      row.push_back(fmt::format("{:.2f}", records[e].returns[k]));
    }
    row.push_back(records[e].ending);
    rows.push_back(std::move(row));
    document["episodes"].push_back(
        {{"steps", records[e].length}, {"returns", returns}, {"ending", records[e].ending}});
  }
  if (!request.video.empty()) document["video"] = request.video;
  if (options.json) {
    fmt::print("{}\n", document.dump(2));
    return;
  }
  fmt::print("{}", FormatTable(rows));
  if (!request.video.empty()) fmt::print("video: {}\n", request.video);
}

}  // namespace

void AddPlayCommand(CLI::App& app) {
  CLI::App* play = app.add_subcommand("play", "roll a policy out, and film it");
  auto options = std::make_shared<CommonOptions>();
  auto request = std::make_shared<PlayRequest>();
  options->AddTo(*play);
  play->add_option("--env", request->environment,
                   "an id of `rhumb envs list`, or a spec, FILE.toml")
      ->required();
  play->add_option("--rewards", request->rewards, "reward preset; default: the environment's");
  play->add_option("--policy", request->policy, "what acts")
      ->check(CLI::IsMember({"random", "zero"}))
      ->capture_default_str();
  play->add_option("--video", request->video,
                   "film it: FILE.gif, or FILE.mp4 where ffmpeg is installed");
  DescribeSettings(
      *play, core::Describe(PlayConfig{}),
      "  rhumb play --env mo-hopper-v5 --policy random\n"
      "  rhumb play --env mo-ant-v5 --policy random --video ant.gif --set steps=100\n");
  play->callback([options, request] { Play(*options, *request); });
}

}  // namespace rhumb::cli
