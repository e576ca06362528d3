#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/synthesis.h"
#include "rhumb/eval/task.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct SynthesisArguments {
  std::string model, tasks, data, write_tasks, picture;
  std::vector<std::string> methods;  // empty for the setting's value
  RolloutOptions rollouts;

  void AddTo(Command& command);
  void Override(eval::SynthesisConfig& config) const {
    rollouts.Override(config);
    if (!methods.empty()) config.methods = methods;
  }
};

void SynthesisArguments::AddTo(Command& command) {
  command.Add("MODEL,--model", model, "folder of a model, or its name in the zoo", kRequired);
  const Option of_tasks = command.Add(
      "--tasks", tasks,
      "file with one task per line, as JSON: {\"init\": 17, \"target\": {\"forward\": 4500}, "
      "\"require\": [\"energy>=-500\"], \"seed\": 3}");
  command.Add("--data", data,
              "make tasks from the held-out policies of this dataset. Without --tasks and "
              "--data, tasks are made from the model's training policies",
              {.excludes = {of_tasks}});
  command.Add("--write-tasks", write_tasks, "write the tasks that were made to this file",
              {.excludes = {of_tasks}});
  rollouts.AddTo(command);
  command.Add("--method", methods,
              "methods that choose the codes: default, paper, naive, lookup, nearest_label; "
              "repeat it or separate by commas; default: all",
              {.delimiter = ',', .one_per_use = true});
  AddPicture(command, picture, "the distribution of the errors");
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

void PrintReports(const TaskList& list, const eval::SynthesisConfig& config,
                  const std::vector<eval::SynthesisReport>& reports) {
  fmt::print("{} {}; {} roll-outs each with {} actions\n", list.tasks.size(), list.source,
             config.rollouts, net::NameOf(config.mode));
  Table rows = {{"in %"}};
  for (const eval::SynthesisColumn& column : eval::SynthesisColumns()) {
    rows.front().push_back(column.title);
  }
  std::int64_t diverged = 0;
  for (const eval::SynthesisReport& report : reports) {
    Row& row = rows.emplace_back(Row{report.method});
    for (const eval::SynthesisColumn& column : eval::SynthesisColumns()) {
      row.push_back(FormatNumber(100 * column.value(report), "{:.2f}"));
    }
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
  const core::Job job = options.MakeJob(options.json);
  const net::Model model = net::ReadModel(zoo::FindModel(arguments.model));
  const TaskList list = FindTasks(arguments, config, model, options.seed);
  const std::vector<std::string> methods = eval::ChooseMethods(config, model);
  if (config.methods.empty() &&
      std::find(methods.begin(), methods.end(), "lookup") == methods.end()) {
    core::LogInfo("no lookup: the model has no codes rolled out with {} actions",
                  net::NameOf(config.mode));
  }
  const sim::Environment environment = rollout::MakeEnvironment(model);
  core::CatchInterrupts();
  std::vector<eval::SynthesisReport> reports;
  for (const std::string& method : methods) {
    reports.push_back(
        Finished(eval::MeasureSynthesis(environment, model, list.tasks, method, config, job),
                 "interrupted; nothing was written"));
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
  AddSubject(arguments.model, model, options.seed, document);
  PrintResult(options, document, DrawRequested("synthesis.py", document, arguments.picture), [&] {
    PrintReports(list, config, reports);
    if (!arguments.write_tasks.empty()) fmt::print("tasks: {}\n", arguments.write_tasks);
  });
}

}  // namespace

void AddSynthesis(Command& evaluate) {
  AddCommand<SynthesisArguments, eval::SynthesisConfig>(
      evaluate,
      {"synthesis", "error of steering in simulation, for many tasks, compared with other methods",
       "  rhumb evaluate synthesis cheetah.model --data cheetah-v0 --write-tasks tasks.jsonl\n"
       "  rhumb evaluate synthesis cheetah.model --tasks tasks.jsonl --mode mean --method "
       "default,lookup\n"
       "  rhumb evaluate synthesis cheetah.model --data cheetah-v0 --set "
       "tasks.over=torso_height,pitch_std,action_rate --set tasks.requirements=2\n"
       "  rhumb evaluate synthesis cheetah.model --data cheetah-hole-v0 --set tasks.split=hole\n"
       "The third makes tasks with two requirements each, over three attributes that `rhumb model\n"
       "add-attribute` added. The fourth makes tasks from the policies that were left out of\n"
       "training by `rhumb dataset collect --set split.hole=0.1`.\n"},
      Synthesis);
}

}  // namespace rhumb::cli
