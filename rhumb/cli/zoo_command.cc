#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/error.h"
#include "rhumb/core/files/file.h"
#include "rhumb/core/process/log.h"
#include "rhumb/core/text.h"
#include "rhumb/net/model.h"
#include "rhumb/steer/attainable.h"
#include "rhumb/zoo/model_place.h"
#include "rhumb/zoo/zoo_pack.h"

namespace rhumb::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxCardBytes = 1 << 20;

// The card's first heading, which may follow front matter.
std::string TitleOf(const fs::path& entry) {
  const std::string card = "\n" + core::ReadFile(entry / "README.md", kMaxCardBytes);
  const std::size_t heading = card.find("\n# ");
  if (heading == card.npos) return "";
  const std::size_t begin = heading + 3;
  return card.substr(begin, card.find('\n', begin) - begin);
}

std::string Megabytes(std::uintmax_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

json DescribeEntry(const std::string& name) {
  const fs::path folder = zoo::ZooFolder() / name;
  const net::Model model = net::ReadModel(folder);
  json objectives = json::array(), attributes = json::array(), modes = json::array();
  const std::vector<steer::Interval> ranges =
      steer::AttainableRanges(model, steer::MainMode(model));
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const net::ModelObjective& objective = model.description.objectives[k];
    json one = {{"name", objective.name},
                {"unit", objective.unit},
                {"min", objective.min},
                {"max", objective.max},
                {"attainable", {ranges[k].low, ranges[k].high}}};
    if (objective.expression.empty()) {
      objectives.push_back(one);
    } else {
      one["expression"] = objective.expression;
      attributes.push_back(one);
    }
  }
  for (std::size_t i = 0; i < model.grounded.size(); ++i) {
    if (model.grounded[i]) modes.push_back(net::NameOf(static_cast<net::RolloutMode>(i)));
  }
  std::uintmax_t bytes = 0;
  const json files = net::OpenModelArtifact(folder).manifest()["files"];
  for (const json& file : files) bytes += file["bytes"].get<std::uintmax_t>();
  return {{"name", name},
          {"environment", model.description.environment.id},
          {"rewards", model.description.environment.rewards},
          {"title", TitleOf(folder)},
          {"objectives", objectives},
          {"attributes", attributes},
          {"modes", modes},
          {"bytes", bytes},
          {"folder", folder.string()}};
}

void PrintEntry(const json& entry) {
  const auto words = entry["modes"].get<std::vector<std::string>>();
  const std::string modes = fmt::format("{}", fmt::join(words, " and "));
  const auto text = [&](const char* key) { return core::Printable(entry[key].get<std::string>()); };
  fmt::print("{}: {}\n", text("name"), text("title"));
  fmt::print("{}, rewards {}; {}, {}\n", text("environment"), text("rewards"),
             Megabytes(entry["bytes"].get<std::uintmax_t>()),
             modes.empty() ? "not grounded" : "grounded for " + modes + " actions");
  Table rows = {{"", "from", "to", "unit", "is"}};
  for (const char* kind : {"objectives", "attributes"}) {
    for (const json& one : entry[kind]) {
      rows.push_back({one["name"], fmt::format("{:.4g}", one["attainable"][0].get<double>()),
                      fmt::format("{:.4g}", one["attainable"][1].get<double>()), one["unit"],
                      one.value("expression", "return")});
    }
  }
  fmt::print("{}", FormatTable(rows));
}

void List(const CommonOptions& options) {
  json entries = json::array();
  for (const std::string& name : zoo::ZooNames()) {
    try {
      entries.push_back(DescribeEntry(name));
    } catch (const Error& problem) {
      core::LogWarning("{} cannot be used: {}", name, problem.what());
    }
  }
  if (options.json) return PrintJson(entries);
  if (entries.empty()) fmt::print("no model in {}\n", zoo::ZooFolder().string());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) fmt::print("\n");
    PrintEntry(entries[i]);
  }
}

struct PackArguments {
  zoo::PackRequest request;

  void AddTo(Command& command) {
    AddModel(command, request.model);
    const Option data =
        command.Add("--data", request.data,
                    "dataset that the model was trained on; adds its held-out policies");
    command.Add("--tasks", request.tasks,
                "tasks to evaluate it on, from `rhumb evaluate synthesis --write-tasks`");
    command.Add("--from", request.from,
                "earlier entry that the model was grounded from, or the model itself if it is an "
                "entry; takes over its held-out policies, history and, without --tasks, its tasks",
                {.excludes = {data}});
    command.Add("--out", request.out,
                fmt::format("folder of the new entry, at most {}", Megabytes(zoo::kMaxEntryBytes)),
                kRequired);
  }
};

void Pack(const CommonOptions& options, const PackArguments& arguments) {
  zoo::PackRequest request = arguments.request;
  request.seed = options.seed;
  const zoo::PackedEntry entry = zoo::PackEntry(request);
  if (entry.held_out_policies == 0)
    core::LogInfo("no held-out policies, because --data was not given");
  if (entry.tasks == 0) core::LogInfo("no tasks, because --tasks was not given");
  if (entry.commands.empty()) {
    core::LogInfo("no commands, because {} was not made by `rhumb reproduce`", request.model);
  }
  if (options.json) {
    return PrintJson({{"entry", request.out.string()},
                      {"bytes", entry.bytes},
                      {"tasks", entry.tasks},
                      {"held_out_policies", entry.held_out_policies},
                      {"commands", entry.commands}});
  }
  fmt::print("{}: {}, {} tasks, {} held-out policies\n", request.out.string(),
             Megabytes(entry.bytes), entry.tasks, entry.held_out_policies);
}

}  // namespace

void AddZooCommand(Command& app) {
  Command zoo = AddGroup(app, "zoo", "models that come with Rhumb: list, pack");
  AddCommand(zoo,
             {"list", "bundled models and the values that they can be steered by",
              "  rhumb zoo list\n"
              "  rhumb steer halfcheetah --target forward=6000\n"},
             List);
  AddCommand<PackArguments>(
      zoo,
      {"pack", "pack a model as an entry, with tasks, held-out policies and a signature",
       "  rhumb zoo pack cheetah.model --data cheetah-v0 --tasks tasks.jsonl --out "
       "zoo/halfcheetah\n"
       "The entry of a model from `rhumb reproduce` lists the commands that made it.\n"},
      Pack);
}

}  // namespace rhumb::cli
