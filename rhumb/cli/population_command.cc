#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/learn_library.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/files/artifact.h"
#include "rhumb/core/files/json_file.h"
#include "rhumb/core/text.h"
#include "rhumb/learn/ppo/population.h"
#include "rhumb/population/population_description.h"
#include "rhumb/population/population_merge.h"
#include "rhumb/sim/catalogue.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

population::PopulationDescription ReadDescription(const std::filesystem::path& folder) {
  return population::ReadDescription(core::Artifact::Open(folder, "population"));
}

std::string Draw(const population::PopulationDescription& description, const std::string& file) {
  return DrawRequested("population.py", population::ToJson(description), file);
}

struct TrainArguments {
  learn::ppo::PopulationRequest request;
  std::string preset = "default";

  void AddTo(Command& command) {
    AddEnvironment(command, request.environment, request.rewards, kRequired);
    command.Add("--out", request.out, "folder of the new population; OUT.work during training",
                kRequired);
    AddPreset(command, preset);
    AddDevice(command, request.device);
    command.Add("--agents", request.agents,
                "train only the agents with these numbers (default: all)", {.delimiter = ','});
    command.AddFlag("--keep-states", request.keep_states,
                    "store the last training states too, for children that start from them");
    command.Add("--roots", request.roots,
                "folders of trained roots with their states, for children trained elsewhere",
                {.delimiter = ','});
  }
};

void Train(const CommonOptions& options, const TrainArguments& arguments) {
  learn::ppo::PopulationRequest request = arguments.request;
  const core::EnvironmentBundle robot = sim::FindBundle(request.environment, request.rewards);
  request.config =
      SettingsOfRobot<learn::ppo::PopulationConfig>(robot, arguments.preset, "population");
  ApplySettings(options, request.config);
  if (const auto& config = request.config; config.iterations < config.keep_every) {
    Fail("iterations = {} is below keep_every = {}, so no policy would be kept", config.iterations,
         config.keep_every);
  }
  request.job = options.MakeJob();
  RunLearnCommand("population train", core::ToJson(request));
  // Beside the folder, whatever its name: "a.population" has "a.population.png".
  // A part of a population has none.
  const std::string picture =
      request.agents.empty() ? (request.out / "").parent_path().string() + ".png" : "";
  const std::string out = request.out.string();
  PrintResult(options, {{"population", out}}, Draw(ReadDescription(request.out), picture),
              [&] { fmt::print("population: {}\n", out); });
}

struct ShowRequest {
  std::filesystem::path folder;
  std::string picture;

  void AddTo(Command& command) {
    command.Add("FOLDER", folder, "folder of a finished population", kRequired);
    AddPicture(command, picture, "returns and learning curves");
  }
};

// Summarises each agent: its weights, and the returns and length of its last iteration.
json Summarise(const population::PopulationDescription& description) {
  const std::vector<std::string> names = core::NamesOf(description.objectives);
  json agents = json::array();
  for (const population::Agent& agent : description.agents) {
    agents.push_back({{"id", agent.id},
                      {"parent", agent.parent < 0 ? json() : json(agent.parent)},
                      {"weights", core::ByName(agent.weights, names)},
                      {"kept_policies", agent.kept_iterations.size()},
                      {"returns", core::ByName(agent.curves.returns.back(), names)},
                      {"episode_length", agent.curves.episode_length.back()},
                      {"skipped_minibatches", agent.curves.skipped_minibatches},
                      {"diverged_episodes", agent.curves.diverged_episodes}});
  }
  return {{"environment", description.environment.id},
          {"rewards", description.environment.rewards},
          {"objectives", core::ToJson(description.objectives)},
          {"iterations", description.iterations},
          {"agents", agents}};
}

void PrintSummary(const json& summary) {
  std::vector<std::string> names;
  Table rows = {{"agent"}};
  for (const json& objective : summary["objectives"]) names.push_back(objective.at("name"));
  for (const std::string& name : names) rows[0].push_back("weight of " + name);
  rows[0].push_back("policies");
  for (const std::string& name : names) rows[0].push_back(name);
  rows[0].push_back("steps");
  const json& agents = summary["agents"];
  const auto roots = std::count_if(agents.begin(), agents.end(),
                                   [](const json& agent) { return agent["parent"].is_null(); });
  const bool is_family = roots < std::ssize(agents);
  if (is_family) rows[0].push_back("started from");
  for (const json& agent : agents) {
    Row& row = rows.emplace_back(Row{agent["id"].dump()});
    for (const std::string& name : names) {
      row.push_back(fmt::format("{:.3f}", agent["weights"][name].get<double>()));
    }
    row.push_back(agent["kept_policies"].dump());
    for (const std::string& name : names) {
      row.push_back(fmt::format("{:.1f}", agent["returns"][name].get<double>()));
    }
    row.push_back(fmt::format("{:.0f}", agent["episode_length"].get<double>()));
    if (is_family) row.push_back(agent["parent"].is_null() ? "-" : agent["parent"].dump());
  }
  fmt::print(
      "{}, rewards {}: {} agents x {} iterations{}; returns and steps of an episode in the last\n",
      core::Printable(summary["environment"].get<std::string>()),
      core::Printable(summary["rewards"].get<std::string>()), roots, summary["iterations"].dump(),
      is_family ? fmt::format(" and {} children", std::ssize(agents) - roots) : "");
  fmt::print("{}", FormatTable(rows));
}

void Show(const CommonOptions& options, const ShowRequest& request) {
  const population::PopulationDescription description = ReadDescription(request.folder);
  const json summary = Summarise(description);
  PrintResult(options, summary, Draw(description, request.picture), [&] { PrintSummary(summary); });
}

struct MergeRequest {
  std::vector<std::filesystem::path> parts;
  std::filesystem::path out;

  void AddTo(Command& command) {
    command.Add("FOLDERS", parts, "folders of two or more finished populations of one run",
                kRequired);
    command.Add("--out", out, "folder of the whole population", kRequired);
  }
};

void Merge(const CommonOptions& options, const MergeRequest& request) {
  const population::MergedPopulation merged =
      population::MergePopulations(request.parts, request.out);
  if (options.json) {
    return PrintJson({{"population", request.out.string()},
                      {"agents", merged.agents},
                      {"missing", merged.missing}});
  }
  fmt::print("population: {} ({} agents)\n", request.out.string(), merged.agents.size());
  if (!merged.missing.empty()) {
    fmt::print("still missing: agents {}\n", fmt::join(merged.missing, ", "));
  }
}

}  // namespace

void AddPopulationCommand(Command& app) {
  Command population = AddGroup(app, "population", "policies for many weights: train, show, merge");
  AddCommand<TrainArguments, learn::ppo::PopulationConfig>(
      population,
      {"train", "train one PPO agent per weight vector; an interrupted run resumes",
       "  rhumb population train --env mo-halfcheetah-v5 --out cheetah.population\n"
       "  rhumb population train --env point-v0 --out point --set iterations=20 --set count=4\n"
       "Ctrl-C saves the work, and the same command resumes it. To watch the training:\n"
       "`tensorboard --logdir OUT.work/tensorboard`.\n"},
      Train);
  AddCommand<ShowRequest>(population,
                          {"show", "agents of a population, with their weights and returns",
                           "  rhumb population show cheetah.population --picture cheetah.png\n"},
                          Show);
  AddCommand<MergeRequest>(
      population,
      {"merge", "join populations whose agents were trained separately",
       "  rhumb population train --env point-v0 --set count=4 --agents 0,1 --out a\n"
       "  rhumb population train --env point-v0 --set count=4 --agents 2,3 --out b\n"
       "  rhumb population merge a b --out whole\n"},
      Merge);
}

}  // namespace rhumb::cli
