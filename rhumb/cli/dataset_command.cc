#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/text.h"
#include "rhumb/data/dataset.h"
#include "rhumb/data/minari_export.h"
#include "rhumb/data/minari_import.h"
#include "rhumb/data/minari_layout.h"
#include "rhumb/data/statistics.h"
#include "rhumb/population/population_description.h"
#include "rhumb/rollout/collector.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

std::string Number(double value) { return FormatNumber(value, "{:.2f}"); }

// The final message of every command that makes a dataset.
void Report(const CommonOptions& options, const std::string& folder, json more = json::object()) {
  const data::Dataset dataset = data::Dataset::Open(folder);
  const data::DatasetStatistics statistics = data::ComputeStatistics(dataset.index());
  if (options.json) {
    more["dataset"] = folder;
    more["counts"] = data::CountsToJson(statistics);
    return PrintJson(more);
  }
  fmt::print("dataset: {}: {} transitions in {} episodes of {} policies ({})\n", folder,
             statistics.transitions, statistics.episodes, statistics.policies.size(),
             data::Summarise(statistics.left_out));
  fmt::print("{}", data::DescribeTied(statistics, dataset.index()));
}

struct CollectArguments {
  std::string population;
  std::string out;
  std::string preset = "default";
  bool keep_unstable = false;

  void AddTo(Command& command) {
    command.Add("POPULATION", population, "folder of `rhumb population train`", kRequired);
    command.Add("--out", out, "folder of the new dataset", kRequired);
    AddPreset(command, preset);
    command.AddFlag("--keep-unstable", keep_unstable,
                    "keep policies that fall or whose returns vary, as the paper does");
  }
  void Override(rollout::CollectConfig& config) const {
    if (keep_unstable) config.selection.keep_unstable = true;
  }
};

void Collect(const CommonOptions& options, const CollectArguments& arguments) {
  const core::Artifact folder = core::Artifact::Open(arguments.population, "population");
  const core::EnvironmentBundle robot = population::ReadDescription(folder).environment;
  auto config = SettingsOfRobot<rollout::CollectConfig>(robot, arguments.preset, "dataset");
  ApplySettings(options, config);
  arguments.Override(config);
  rollout::CollectRequest request{.population = arguments.population,
                                  .out = arguments.out,
                                  .config = config,
                                  .job = options.MakeJob()};
  core::CatchInterrupts();
  if (rollout::CollectDataset(request) == core::Outcome::kStopped) {
    core::FailInterrupted("interrupted; nothing was written");
  }
  Report(options, arguments.out);
}

void PrintObjectives(const data::DatasetStatistics& statistics, const data::DatasetIndex& index) {
  Table rows = {{"", "min", "mean", "max", "std", "inside a policy", "unit"}};
  const auto add = [&](const std::string& name, const core::Spread& spread,
                       const std::string& share, const std::string& unit) {
    rows.push_back({name, Number(spread.min), Number(spread.mean), Number(spread.max),
                    Number(spread.std), share, unit});
  };
  for (std::size_t k = 0; k < statistics.returns.size(); ++k) {
    const data::Objective& objective = index.description.objectives[k];
    add(objective.name, statistics.returns[k],
        fmt::format("{:.1f} %", 100 * statistics.variance_share_within[k]), objective.unit);
  }
  add("episode length", statistics.length, "", "steps");
  fmt::print("\nreturns, and how much of their variance lies inside a policy\n{}",
             FormatTable(rows));
}

void PrintSplits(const data::DatasetStatistics& statistics) {
  Table rows = {{"split", "policies", "episodes", "transitions"}};
  for (const data::Split split : data::kSplits) {
    const data::SplitCounts& counts = statistics.splits[static_cast<std::size_t>(split)];
    if (split == data::Split::kHole && counts.policies == 0) continue;
    rows.push_back({data::NameOf(split), std::to_string(counts.policies),
                    std::to_string(counts.episodes), std::to_string(counts.transitions)});
  }
  fmt::print("\n{}", FormatTable(rows));
}

// Prints agents by number, each with its kept policies combined.
void PrintAgents(const data::DatasetStatistics& statistics, const data::DatasetIndex& index) {
  struct Agent {
    std::vector<double> weights;
    std::int64_t kept = 0, left_out = 0, episodes = 0, transitions = 0;
    std::vector<double> returns;  // sums over the episodes
  };
  std::map<int, Agent> agents;
  const std::size_t objectives = index.description.objectives.size();
  for (const data::Policy& policy : index.policies) {
    Agent& agent = agents[policy.agent];
    agent.weights = policy.weights;
    agent.returns.resize(objectives, 0.0);
    ++(policy.kept() ? agent.kept : agent.left_out);
  }
  for (const data::PolicyStatistics& own : statistics.policies) {
    Agent& agent = agents[index.policies[static_cast<std::size_t>(own.policy)].agent];
    agent.episodes += own.episodes;
    agent.transitions += own.transitions;
    for (std::size_t k = 0; k < objectives; ++k) {
      agent.returns[k] += own.returns[k].mean * static_cast<double>(own.episodes);
    }
  }
  Table rows = {{"agent", "weights", "policies", "left out", "episodes", "mean length"}};
  for (const auto& objective : index.description.objectives) rows[0].push_back(objective.name);
  for (const auto& [number, agent] : agents) {
    Row& row = rows.emplace_back(Row{std::to_string(number),
                                     fmt::format("{:.3g}", fmt::join(agent.weights, " ")),
                                     std::to_string(agent.kept), std::to_string(agent.left_out),
                                     std::to_string(agent.episodes)});
    const auto add_mean = [&row, episodes = static_cast<double>(agent.episodes)](double sum) {
      row.push_back(Number(sum / episodes));
    };
    add_mean(static_cast<double>(agent.transitions));
    for (const double sum : agent.returns) add_mean(sum);
  }
  constexpr std::size_t kMostRows = 50;
  const std::size_t more = rows.size() > kMostRows + 1 ? rows.size() - 1 - kMostRows : 0;
  rows.resize(rows.size() - more);
  fmt::print("\nagents, with mean returns\n{}", FormatTable(rows));
  if (more > 0) fmt::print("and {} more; --json has them all\n", more);
}

struct ShowArguments {
  std::string folder;
  std::string picture;

  void AddTo(Command& command) {
    command.Add("FOLDER", folder, "folder of a dataset", kRequired);
    AddPicture(command, picture, "returns, splits and lengths");
  }
};

void Show(const CommonOptions& options, const ShowArguments& arguments) {
  const data::Dataset dataset = data::Dataset::Open(arguments.folder);
  const data::DatasetIndex& index = dataset.index();
  const data::DatasetStatistics statistics = data::ComputeStatistics(index);
  DrawRequested("dataset.py", data::ToJson(statistics, index), arguments.picture);
  if (options.json) return PrintJson(data::ToJson(statistics, index));
  const data::DatasetDescription& description = index.description;
  const double megabytes =
      static_cast<double>(std::filesystem::file_size(dataset.artifact().file(data::kMinariFile))) /
      1e6;
  const std::string& environment = description.environment.id;
  const std::string& rewards = description.environment.rewards;
  fmt::print("{}{}: {} transitions, {} episodes, {} policies, {:.1f} MB\n",
             environment.empty() ? "unknown environment" : core::Printable(environment),
             rewards.empty() ? "" : fmt::format(" (rewards {})", core::Printable(rewards)),
             statistics.transitions, statistics.episodes, statistics.policies.size(), megabytes);
  fmt::print("observation of {} numbers, action of {}; quantities: {}\n",
             description.observation_size, description.action_size,
             description.quantities.empty()
                 ? "none"
                 : fmt::format("{}", fmt::join(description.quantities, " ")));
  fmt::print("policies left out: {}\n", data::Summarise(statistics.left_out));
  PrintObjectives(statistics, index);
  fmt::print("{}", data::DescribeTied(statistics, index));
  PrintSplits(statistics);
  PrintAgents(statistics, index);
}

struct ImportArguments {
  std::string source;
  std::string out;
  std::string environment, rewards;
  std::vector<std::string> objectives;

  void AddTo(Command& command) {
    command.Add("MINARI_FOLDER", source, "Minari folder, which contains data/main_data.hdf5",
                kRequired);
    command.Add("--out", out, "folder of the new dataset", kRequired);
    command.Add("--env", environment,
                "environment of the recordings, an id or FILE.toml. With it, models of the "
                "dataset can be rolled out");
    command.Add("--rewards", rewards, "reward preset (default: the environment's)");
    command.Add("--objective", objectives,
                "objective as NAME=EXPRESSION over the quantities of a step; may be repeated",
                {.one_per_use = true});
  }
  void Override(data::ImportConfig& config) const {
    if (!objectives.empty()) config.objectives = objectives;
  }
};

void Import(const CommonOptions& options, const ImportArguments& arguments,
            const data::ImportConfig& config) {
  const json manifest = {{"seed", options.seed},
                         {"config", core::ToJson(config)},
                         {"parents", json::object()},
                         {"source", std::filesystem::path(arguments.source).filename().string()}};
  core::EnvironmentBundle environment;
  if (!arguments.environment.empty()) {
    environment = sim::FindBundle(arguments.environment, arguments.rewards);
  }
  const data::ImportReport report =
      data::ImportMinari(arguments.source, arguments.out, config, environment, manifest);
  if (!report.ignored_infos.empty()) {
    core::LogWarning("left out infos that are not one number per step: {}",
                     fmt::join(report.ignored_infos, ", "));
  }
  if (report.short_episodes + report.unusable_episodes > 0) {
    core::LogWarning("left out {} episodes shorter than {} steps and {} that are not finite",
                     report.short_episodes, config.min_episode_steps, report.unusable_episodes);
  }
  Report(options, arguments.out,
         {{"objectives", report.objectives},
          {"short_episodes", report.short_episodes},
          {"unusable_episodes", report.unusable_episodes},
          {"ignored_infos", report.ignored_infos}});
}

struct ExportArguments {
  std::string dataset;
  std::string out;
  std::string split = "all";

  void AddTo(Command& command) {
    command.Add("FOLDER", dataset, "folder of a dataset", kRequired);
    command.Add("--out", out, "new Minari folder", kRequired);
    command.Add("--split", split, "split of the policies whose episodes are exported",
                {.one_of = {"all", "train", "held_out_checkpoint", "held_out_weight", "hole"},
                 .show_default = true});
  }
};

void Export(const CommonOptions& options, const ExportArguments& arguments) {
  const data::Dataset dataset = data::Dataset::Open(arguments.dataset);
  const auto split = std::ranges::find(data::kSplits, arguments.split,
                                       [](data::Split known) { return data::NameOf(known); });
  data::ExportMinari(dataset, arguments.out,
                     split != data::kSplits.end() ? std::optional(*split) : std::nullopt);
  if (options.json) return PrintJson({{"minari", arguments.out}});
  fmt::print("minari dataset: {}\n", arguments.out);
}

}  // namespace

void AddDatasetCommand(Command& app) {
  Command dataset = AddGroup(app, "dataset", "recorded episodes: collect, show, import, export");
  AddCommand<CollectArguments, rollout::CollectConfig>(
      dataset,
      {"collect", "record whole episodes of a population's policies, with sampled actions",
       "  rhumb dataset collect cheetah.population --out cheetah-v0\n"
       "  rhumb dataset collect point --out point-v0 \\\n"
       "    --set selection.skip_iterations=0 --set steps_per_policy=1000\n"
       "  rhumb dataset collect cheetah.population --out cheetah-hole-v0 --set "
       "split.hole=0.1\n"
       "The folder is written atomically; an interrupted run leaves nothing. Minari can read it:\n"
       "minari.load_dataset(NAME), with MINARI_DATASETS_PATH set to the folder above.\n"},
      Collect);
  AddCommand<ShowArguments>(dataset,
                            {"show", "sizes, returns, splits and left-out policies of a dataset",
                             "  rhumb dataset show cheetah-v0 --picture cheetah.png\n"},
                            Show);
  AddCommand<ImportArguments, data::ImportConfig>(
      dataset,
      {"import", "import a Minari dataset",
       "  rhumb dataset import ~/.minari/datasets/mujoco/hopper/medium-v0 --out hopper \\\n"
       "    --objective forward=infos_x_velocity --objective energy=-sum_sq_action\n"},
      Import);
  AddCommand<ExportArguments>(
      dataset,
      {"export", "export to a plain Minari folder",
       "  rhumb dataset export cheetah-v0 --out ~/.minari/datasets/cheetah-v0\n"},
      Export);
}

}  // namespace rhumb::cli
