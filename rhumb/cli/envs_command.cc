#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/core/text.h"
#include "rhumb/rollout/replay.h"
#include "rhumb/sim/batch.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/sim/robot_files.h"
#include "rhumb/sim/spec_draft.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

// The controls that an action from -1 to 1 means.
struct ActionRange {
  std::string name;
  double low, high;
};

std::vector<ActionRange> RangesOf(const sim::Environment& environment) {
  std::vector<ActionRange> ranges;
  const std::vector<std::string> names = environment.action_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double centre = environment.action_centre()[i];
    const double half_range = environment.action_half_range()[i];
    ranges.push_back({names[i], centre - half_range, centre + half_range});
  }
  return ranges;
}

json Describe(const sim::Environment& environment, const std::filesystem::path& file) {
  const sim::EnvironmentSpec& spec = environment.spec();
  json presets, quantities = json::array();
  for (const auto& [name, objectives] : spec.rewards) {
    presets[name] = json::array();
    for (const sim::ObjectiveSpec& objective : objectives) {
      presets[name].push_back({{"name", objective.name},
                               {"expression", objective.expression},
                               {"unit", objective.unit},
                               {"help", objective.help}});
    }
  }
  for (const sim::Quantity& quantity : environment.quantities()) {
    quantities.push_back({{"name", quantity.name}, {"help", quantity.help}});
  }
  json actions = json::array();
  for (const ActionRange& action : RangesOf(environment)) {
    actions.push_back({{"name", action.name}, {"low", action.low}, {"high", action.high}});
  }
  return {{"id", spec.id},
          {"title", spec.title},
          {"description", spec.description},
          {"spec", file.string()},
          {"model", spec.model},
          {"observation_size", environment.observation_size()},
          {"action_size", environment.action_size()},
          {"actions", actions},
          {"control_step_s", environment.control_step()},
          {"frame_skip", spec.frame_skip},
          {"time_limit", spec.time_limit},
          {"rewards", presets},
          {"default_rewards", spec.default_rewards},
          {"objectives", core::NamesOf(spec.objectives(""))},
          {"quantities", quantities}};
}

void List(const CommonOptions& options) {
  json document = json::array();
  Table rows = {{"id", "observation", "action", "objectives", "description"}};
  for (const core::EnvironmentBundle& bundle : sim::ListBundled()) {
    const sim::Environment environment(bundle);
    const sim::EnvironmentSpec& spec = environment.spec();
    document.push_back(Describe(environment, sim::BundledFolder() / bundle.spec));
    rows.push_back({spec.id, std::to_string(environment.observation_size()),
                    std::to_string(environment.action_size()),
                    fmt::format("{}", fmt::join(core::NamesOf(spec.objectives("")), " ")),
                    spec.description});
  }
  if (options.json) return PrintJson({{"envs", document}});
  fmt::print("{}", FormatTable(rows));
}

struct ShowArguments {
  std::string name;
  void AddTo(Command& command) {
    command.Add("ID", name, "id from `rhumb envs list`, or a spec FILE.toml", kRequired);
  }
};

void Show(const CommonOptions& options, const ShowArguments& arguments) {
  const sim::Environment environment(sim::FindBundle(arguments.name));
  const std::filesystem::path file = sim::FindSpecFile(arguments.name);
  if (options.json) return PrintJson(Describe(environment, file));
  const sim::EnvironmentSpec& spec = environment.spec();
  // Mistakes in [training] show here, too.
  if (spec.training.differs()) sim::Environment(environment.bundle(), /*in_training=*/true);
  fmt::print("{}: {}\n{}\n\n", core::Printable(spec.id), core::Printable(spec.title),
             core::Printable(spec.description));
  fmt::print("spec {}, model {}\n", file.string(), core::Printable(spec.model));
  fmt::print("observation of {} numbers, action of {}, {:g} s per step, time limit {} steps\n",
             environment.observation_size(), environment.action_size(), environment.control_step(),
             spec.time_limit);
  fmt::print("\ncontrols for actions from -1 to 1\n");
  Table controls;
  for (const ActionRange& action : RangesOf(environment)) {
    controls.push_back({"  " + core::Printable(action.name),
                        fmt::format("{:g} to {:g}", action.low, action.high)});
  }
  fmt::print("{}", FormatTable(controls));
  for (const auto& [preset, objectives] : spec.rewards) {
    fmt::print("\nobjectives, rewards = \"{}\"{}\n", core::Printable(preset),
               preset == spec.default_rewards ? " (default)" : "");
    Table rows;
    for (const sim::ObjectiveSpec& objective : objectives) {
      rows.push_back({"  " + objective.name, objective.expression, objective.unit});
    }
    fmt::print("{}", FormatTable(rows));
  }
  fmt::print("\nquantities that an expression may use\n");
  Table rows;
  for (const sim::Quantity& quantity : environment.quantities()) {
    rows.push_back({"  " + quantity.name, quantity.help});
  }
  fmt::print("{}", FormatTable(rows));
}

struct DraftArguments {
  std::string file, out;
  void AddTo(Command& command) {
    command.Add("FILE.xml", file, "MJCF of the robot", kRequired);
    command.Add("--out", out,
                "spec to write (default: FILE.toml beside the MJCF; FOLDER.toml for scene.xml)");
  }
};

// In a folder of robots, every robot's scene.xml has the same name.
std::filesystem::path DraftFile(const std::filesystem::path& mjcf) {
  const std::filesystem::path folder = std::filesystem::absolute(mjcf).parent_path();
  const bool is_scene = mjcf.stem() == "scene" && folder.has_filename();
  const std::filesystem::path stem = is_scene ? folder.filename() : mjcf.stem();
  return mjcf.parent_path() / (stem.string() + ".toml");
}

void Draft(const CommonOptions& options, const DraftArguments& arguments) {
  namespace fs = std::filesystem;
  const fs::path file = arguments.file;
  const fs::path out = arguments.out.empty() ? DraftFile(file) : fs::path(arguments.out);
  if (out.extension() != ".toml") Fail("'{}': the name of a spec must end in .toml", out.string());
  if (fs::exists(fs::symlink_status(out))) {
    Fail("{} exists; remove it, or name another file with --out", out.string());
  }
  if (!fs::is_regular_file(file)) Fail("{}: there is no such file", file.string());
  const fs::path folder = out.has_parent_path() ? out.parent_path() : ".";
  const std::string mjcf = fs::proximate(file, folder).generic_string();
  if (sim::NormalRobotPath(mjcf).empty()) {
    Fail("{} must lie in the folder of {} or below it", file.string(), out.string());
  }
  const core::EnvironmentBundle bundle = sim::DraftSpec(folder, mjcf, out.filename().string());
  const sim::Environment environment(bundle);
  core::WriteFileAtomically(out, bundle.files.find(bundle.spec)->second);
  if (options.json) return PrintJson(Describe(environment, out));
  fmt::print("{}: observation of {} numbers, {} actuators, {:g} s per step\n\n", out.string(),
             environment.observation_size(), environment.action_size(), environment.control_step());
  Table rows;
  for (const sim::ObjectiveSpec& objective : environment.objectives()) {
    rows.push_back({"  " + objective.name, objective.expression});
  }
  fmt::print("objectives, as guessed:\n{}\n", FormatTable(rows));
  fmt::print(
      "Read the file and change what is wrong, then look at the robot:\n"
      "  rhumb envs show {0}\n  rhumb play --env {0} --policy random --video {1}.webp\n",
      out.string(), out.stem().string());
}

struct StartsArguments {
  std::string name;
  int count = 10;
  void AddTo(Command& command) {
    command.Add("ID", name, "id from `rhumb envs list`, or a spec FILE.toml", kRequired);
    command.Add("--count", count, "episodes", {.between = {1, 1 << 20}, .show_default = true});
  }
};

void Starts(const CommonOptions& options, const StartsArguments& arguments) {
  const sim::Environment environment(sim::FindBundle(arguments.name));
  sim::Batch batch(environment, {.seed = options.seed});
  const std::vector<std::string> names = environment.drawn_names();
  json qpos, qvel, observations, drawn, mocap;
  for (int episode = 0; episode < arguments.count; ++episode) {
    batch.Start(0, core::Stream(options.seed, core::Purpose::kReset, 0, episode));
    qpos.push_back(batch.qpos(0));
    qvel.push_back(batch.qvel(0));
    observations.push_back(batch.observation(0));
    drawn.push_back(core::ByName(batch.drawn(0), names));
    mocap.push_back(batch.mocap_positions(0));
  }
  json document = {{"qpos", qpos}, {"qvel", qvel}, {"observations", observations}};
  if (!names.empty()) document["drawn"] = drawn;
  if (environment.model()->nmocap > 0) document["mocap_pos"] = mocap;
  PrintJson(document);
}

struct ReplayArguments {
  std::string file, environment;
  void AddTo(Command& command) {
    command.Add("FILE", file, "JSON with env, rewards, qpos, qvel, actions, or from --record",
                kRequired);
    command.Add("--env", environment,
                "id, or spec FILE.toml of the recorded robot (default: the id in the file)");
  }
};

void ReplayFile(const CommonOptions&, const ReplayArguments& arguments) {
  const rollout::ReplayRequest request = rollout::ReadReplay(arguments.file);
  const sim::Environment environment(rollout::FindReplayBundle(request, arguments.environment));
  const rollout::ReplayResult result = rollout::Replay(environment, request);
  if (result.diverged) {
    core::LogWarning("the simulation diverged in step {}; the replay stops there",
                     result.rewards.size());
  }
  fmt::print("{}\n", rollout::ToJson(result).dump());
}

struct BenchConfig {
  int environments = 16;
  double seconds = 0.5;
  int rounds = 7;
  void Visit(core::FieldVisitor& v) {
    v("environments", environments, core::Range{1, 4096}, "environments in lock step");
    v("seconds", seconds, core::Range{0.01, 60, "s"}, "length of a round");
    v("rounds", rounds, core::Range{1, 1000}, "rounds; the median counts");
  }
};

// Environment steps per second of a batch with uniformly random actions, restarts included.
double StepsPerSecond(const sim::Environment& environment, int threads, const BenchConfig& config,
                      std::uint64_t seed) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kActions = 64;  // drawn in advance, then repeated
  const auto row = static_cast<std::size_t>(config.environments * environment.action_size());
  std::vector<double> actions(kActions * row);
  core::Stream noise(seed, core::Purpose::kBenchmark);
  for (double& action : actions) action = noise.Uniform(-1, 1);

  sim::Batch batch(environment, {.count = config.environments, .threads = threads, .seed = seed});
  batch.Reset();
  std::vector<double> speeds;
  for (int round = -1; round < config.rounds; ++round) {  // the first round warms up
    const Clock::time_point start = Clock::now();
    double steps = 0, elapsed = 0;
    do {
      for (std::size_t i = 0; i < kActions; ++i) batch.Step({&actions[i * row], row});
      steps += static_cast<double>(kActions) * config.environments;
      elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    } while (elapsed < config.seconds);
    if (round >= 0) speeds.push_back(steps / elapsed);
  }
  std::ranges::nth_element(speeds, speeds.begin() + config.rounds / 2);
  return speeds[speeds.size() / 2];
}

struct BenchArguments {
  std::vector<std::string> names;
  std::vector<int> threads = {1, 2};

  void AddTo(Command& command) {
    command.Remove("--threads");
    command.Add("--threads", threads, "thread counts to measure",
                {.between = {1, 1024}, .delimiter = ',', .show_default = true});
    command.Add("--envs", names, "ids or specs (default: all bundled ones)", {.delimiter = ','});
  }
};

void Bench(const CommonOptions& options, const BenchArguments& arguments,
           const BenchConfig& config) {
  std::vector<std::string> names = arguments.names;
  if (names.empty()) {
    for (const core::EnvironmentBundle& bundle : sim::ListBundled()) names.push_back(bundle.id);
  }
  core::Progress progress("bench",
                          static_cast<std::int64_t>(names.size() * arguments.threads.size()));
  json document = json::array();
  Table rows = {{"id", "threads", "steps/s"}};
  for (const std::string& name : names) {
    const sim::Environment environment(sim::FindBundle(name));
    for (const int count : arguments.threads) {
      const double speed = StepsPerSecond(environment, count, config, options.seed);
      document.push_back({{"id", environment.id()},
                          {"threads", count},
                          {"environments", config.environments},
                          {"rounds", config.rounds},
                          {"rhumb_steps_per_s", speed}});
      rows.push_back({environment.id(), std::to_string(count), fmt::format("{:.0f}", speed)});
      progress.Advance();
    }
  }
  progress.Finish();
  if (options.json) return PrintJson({{"envs", document}});
  fmt::print("{}", FormatTable(rows));
}

}  // namespace

void AddEnvsCommand(Command& app) {
  Command envs = AddGroup(app, "envs", "environments: list, show, draft, starts, replay, bench");
  AddCommand(envs, {"list", "the environments that come with Rhumb", ""}, List);
  AddCommand<ShowArguments>(envs,
                            {"show", "sizes, objectives and quantities of an environment",
                             "  rhumb envs show mo-hopper-v5\n"
                             "  rhumb envs show examples/crawler/crawler.toml\n"},
                            Show);
  AddCommand<DraftArguments>(
      envs,
      {"draft", "write a first spec for an MJCF, to be changed by hand",
       "  rhumb envs draft robot/scene.xml\n"
       "  rhumb envs draft robot/scene.xml --out robot/walker.toml\n\n"
       "It finds the body that travels, what to observe, the pace of control and a keyframe, and\n"
       "scales the energy. docs/your-own-robot.md explains every key of the file.\n"},
      Draft);
  AddCommand<StartsArguments>(
      envs,
      {"starts", "draw the starts of episodes; print their states and first observations",
       "  rhumb envs starts mo-hopper-v5 --count 100\n\n"
       "The output is JSON: qpos, qvel and observations, one row per episode, and the drawn\n"
       "quantities and mocap_pos if there are any.\n"},
      Starts);
  AddCommand<ReplayArguments>(
      envs,
      {"replay", "step through recorded actions from a start state; print observations and rewards",
       "  echo '{\"env\": \"point-v0\", \"qpos\": [0, 0], \"qvel\": [0, 0],\n"
       "         \"actions\": [[1, 0], [1, 0]]}' > replay.json\n"
       "  rhumb envs replay replay.json\n"
       "  rhumb play --env examples/crawler/crawler.toml --record run.json\n"
       "  rhumb envs replay run.json --env examples/crawler/crawler.toml\n\n"
       "Actions are in the environment's own units and are not clipped. Optional keys of the "
       "file:\n"
       "drawn (goals by name; without it, their means), act, mocap_pos and mocap_quat. A replay\n"
       "does not reset after a fall and is not randomised. The output is JSON: observations "
       "(T+1),\n"
       "rewards, terminated, truncated, diverged.\n"},
      ReplayFile);
  AddCommand<BenchArguments, BenchConfig>(
      envs,
      {"bench", "environment steps per second, with random actions",
       "  rhumb envs bench --envs mo-halfcheetah-v5 --threads 1,2 --json\n"},
      Bench);
}

}  // namespace rhumb::cli
