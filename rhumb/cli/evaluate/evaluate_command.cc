#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/process/exit_code.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/data/dataset.h"
#include "rhumb/eval/imitation.h"
#include "rhumb/eval/probe.h"
#include "rhumb/net/model.h"
#include "rhumb/report/picture.h"
#include "rhumb/rollout/code_runner.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;
using Table = std::vector<std::vector<std::string>>;

void PrintProbe(const eval::ProbeReport& report) {
  Table rows = {{"split", "episodes"}};
  for (const std::string& label : report.labels) rows[0].push_back("MSE of " + label);
  rows[0].push_back("mean MSE");
  for (const std::string& label : report.labels) rows[0].push_back("R² of " + label);
  for (int split = 0; split < data::kSplitCount; ++split) {
    const auto& score = report.splits[static_cast<std::size_t>(split)];
    if (!score) continue;
    std::vector<std::string> row = {std::string(data::NameOf(static_cast<data::Split>(split))),
                                    std::to_string(score->episodes)};
    for (const double mse : score->mse) row.push_back(FormatNumber(mse));
    row.push_back(FormatNumber(score->mean_mse));
    for (const double r2 : score->r2) row.push_back(FormatNumber(r2));
    rows.push_back(std::move(row));
  }
  fmt::print("linear probe of sampled codes, labels in units of their deviation\n{}",
             FormatTable(rows));
  fmt::print("codes of training contexts: mean norm {:.3f}, mean posterior deviation {:.3f}\n",
             report.code_norm, report.code_deviation);
}

void Probe(const CommonOptions& options, const EvaluationSubject& subject,
           const eval::ProbeConfig& config) {
  const auto [model, dataset] = subject.Open();
  const eval::ProbeReport report =
      eval::MeasureProbe(model, dataset, config, options.seed, options.threads);
  if (options.json) {
    return PrintJson(subject.Document(model, options.seed, eval::ToJson(report)));
  }
  PrintProbe(report);
}

struct ImitationArguments {
  EvaluationSubject subject;
  std::string mode, split;         // "" for the settings' values
  int episodes = 0, rollouts = 0;  // 0 for the settings' values
  std::string picture;

  void AddTo(CLI::App& command) {
    subject.AddTo(command);
    command.add_option("--mode", mode, "how the decoder acts: sampled or mean");
    command.add_option("--split", split,
                       "train, held_out_checkpoint, held_out_weight, held_out for both, or hole");
    command.add_option("--episodes", episodes, "episodes that are imitated, at most");
    command.add_option("--rollouts", rollouts, "episodes that the decoder plays for each");
    command.add_option("--picture", picture,
                       "draw the distribution of the errors into this PNG file");
  }
  void Override(eval::ImitationConfig& config) const {
    if (!mode.empty()) config.mode = net::ParseRolloutMode(mode);
    if (!split.empty()) config.split = split;
    if (episodes != 0) config.episodes = episodes;
    if (rollouts != 0) config.rollouts = rollouts;
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
    std::vector<std::string> row = {name, against};
    for (const double value : {summary.median, summary.mean, summary.q10, summary.q25, summary.q75,
                               summary.q90, summary.share_below}) {
      row.push_back(FormatNumber(100 * value, "{:.2f}"));
    }
    rows.push_back(std::move(row));
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
  const std::optional<eval::ImitationReport> report =
      eval::MeasureImitation(environment, model, dataset, config, options.MakeJob());
  if (!report) throw core::CommandFailed{core::kInterrupted, "interrupted; nothing was written"};

  json document = arguments.subject.Document(model, options.seed, eval::ToJson(*report));
  const bool drawn =
      !arguments.picture.empty() && report::DrawPicture("returns.py", document, arguments.picture);
  if (drawn) document["picture"] = arguments.picture;
  if (options.json) return PrintJson(document);
  PrintImitation(*report);
  if (drawn) fmt::print("picture: {}\n", arguments.picture);
}

}  // namespace

void AddEvaluateCommand(CLI::App& app) {
  CLI::App& evaluate = AddGroup(
      app, "evaluate",
      "measure a model: probe, imitation, synthesis, ordering, context size, geometry, paths");
  AddCommand<EvaluationSubject, eval::ProbeConfig>(
      evaluate,
      {"probe", "how much of the labels a linear map reads from the codes, split by split",
       "  rhumb evaluate probe cheetah.model --data cheetah-v0\n"},
      Probe);
  AddCommand<ImitationArguments, eval::ImitationConfig>(
      evaluate,
      {"imitation", "how near the decoder comes to the policy whose context it is given",
       "  rhumb evaluate imitation cheetah.model --data cheetah-v0 --picture imitation.png\n"
       "  rhumb evaluate imitation cheetah.model --data cheetah-v0 --mode mean --split train\n"},
      Imitation);
  AddSynthesis(evaluate);
  AddOrdering(evaluate);
  AddContext(evaluate);
  AddGeometry(evaluate);
  AddPaths(evaluate);
  AddControlFunctional(evaluate);
}

}  // namespace rhumb::cli
