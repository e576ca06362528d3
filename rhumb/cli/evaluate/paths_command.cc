#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/eval/steering_path.h"
#include "rhumb/eval/steering_picture.h"
#include "rhumb/eval/task.h"
#include "rhumb/net/model.h"
#include "rhumb/report/picture.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct PathArguments {
  std::string model;
  std::string queries;
  std::string mode;  // "" for the settings' value
  int rollouts = 0;  // 0 for the settings' value
  std::string picture;

  void AddTo(CLI::App& command) {
    command.add_option("MODEL", model, "a model's folder, or its name in the zoo")->required();
    command.add_option("--queries", queries,
                       "one JSON object a line: {\"init\": 17, \"target\": {\"forward\": 4500}, "
                       "\"require\": [\"energy>=-500\"]}, init being the training code to start "
                       "from; without it, three that the training codes suggest");
    command.add_option("--mode", mode, "how the decoder acts: sampled or mean");
    command.add_option("--rollouts", rollouts, "episodes that each code plays");
    command.add_option("--picture", picture,
                       "draw the paths over the return landscape into this PNG file");
  }
  void Override(eval::PathConfig& config) const {
    if (!mode.empty()) config.mode = net::ParseRolloutMode(mode);
    if (rollouts != 0) config.rollouts = rollouts;
  }
};

void PrintPaths(const eval::PathReport& report, const std::vector<eval::Task>& tasks,
                const net::ModelDescription& model, const std::string& source) {
  fmt::print("{}; {} roll-outs of each code with {} actions\n", source, report.config.rollouts,
             net::NameOf(report.config.mode));
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    fmt::print("\n{}, from training code {}\n", eval::DescribeBriefly(tasks[i].query),
               report.starts[i]);
    std::vector<std::vector<std::string>> rows = {{"path", "status", "steps", "distance",
                                                   "objective", "predicted", "realised", "±",
                                                   "gap on the way"}};
    for (const eval::SteeringPath& path : report.paths[i]) {
      const eval::PathPoint& end = path.points.back();
      const std::vector<double> gaps = eval::GapsOf(path);
      for (std::size_t k = 0; k < gaps.size(); ++k) {
        rows.push_back(
            {path.method, std::string(steer::NameOf(path.status)), std::to_string(end.iteration),
             fmt::format("{:.2f}", end.distance), model.objectives[k].name,
             FormatNumber(end.predicted[k], "{:.5g}"), FormatNumber(end.realised.mean[k], "{:.5g}"),
             FormatNumber(end.realised.std[k], "{:.2g}"), FormatNumber(gaps[k], "{:.3g}")});
      }
    }
    fmt::print("{}", FormatTable(rows));
  }
  fmt::print(
      "\npredicted and realised: at the end of the path; gap: their mean difference along it;\n"
      "distance: from the training codes, in their spacings\n");
}

void Paths(const CommonOptions& options, const PathArguments& arguments,
           const eval::PathConfig& config) {
  core::Job job = options.MakeJob();
  job.quiet = options.json;
  const net::Model model = net::ReadModel(zoo::FindModel(arguments.model));
  const bool made = arguments.queries.empty();
  const std::vector<eval::Task> tasks =
      made ? eval::MakePathTasks(model) : eval::ReadTasks(arguments.queries, model);
  const std::string source =
      made ? eval::DescribePathTasks(model) : "queries of " + arguments.queries;
  const sim::Environment environment = rollout::MakeEnvironment(model);
  core::CatchInterrupts();
  const std::optional<eval::PathReport> report =
      eval::MeasurePaths(environment, model, tasks, config, job);
  if (!report) throw core::CommandFailed{core::kInterrupted, "interrupted; no path was written"};

  json document = eval::ToJson(*report, tasks, model);
  document["source"] = source;
  document["model"] = arguments.model;
  document["environment"] = model.description.environment.id;
  document["variant"] = model.description.variant;
  document["seed"] = options.seed;
  const bool drawn =
      !arguments.picture.empty() && report::DrawPicture("paths.py", document, arguments.picture);
  if (drawn) document["picture"] = arguments.picture;
  if (options.json) return PrintJson(document);
  PrintPaths(*report, tasks, model.description, source);
  if (drawn) fmt::print("picture: {}\n", arguments.picture);
}

}  // namespace

void AddPaths(CLI::App& evaluate) {
  AddCommand<PathArguments, eval::PathConfig>(
      evaluate,
      {"paths",
       "what the heads promise and the decoder does on the way of steering, along the data and not",
       "  rhumb evaluate paths cheetah.model --picture paths.png\n"
       "  rhumb evaluate paths cheetah.model --queries queries.jsonl --mode mean --json\n"},
      Paths);
}

}  // namespace rhumb::cli
