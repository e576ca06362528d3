#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/synthesis.h"
#include "rhumb/eval/task.h"
#include "rhumb/net/model.h"
#include "rhumb/report/picture.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct SynthesisArguments {
  std::string model;
  std::string tasks, data, write_tasks;
  std::string mode;                  // "" for the settings' value
  std::vector<std::string> methods;  // empty for the settings' value
  int rollouts = 0;                  // 0 for the settings' value
  std::string picture;

  void AddTo(CLI::App& command);
  void Override(eval::SynthesisConfig& config) const {
    if (!mode.empty()) config.mode = net::ParseRolloutMode(mode);
    if (!methods.empty()) config.methods = methods;
    if (rollouts != 0) config.rollouts = rollouts;
  }
};

void SynthesisArguments::AddTo(CLI::App& command) {
  command.add_option("MODEL,--model", model, "a model's folder, or its name in the zoo")
      ->required();
  CLI::Option* of_tasks = command.add_option(
      "--tasks", tasks,
      "one JSON object a line: {\"init\": 17, \"target\": {\"forward\": 4500}, \"require\": "
      "[\"energy>=-500\"], \"seed\": 3}");
  command
      .add_option("--data", data,
                  "make tasks, anchored at held-out policies of this dataset; without --tasks and "
                  "--data, at those that the model was trained on")
      ->excludes(of_tasks);
  command.add_option("--write-tasks", write_tasks, "write the tasks that were made here")
      ->excludes(of_tasks);
  command.add_option("--mode", mode, "how the decoder acts: sampled or mean");
  command
      .add_option("--method", methods,
                  "who picks the codes: default, paper, naive, lookup, nearest_label; several "
                  "times, or with commas between; by default all")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--rollouts", rollouts, "episodes that each code plays");
  command.add_option("--picture", picture,
                     "draw the distribution of the errors into this PNG file");
}

// The tasks, and a description of their source.
struct TaskList {
  std::vector<eval::Task> tasks;
  std::string source;
};

TaskList FindTasks(const SynthesisArguments& arguments, const eval::SynthesisConfig& config,
                   const net::Model& model, std::uint64_t seed) {
  if (!arguments.tasks.empty()) {
    return {eval::ReadTasks(arguments.tasks, model), "tasks of " + arguments.tasks};
  }
  TaskList list;
  eval::Anchors anchors;
  if (arguments.data.empty()) {
    anchors = eval::TrainingAnchors(model);
    list.source = "tasks anchored at the policies that the model was trained on, by their labels";
  } else {
    anchors =
        eval::AnchorsOf(data::Dataset::Open(arguments.data), config.tasks.split, model.description);
    list.source =
        fmt::format("tasks anchored at policies of {} ({})", arguments.data, config.tasks.split);
  }
  list.tasks = eval::MakeTasks(model, anchors, config.tasks, seed);
  if (!arguments.write_tasks.empty()) eval::WriteTasks(arguments.write_tasks, list.tasks);
  return list;
}

std::string Percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.2f}", 100 * share) : "-";
}

void PrintReports(const TaskList& list, const eval::SynthesisConfig& config,
                  const std::vector<eval::SynthesisReport>& reports) {
  fmt::print("{} {}; {} roll-outs each with {} actions\n", list.tasks.size(), list.source,
             config.rollouts, net::NameOf(config.mode));
  std::vector<std::vector<std::string>> rows = {{"in %"}};
  for (const eval::SynthesisColumn& column : eval::SynthesisColumns()) {
    rows.front().push_back(column.title);
  }
  std::int64_t diverged = 0;
  for (const eval::SynthesisReport& report : reports) {
    std::vector<std::string> row = {report.method};
    for (const eval::SynthesisColumn& column : eval::SynthesisColumns()) {
      row.push_back(Percent(column.value(report)));
    }
    rows.push_back(std::move(row));
    diverged += report.diverged;
  }
  fmt::print("{}", FormatTable(rows));
  for (const eval::SynthesisColumn& column : eval::SynthesisColumns()) {
    fmt::print("{}: {}\n", column.title, column.meaning);
  }
  fmt::print("{} rollouts diverged\n", diverged);
}

void Synthesis(const CommonOptions& options, const SynthesisArguments& arguments,
               const eval::SynthesisConfig& config) {
  core::Job job = options.MakeJob();
  job.quiet = options.json;
  const net::Model model = net::ReadModel(zoo::FindModel(arguments.model));
  const TaskList list = FindTasks(arguments, config, model, options.seed);
  const std::vector<std::string> methods = eval::ChooseMethods(config, model);
  if (config.methods.empty() &&
      std::find(methods.begin(), methods.end(), "lookup") == methods.end()) {
    core::LogInfo("no lookup: the model has no codes that were rolled out with {} actions",
                  net::NameOf(config.mode));
  }
  const sim::Environment environment = rollout::MakeEnvironment(model);
  core::CatchInterrupts();
  std::vector<eval::SynthesisReport> reports;
  for (const std::string& method : methods) {
    auto report = eval::MeasureSynthesis(environment, model, list.tasks, method, config, job);
    if (!report)
      throw core::CommandFailed{core::kInterrupted, "interrupted; no figure was written"};
    reports.push_back(std::move(*report));
  }

  // The first method's figures are at the top level of the document.
  json document = eval::ToJson(reports.front(), list.tasks, model.description);
  document["beside"] = json::array();
  for (std::size_t i = 1; i < reports.size(); ++i) {
    document["beside"].push_back(eval::ToJson(reports[i], list.tasks, model.description));
  }
  document["unit"] = "%";
  document["tasks"] = {{"count", list.tasks.size()}, {"source", list.source}};
  document["mode"] = net::NameOf(config.mode);
  document["rollouts"] = config.rollouts;
  document["model"] = arguments.model;
  document["environment"] = model.description.environment.id;
  document["variant"] = model.description.variant;
  document["seed"] = options.seed;
  const bool drawn = !arguments.picture.empty() &&
                     report::DrawPicture("synthesis.py", document, arguments.picture);
  if (drawn) document["picture"] = arguments.picture;
  if (options.json) return PrintJson(document);
  PrintReports(list, config, reports);
  if (!arguments.write_tasks.empty()) fmt::print("tasks: {}\n", arguments.write_tasks);
  if (drawn) fmt::print("picture: {}\n", arguments.picture);
}

}  // namespace

void AddSynthesis(CLI::App& evaluate) {
  AddCommand<SynthesisArguments, eval::SynthesisConfig>(
      evaluate,
      {"synthesis",
       "how near to what is asked for steering comes in simulation, and what else does",
       "  rhumb evaluate synthesis cheetah.model --data cheetah-v0 --write-tasks tasks.jsonl\n"
       "  rhumb evaluate synthesis cheetah.model --tasks tasks.jsonl --mode mean --method "
       "default,lookup\n"
       "  rhumb evaluate synthesis cheetah.model --data cheetah-v0 --set "
       "tasks.over=torso_height,pitch_std,action_rate --set tasks.requirements=2\n"
       "  rhumb evaluate synthesis cheetah.model --data cheetah-hole-v0 --set tasks.split=hole\n"
       "The third asks for two requirements a task, drawn from three attributes of `rhumb model "
       "add-attribute`,\neach at least or at most what the policy reached; the fourth for what the "
       "policies in the hole did, which\n`rhumb dataset collect --set split.hole=0.1` left out of "
       "training.\n"},
      Synthesis);
}

}  // namespace rhumb::cli
