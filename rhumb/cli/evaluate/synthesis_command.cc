#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/steering/held_out.h"
#include "rhumb/eval/steering/synthesis.h"
#include "rhumb/eval/steering/task.h"
#include "rhumb/population/population_reader.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct SynthesisArguments {
  std::string model, tasks, data, population, write_tasks, picture;
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
              "make tasks from the held-out policies of this dataset. Without --tasks and --data, "
              "tasks are made from the held-out policies that a model of the zoo brings along, or "
              "else from its training policies (tasks.split=train). With --tasks, the dataset of "
              "their anchors, for imitate and teacher");
  command.Add("--population", population,
              "the population of that dataset, to play the anchors again (teacher)");
  command.Add("--write-tasks", write_tasks, "write the tasks that were made to this file",
              {.excludes = {of_tasks}});
  rollouts.AddTo(command);
  command.Add(
      "--method", methods,
      "methods that choose the codes: default, still, tries, paper, naive, lookup, nearest_label, "
      "imitate, teacher; repeat it or separate by commas; default: all that are possible",
      {.delimiter = ',', .one_per_use = true});
  AddPicture(command, picture, "the distribution of the errors");
}

// The tasks, and a description of their source.
struct TaskList {
  std::vector<eval::Task> tasks;
  std::string source;
  std::vector<float> anchor_codes;  // of held-out policies that came with the model
};

TaskList FindTasks(const SynthesisArguments& arguments, const eval::SynthesisConfig& config,
                   const net::Model& model, const data::Dataset* dataset, std::uint64_t seed) {
  if (!arguments.tasks.empty()) {
    return {eval::ReadTasks(arguments.tasks, model), "tasks of " + arguments.tasks, {}};
  }
  TaskList list;
  eval::Anchors anchors;
  const std::filesystem::path bundled = zoo::FindModel(arguments.model) / "held_out.safetensors";
  if (dataset == nullptr && config.tasks.split != "train" && std::filesystem::exists(bundled)) {
    anchors = eval::ReadHeldOut(bundled, model, config.tasks.split);
    list.anchor_codes = eval::EncodeHeldOut(bundled, model);
    list.source =
        fmt::format("tasks anchored at the model's held-out policies ({})", config.tasks.split);
  } else if (dataset == nullptr) {
    anchors = eval::TrainingAnchors(model);
    list.source = "tasks anchored at the policies that the model was trained on, by their labels";
  } else {
    anchors = eval::AnchorsOf(*dataset, config.tasks.split, model.description);
    list.source =
        fmt::format("tasks anchored at policies of {} ({})", arguments.data, config.tasks.split);
  }
  list.tasks = eval::MakeTasks(model, anchors, config.tasks, seed);
  if (!arguments.write_tasks.empty()) eval::WriteTasks(arguments.write_tasks, list.tasks);
  return list;
}

std::vector<std::string> IntervalRow(const std::string& tasks,
                                     const eval::SynthesisReport& report) {
  return {report.method, tasks, FormatShare(report.success_interval, 2),
          FormatShare(report.target_error_interval, 2), FormatShare(report.met_interval, 2)};
}

// The split reports of all methods, and comparisons of the first method with the others.
struct Details {
  std::vector<eval::SplitReport> splits;
  std::vector<eval::SynthesisComparison> comparisons;
};

Details DetailsOf(const std::vector<eval::SynthesisReport>& reports,
                  const std::vector<eval::Task>& tasks, std::uint64_t seed) {
  Details details;
  for (const eval::SynthesisReport& report : reports) {
    for (eval::SplitReport& split : eval::SplitSynthesis(report, tasks, seed)) {
      details.splits.push_back(std::move(split));
    }
    if (&report == &reports.front()) continue;
    details.comparisons.push_back(eval::CompareSynthesis(reports.front(), report, tasks, seed));
  }
  return details;
}

void PrintDetails(const std::vector<eval::SynthesisReport>& reports, const Details& details) {
  Table rows = {{"in %", "tasks", "S", "E_targ", "met"}};
  for (const eval::SynthesisReport& report : reports) rows.push_back(IntervalRow("all", report));
  for (const eval::SplitReport& split : details.splits) {
    rows.push_back(IntervalRow(split.split, split.report));
  }
  fmt::print("\nwith 95 % intervals, clustered by anchor\n{}", FormatTable(rows));
  for (const eval::SynthesisReport& report : reports) {
    fmt::print("codes of {}: {}\n", report.method, FormatOrigins(report.origins));
  }
  for (const eval::SynthesisComparison& pair : details.comparisons) {
    fmt::print("{}\n", FormatComparison("met", pair.method, pair.other, pair.met));
  }
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
  std::optional<data::Dataset> dataset;
  if (!arguments.data.empty()) dataset.emplace(data::Dataset::Open(arguments.data));
  std::optional<population::PopulationReader> population;
  if (!arguments.population.empty()) population.emplace(arguments.population);
  const TaskList list =
      FindTasks(arguments, config, model, dataset ? &*dataset : nullptr, options.seed);
  const eval::AnchorData anchors = {dataset ? &*dataset : nullptr,
                                    population ? &*population : nullptr, list.anchor_codes};
  const std::vector<std::string> methods = eval::ChooseMethods(config, model, list.tasks, anchors);
  if (config.methods.empty() && !population) {
    core::LogInfo("no teacher: --data and --population name what plays the anchors again");
  }
  if (config.methods.empty() &&
      std::find(methods.begin(), methods.end(), "lookup") == methods.end()) {
    core::LogInfo("no lookup: the model has no codes rolled out with {} actions",
                  net::NameOf(config.mode));
  }
  const sim::Environment environment = rollout::MakeEnvironment(model);
  core::CatchInterrupts();
  std::vector<eval::SynthesisReport> reports;
  for (const std::string& method : methods) {
    reports.push_back(Finished(
        eval::MeasureSynthesis(environment, model, list.tasks, method, config, job, anchors),
        "interrupted; nothing was written"));
  }
  const Details details = DetailsOf(reports, list.tasks, options.seed);

  // The first method's figures are at the top level of the document.
  json document = eval::ToJson(reports.front(), list.tasks, model.description);
  document["beside"] = json::array();
  for (std::size_t i = 1; i < reports.size(); ++i) {
    document["beside"].push_back(eval::ToJson(reports[i], list.tasks, model.description));
  }
  document["splits"] = json::array();
  for (const eval::SplitReport& split : details.splits) {
    document["splits"].push_back(eval::ToJson(split));
  }
  document["compared"] = json::array();
  for (const eval::SynthesisComparison& pair : details.comparisons) {
    document["compared"].push_back(eval::ToJson(pair));
  }
  document["unit"] = "%";
  document["tasks"] = {{"count", list.tasks.size()}, {"source", list.source}};
  document["mode"] = net::NameOf(config.mode);
  document["rollouts"] = config.rollouts;
  AddSubject(arguments.model, model, options.seed, document);
  PrintResult(options, document, DrawRequested("synthesis.py", document, arguments.picture), [&] {
    PrintReports(list, config, reports);
    PrintDetails(reports, details);
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
       "  rhumb evaluate synthesis cheetah.model --data cheetah-v0 \\\n"
       "    --set tasks.over=torso_height,pitch_std,action_rate --set tasks.requirements=2\n"
       "  rhumb evaluate synthesis cheetah.model --data cheetah-hole-v0 --set tasks.split=hole\n"
       "The third makes tasks with two requirements each, over three attributes that `rhumb model\n"
       "add-attribute` added. The fourth makes tasks from the policies that were left out of\n"
       "training by `rhumb dataset collect --set split.hole=0.1`.\n"},
      Synthesis);
}

}  // namespace rhumb::cli
