#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/log.h"
#include "rhumb/eval/steering/between.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct BetweenArguments {
  std::string model;
  std::string mode;                  // "" for the setting's value
  std::vector<std::string> methods;  // empty for the setting's value

  void AddTo(Command& command) {
    AddModel(command, model);
    command.Add("--mode", mode, "how the decoder acts: sampled or mean");
    command.Add("--method", methods,
                "steering methods: default, still, paper, naive; repeat it or separate by commas; "
                "default: default and still",
                {.delimiter = ',', .one_per_use = true});
  }
  void Override(eval::BetweenConfig& config) const {
    if (!mode.empty()) config.mode = net::ParseRolloutMode(mode);
    if (!methods.empty()) config.methods = methods;
  }
};

void PrintMeasurement(const eval::BetweenMeasurement& measured, const eval::BetweenConfig& config) {
  const eval::BetweenTasks& made = measured.tasks;
  fmt::print(
      "{} tasks between the training policies, of {} pairs of policies; {} rollouts per answer "
      "with {} actions\n",
      made.tasks.size(), measured.clusters, config.episodes, net::NameOf(config.mode));
  fmt::print("{} codes mixed from pairs of different {}: {} unsteady, {} near a training policy\n",
             made.draws, made.different, made.unsteady, made.known);
  Table rows = {{"in %", "false noes", "met", "promised and missed", "median miss", "90 % miss",
                 "distance", "codes of solved tasks"}};
  std::int64_t diverged = 0;
  for (const eval::BetweenReport& report : measured.reports) {
    rows.push_back({report.method, FormatShare(report.false_noes, 1), FormatShare(report.met, 1),
                    FormatShare(report.promised_and_missed, 1),
                    FormatNumber(100 * report.miss.median, "{:.2f}"),
                    FormatNumber(100 * report.miss.q90, "{:.2f}"),
                    FormatNumber(report.distance, "{:.2f}"),
                    // The sign keeps the column left-aligned.
                    "= " + FormatOrigins(report.origins)});
    diverged += report.diverged;
  }
  fmt::print("{}", FormatTable(rows));
  for (const eval::BetweenComparison& pair : measured.comparisons) {
    fmt::print("{}\n", FormatComparison("met", pair.method, pair.other, pair.met));
    fmt::print("{}\n", FormatComparison("nearer", pair.method, pair.other, pair.nearer));
  }
  fmt::print(
      "false noes: tasks that steering does not call solved, although the decoder has a code\n"
      "met: solved tasks whose realised means are within {:g} % of the range in every objective\n"
      "miss: largest error over the objectives, in % of the range; a false no counts with the "
      "nearest code\n"
      "nearer: tasks with the smaller miss of the two\n"
      "own_code: the mixed code of each task, played again; it shows the noise\n"
      "distance: from the training codes, in spacings, mean over solved tasks\n"
      "In brackets: 95 % intervals by a bootstrap clustered by the pair of policies\n"
      "{} rollouts diverged\n",
      100 * eval::kMetMiss, diverged);
}

void Between(const CommonOptions& options, const BetweenArguments& arguments,
             const eval::BetweenConfig& config) {
  const net::Model model = net::ReadModel(zoo::FindModel(arguments.model));
  const sim::Environment environment = rollout::MakeEnvironment(model);
  core::CatchInterrupts();
  const eval::BetweenMeasurement measured =
      Finished(eval::MeasureBetween(environment, model, config, options.MakeJob(options.json)),
               "interrupted; nothing was written");
  const eval::BetweenTasks& made = measured.tasks;
  if (static_cast<int>(made.tasks.size()) < config.tasks) {
    core::LogInfo("{} of {} tasks found in {} draws; `draws` sets how many are tried",
                  made.tasks.size(), config.tasks, made.draws);
  }
  if (made.different != "agents") {
    core::LogInfo("the model does not know the agents of its codes: pairs have different {}",
                  made.different);
  }
  json document = eval::ToJson(measured, model.description);
  document["mode"] = net::NameOf(config.mode);
  document["episodes"] = config.episodes;
  AddSubject(arguments.model, model, options.seed, document);
  PrintResult(options, document, "", [&] { PrintMeasurement(measured, config); });
}

}  // namespace

void AddBetween(Command& evaluate) {
  AddCommand<BetweenArguments, eval::BetweenConfig>(
      evaluate,
      {"between", "whether steering finds behaviours between those of the training policies",
       "  rhumb evaluate between cheetah.model\n"
       "  rhumb evaluate between cheetah.model --mode mean --set tasks=50\n"
       "  rhumb evaluate between cheetah.model --method default --set steer.max_distance=8\n"},
      Between);
}

}  // namespace rhumb::cli
