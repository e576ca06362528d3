#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/eval/map/imitation.h"
#include "rhumb/rollout/code_runner.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct ImitationArguments {
  EvaluationSubject subject;
  RolloutOptions rollouts;
  std::string split;  // "" for the setting's value
  int episodes = 0;   // 0 for the setting's value
  std::string picture;

  void AddTo(Command& command) {
    subject.AddTo(command);
    rollouts.AddTo(command);
    command.Add("--split", split,
                "split of the episodes: train, held_out_checkpoint, held_out_weight, held_out "
                "(both), or hole");
    command.Add("--episodes", episodes, "largest number of episodes to imitate");
    AddPicture(command, picture, "the distribution of the errors");
  }
  void Override(eval::ImitationConfig& config) const {
    rollouts.Override(config);
    if (!split.empty()) config.split = split;
    if (episodes != 0) config.episodes = episodes;
  }
};

void PrintImitation(const eval::ImitationReport& report) {
  std::set<int> policies;
  for (const eval::ImitationRow& row : report.rows) policies.insert(row.policy);
  fmt::print("{} episodes of {} policies ({}), {} roll-outs each with {} actions\n",
             report.rows.size(), policies.size(), report.config.split, report.config.rollouts,
             net::NameOf(report.config.mode));
  Table rows = {{"error, %", "against", "median", "mean", "10 %", "25 %", "75 %", "90 %",
                 "share below 10 %"}};
  const auto add = [&](const std::string& name, const char* against,
                       const eval::ErrorSummary& summary) {
    Row& row = rows.emplace_back(Row{name, against});
    for (const double value : {summary.median, summary.mean, summary.q10, summary.q25, summary.q75,
                               summary.q90, summary.share_below}) {
      row.push_back(FormatNumber(100 * value, "{:.2f}"));
    }
  };
  for (const eval::ObjectiveImitation& objective : report.objectives) {
    add(objective.name, "the episode", objective.error);
    add(objective.name, "the policy's mean", objective.policy_error);
    add(objective.name, "teacher's own spread", objective.teacher_error);
  }
  fmt::print("{}", FormatTable(rows));
  fmt::print("mean steps: {:.1f} imitated, {:.1f} realised; {} roll-outs diverged\n",
             report.mean_steps, report.realised_mean_steps, report.diverged);
}

void Imitation(const CommonOptions& options, const ImitationArguments& arguments,
               const eval::ImitationConfig& config) {
  const auto [model, dataset] = arguments.subject.Open();
  const sim::Environment environment = rollout::MakeEnvironment(model);
  core::CatchInterrupts();
  const eval::ImitationReport report =
      Finished(eval::MeasureImitation(environment, model, dataset, config, options.MakeJob()),
               "interrupted; nothing was written");

  const json document = arguments.subject.Document(model, options.seed, eval::ToJson(report));
  PrintResult(options, document, DrawRequested("returns.py", document, arguments.picture),
              [&] { PrintImitation(report); });
}

}  // namespace

void AddEvaluateCommand(Command& app) {
  Command evaluate = AddGroup(app, "evaluate",
                              "measure a model: probe, imitation, synthesis, between, front, "
                              "ordering, context size, geometry, paths, switch");
  AddMapMeasures(evaluate);
  AddCommand<ImitationArguments, eval::ImitationConfig>(
      evaluate,
      {"imitation", "how closely the decoder imitates the policy whose context it gets",
       "  rhumb evaluate imitation cheetah.model --data cheetah-v0 --picture imitation.png\n"
       "  rhumb evaluate imitation cheetah.model --data cheetah-v0 --mode mean --split train\n"},
      Imitation);
  AddSynthesis(evaluate);
  AddBetween(evaluate);
  AddFront(evaluate);
  AddPaths(evaluate);
  AddSwitch(evaluate);
}

}  // namespace rhumb::cli
