#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/error.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/core/text.h"
#include "rhumb/core/version.h"
#include "rhumb/learn/ppo/scalarisation.h"
#include "rhumb/pipeline/folder_lock.h"
#include "rhumb/pipeline/reproduction.h"
#include "rhumb/pipeline/units.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::cli {
namespace {

namespace fs = std::filesystem;
using learn::ppo::PopulationConfig;
using nlohmann::json;

// The key of reproduce.json that says how the work is divided, and by which versions.
constexpr const char* kUnits = "units";
// A guess: seconds of one core per environment step of an agent, learning included. An agent of the
// point mass at smoke scale takes about that; other robots were not measured.
constexpr double kSecondsPerStep = 5e-5;

// The settings that `units list` takes: those of the population.
struct UnitSettings {
  PopulationConfig population;
  void Visit(core::FieldVisitor& v) { v.Group("population", population); }
};

// The name of this machine, for messages.
std::string NodeName() {
  for (const char* variable : {"RHUMB_NODE", "SLURMD_NODENAME"}) {
    if (const char* name = std::getenv(variable); name != nullptr && *name != '\0') return name;
  }
  std::array<char, 256> name = {};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

PopulationConfig ResolvePopulation(const pipeline::Reproduction& run) {
  auto config = SettingsOfRobot<PopulationConfig>(run.environment, "default", "population");
  const auto& scales = pipeline::Scales();
  const pipeline::Scale& scale = scales[core::FindNamed(
      scales, run.request.scale, fmt::format("unknown scale '{}'", run.request.scale))];
  for (const auto* settings : {&scale.population, &run.request.population}) {
    for (const std::string& setting : *settings) core::ApplySetting(config, setting);
  }
  if (config.weights == learn::ppo::WeightSource::kFile) {
    Fail("weights = file: the file does not travel to other machines; give weights = list");
  }
  return config;
}

// The units of a run whose division is settled.
std::vector<pipeline::Unit> UnitsOf(const pipeline::Reproduction& run, int threads) {
  pipeline::ReproduceRequest request = run.request;
  pipeline::PopulationShape shape;
  try {
    const json& units = run.run.at(kUnits);
    request.device = units.at("device");
    shape.agents_per_unit = units.at("agents_per_unit");
  } catch (const json::exception&) {
    Fail("{} is not divided into units; run `rhumb units list` first", run.folder.string());
  }
  request.threads = threads;
  const PopulationConfig config = ResolvePopulation(run);
  const auto roots =
      learn::ppo::MakeWeights(config, static_cast<int>(request.objectives.size()), request.seed);
  shape.roots = static_cast<int>(roots.size());
  shape.children = static_cast<int>(learn::ppo::MakeChildWeights(config, roots).size());
  const double seconds = kSecondsPerStep * config.ppo.steps * config.ppo.environments;
  shape.root_seconds = seconds * config.iterations;
  shape.child_seconds = seconds * config.child_iterations();
  return pipeline::MakeUnits(request, shape);
}

json Versions() { return {{"rhumb", core::kVersion}, {"mujoco", mj_versionString()}}; }

// Other versions may compute other results, which must not be mixed.
void RequireSameVersions(const pipeline::Reproduction& run) {
  const json mine = Versions();
  for (const auto& [name, version] : mine.items()) {
    const json theirs = run.run.at(kUnits).value(name, json());
    if (theirs != version) {
      Fail("it has {} {}, and the run in {} is of {}", name, version.get<std::string>(),
           run.folder.string(), theirs.is_string() ? theirs.get<std::string>() : "none");
    }
  }
}

struct ListArguments {
  std::vector<std::string> stages;
  std::string environment, rewards, out, scale;
  std::string device;
  int agents_per_unit = -1;

  void AddTo(Command& command) {
    command.Add("STAGES", stages,
                "population, dataset, model, ground or evaluate, with all units that these need; "
                "reproduce: all",
                kRequired);
    AddEnvironment(command, environment, rewards);
    command.Add("--out", out, "folder of the run; it is made unless it exists", kRequired);
    command.Add("--scale", scale, "as of `rhumb reproduce` (default: full, or that of the folder)",
                {.one_of = core::NamesOf(pipeline::Scales())});
    command.Add("--device", device, "device that trains the networks (default: cpu)",
                {.one_of = {"cpu", "cuda"}});
    command.Add("--agents-per-unit", agents_per_unit,
                "agents of the population that train together; 0: all (default: 1; on cuda 0)",
                {.between = {0, 10000}});
  }
};

// Settings given on the command line, without the name of the group. They are checked already.
std::vector<std::string> PopulationSettings(const CommonOptions& options) {
  std::vector<std::string> settings;
  for (const std::string& setting : options.settings) {
    const std::size_t end = setting.find('.');
    settings.push_back(setting.substr(end == std::string::npos ? 0 : end + 1));
  }
  return settings;
}

pipeline::Reproduction OpenRun(const CommonOptions& options, const ListArguments& arguments) {
  if (!options.config_file.empty()) Fail("--config is not for units; give each setting by --set");
  const bool is_begun = fs::exists(fs::path(arguments.out) / pipeline::kRunFile);
  if (!is_begun && arguments.environment.empty()) {
    Fail("give --env: {} has no run to continue", arguments.out);
  }
  if (is_begun && arguments.environment.empty() && arguments.scale.empty() &&
      options.settings.empty()) {
    return pipeline::ReadReproduction(arguments.out);
  }
  const core::EnvironmentBundle robot =
      arguments.environment.empty() ? pipeline::EnvironmentOf(arguments.out)
                                    : sim::FindBundle(arguments.environment, arguments.rewards);
  std::string scale = arguments.scale;
  if (scale.empty()) {
    scale = is_begun ? pipeline::ReadReproduction(arguments.out).request.scale : "full";
  }
  return pipeline::OpenReproduction(arguments.out, {.environment = robot,
                                                    .scale = scale,
                                                    .seed = options.seed,
                                                    .population = PopulationSettings(options)});
}

// Settles how the work is divided when the units are listed first. Later it cannot change, since
// parts of the population may be done.
void SettleDivision(pipeline::Reproduction& run, const ListArguments& arguments) {
  if (!run.run.contains(kUnits)) {
    const std::string device = arguments.device.empty() ? "cpu" : arguments.device;
    const int by_device = device == "cuda" ? 0 : 1;
    json units = Versions();
    units["device"] = device;
    units["agents_per_unit"] =
        arguments.agents_per_unit < 0 ? by_device : arguments.agents_per_unit;
    run.run[kUnits] = units;
    run.SaveRun();
    return;
  }
  const json& units = run.run[kUnits];
  const auto require = [&](const char* key, const json& value) {
    if (units.value(key, json()) != value) {
      Fail("the units in {} have {} = {}, not {}; choose another --out", run.folder.string(), key,
           units.value(key, json()).dump(), value.dump());
    }
  };
  if (!arguments.device.empty()) require("device", arguments.device);
  if (arguments.agents_per_unit >= 0) require("agents_per_unit", arguments.agents_per_unit);
}

void PrintUnits(const json& units) {
  Table rows = {{"unit", "state", "threads", "GPUs", "memory", "seconds", "needs"}};
  for (const json& unit : units) {
    std::vector<std::string> needs = unit["needs"];
    if (needs.size() > 2) needs = {needs.front(), fmt::format("and {} more", needs.size() - 1)};
    rows.push_back({unit["id"].get<std::string>(), unit["state"].get<std::string>(),
                    unit["threads"].dump(), unit["gpus"].dump(),
                    fmt::format("{} MB", unit["memory_mb"].get<int>()),
                    fmt::format("{}{:.1f}", unit["measured"].get<bool>() ? "" : "about ",
                                unit["seconds"].get<double>()),
                    fmt::format("{}", fmt::join(needs, " "))});
  }
  fmt::print("{}", FormatTable(rows));
}

// The kinds of units of the stages. Throws Error for an unknown stage.
std::vector<std::string> KindsOf(const std::vector<std::string>& stages) {
  std::vector<std::string> known = pipeline::kUnitKinds;
  known.emplace_back("reproduce");
  for (const std::string& stage : stages) {
    if (std::find(known.begin(), known.end(), stage) == known.end()) {
      Fail("unknown stage '{}'{}", stage, core::Suggestion(stage, known));
    }
    if (stage == "reproduce") return pipeline::kUnitKinds;
  }
  return stages;
}

void List(const CommonOptions& options, const ListArguments& arguments) {
  const std::vector<std::string> kinds = KindsOf(arguments.stages);
  pipeline::Reproduction run = OpenRun(options, arguments);
  SettleDivision(run, arguments);
  const auto units = pipeline::ChooseUnits(UnitsOf(run, options.threads), kinds);
  const std::vector<pipeline::UnitState> states = pipeline::StatesOf(units, run.folder);
  json listed = json::array();
  for (std::size_t i = 0; i < units.size(); ++i) {
    listed.push_back(pipeline::ToJson(units[i], states[i], run.folder));
  }
  if (!options.json) return PrintUnits(listed);
  PrintJson({{"folder", fs::absolute(run.folder).string()},
             {"versions", Versions()},
             {"scale", run.request.scale},
             {"seed", run.request.seed},
             {"files",
              [&] {
                std::vector<std::string> files = run.request.files;
                files.emplace_back(pipeline::kRunFile);
                return files;
              }()},
             {"units", listed}});
}

struct RunArguments {
  std::string id, folder;

  void AddTo(Command& command) {
    command.Add("ID", id, "unit, as `rhumb units list` names it", kRequired);
    command.Add("--in", folder, "folder of the run, with the outputs that the unit needs",
                kRequired);
  }
};

void RunOne(const CommonOptions& options, const RunArguments& arguments) {
  const std::string node = NodeName();
  try {
    core::CatchInterrupts();
    const pipeline::Reproduction run = pipeline::ReadReproduction(arguments.folder);
    const auto units = UnitsOf(run, options.threads);
    RequireSameVersions(run);
    const bool has_run =
        pipeline::RunUnit(units, arguments.id, run.folder, fs::read_symlink("/proc/self/exe"));
    if (options.json) {
      return PrintJson({{"unit", arguments.id}, {"ran", has_run}, {"node", node}});
    }
    fmt::print("{}: {}\n", arguments.id, has_run ? "done" : "was done already");
  } catch (const Error& error) {
    Fail("node {}: {}", node, error.what());
  } catch (const core::CommandFailed& failed) {
    throw core::CommandFailed{failed.code, fmt::format("node {}: {}", node, failed.message)};
  }
}

struct MergeArguments {
  std::vector<fs::path> folders;
  std::string out;

  void AddTo(Command& command) {
    command.Add("FOLDERS", folders, "folders in which units of the run were run", kRequired);
    command.Add("--out", out, "folder of the run", kRequired);
  }
};

void Merge(const CommonOptions& options, const MergeArguments& arguments) {
  core::CatchInterrupts();
  const pipeline::Reproduction run = pipeline::ReadReproduction(arguments.out);
  const auto units = UnitsOf(run, options.threads);
  std::vector<std::string> taken;
  for (const fs::path& from : arguments.folders) {
    const pipeline::Reproduction other = pipeline::ReadReproduction(from);
    for (const char* key : {"environment", "scale", "seed", "population", kUnits}) {
      if (other.run.value(key, json()) != run.run.value(key, json())) {
        Fail("{} and {} are of different runs: {} differs", from.string(), arguments.out, key);
      }
    }
    const auto more = pipeline::TakeUnits(units, from, run.folder);
    taken.insert(taken.end(), more.begin(), more.end());
  }
  const std::vector<pipeline::UnitState> states = pipeline::StatesOf(units, run.folder);
  const auto done = std::count(states.begin(), states.end(), pipeline::UnitState::kDone);
  if (options.json) {
    return PrintJson({{"taken", taken}, {"done", done}, {"units", units.size()}});
  }
  fmt::print("{} units taken; {} of {} are done\n", taken.size(), done, units.size());
}

}  // namespace

void AddUnitsCommand(Command& app) {
  Command units = AddGroup(app, "units", "the pipeline as units of work for many machines");
  AddCommand<ListArguments, UnitSettings>(
      units,
      {"list", "units of a run, with commands, needs, resources and state",
       "  rhumb units list reproduce --env point-v0 --scale smoke --out point.report --json\n"
       "  rhumb units list population --env mo-ant-v5 --out ant \\\n"
       "    --set population.count=20\n"
       "Begins the run in the folder, or lists a run that was begun. Any order that respects\n"
       "`needs` gives the same results. `rhumb reproduce` with the same --out ends the run.\n"},
      List);
  AddCommand<RunArguments>(
      units,
      {"run", "run one unit, on any machine that has the folder or the unit's inputs",
       "  rhumb units run models/vae --in point.report\n"
       "An interrupted unit continues where it stopped. A unit that is done is not run again.\n"},
      RunOne);
  AddCommand<MergeArguments>(
      units,
      {"merge", "take the results of units that ran in other folders",
       "  rhumb units merge from-node-1 from-node-2 --out point.report\n"
       "Every file is checked by its hash. Only results made from the same inputs are taken.\n"},
      Merge);
}

}  // namespace rhumb::cli
