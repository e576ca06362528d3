#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/eval/steering/steering_path.h"
#include "rhumb/eval/steering/steering_picture.h"
#include "rhumb/eval/steering/task.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct PathArguments {
  std::string model;
  std::string queries, picture;
  RolloutOptions rollouts;

  void AddTo(Command& command) {
    AddModel(command, model);
    command.Add("--queries", queries,
                "file with one JSON object per line: {\"init\": 17, \"target\": {\"forward\": "
                "4500}, \"require\": [\"energy>=-500\"]}. init is the training code to start "
                "from. Default: three queries made from the training codes");
    rollouts.AddTo(command);
    AddPicture(command, picture, "the paths over the return landscape");
  }
  void Override(eval::PathConfig& config) const { rollouts.Override(config); }
};

void PrintPaths(const eval::PathReport& report, const std::vector<eval::Task>& tasks,
                const net::ModelDescription& model, const std::string& source) {
  fmt::print("{}; {} roll-outs of each code with {} actions\n", source, report.config.rollouts,
             net::NameOf(report.config.mode));
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    fmt::print("\n{}, from training code {}\n", eval::DescribeBriefly(tasks[i].query),
               report.starts[i]);
    Table rows = {{"path", "status", "steps", "distance", "objective", "predicted", "realised", "±",
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
  const net::Model model = net::ReadModel(zoo::FindModel(arguments.model));
  const bool made = arguments.queries.empty();
  const std::vector<eval::Task> tasks =
      made ? eval::MakePathTasks(model) : eval::ReadTasks(arguments.queries, model);
  const std::string source =
      made ? eval::DescribePathTasks(model) : "queries of " + arguments.queries;
  const sim::Environment environment = rollout::MakeEnvironment(model);
  core::CatchInterrupts();
  const eval::PathReport report =
      Finished(eval::MeasurePaths(environment, model, tasks, config, options.MakeJob(options.json)),
               "interrupted; no path was written");

  json document = eval::ToJson(report, tasks, model);
  document["source"] = source;
  AddSubject(arguments.model, model, options.seed, document);
  PrintResult(options, document, DrawRequested("paths.py", document, arguments.picture),
              [&] { PrintPaths(report, tasks, model.description, source); });
}

}  // namespace

void AddPaths(Command& evaluate) {
  AddCommand<PathArguments, eval::PathConfig>(
      evaluate,
      {"paths",
       "predicted and realised values along steering paths, with and without projection to the "
       "data",
       "  rhumb evaluate paths cheetah.model --picture paths.png\n"
       "  rhumb evaluate paths cheetah.model --queries queries.jsonl --mode mean --json\n"},
      Paths);
}

}  // namespace rhumb::cli
