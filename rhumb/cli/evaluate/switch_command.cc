#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/eval/steering/switching.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct SwitchArguments {
  std::string model;
  std::string mode;  // "" for the setting's value
  int tries = -1;    // below 0 likewise

  void AddTo(Command& command) {
    AddModel(command, model);
    command.Add("--mode", mode, "how the decoder acts: sampled or mean");
    command.Add(
        "--try", tries,
        "number of answers to the second query to simulate from the robot's state; the one whose "
        "values change least takes over. 0: the best answer, without a simulation (default: the "
        "setting's)",
        {.between = {0, 100}});
  }
  void Override(eval::SwitchConfig& config) const {
    if (!mode.empty()) config.mode = net::ParseRolloutMode(mode);
    if (tries >= 0) config.tries = tries;
  }
};

void PrintMeasurement(const eval::SwitchMeasurement& measured, const eval::SwitchConfig& config) {
  fmt::print("{} pairs of queries, {} actions; the second code takes over at step {}\n",
             measured.pairs, net::NameOf(config.mode), measured.switch_step);
  Table rows = {{"in %", "falls", "lost"}};
  if (config.tries > 1) rows[0].push_back("others");
  for (const std::string& objective : measured.objectives) {
    rows[0].push_back(objective + " miss");
    rows[0].push_back("90 %");
    rows[0].push_back("change");
  }
  for (const eval::SwitchReport& report : measured.reports) {
    const double count = std::max(report.pairs, 1);
    Row& row =
        rows.emplace_back(Row{report.name, FormatNumber(100 * report.falls / count, "{:.1f}"),
                              FormatNumber(100 * report.lost / count, "{:.1f}")});
    if (config.tries > 1) row.push_back(FormatNumber(100 * report.others / count, "{:.1f}"));
    for (std::size_t s = 0; s < measured.objectives.size(); ++s) {
      row.push_back(FormatNumber(100 * report.misses[s].median, "{:.2f}"));
      row.push_back(FormatNumber(100 * report.misses[s].q90, "{:.2f}"));
      row.push_back(FormatNumber(100 * report.changes[s], "{:+.2f}"));
    }
  }
  fmt::print("{}", FormatTable(rows));
  if (config.tries > 1) {
    fmt::print("others: pairs where another of up to {} answers takes over better than the best\n",
               config.tries);
  }
  fmt::print(
      "miss: median error of the second half's return, against the second code all along\n"
      "change: the same with its sign; again: the second code once more, which shows the noise\n"
      "lost: an objective misses by more than {:g} % of half its range\n"
      "left out: {} pairs with a fall before mid-episode; the second code alone falls after it in "
      "{}\n",
      100 * eval::kLostShare, measured.early_falls, measured.second_falls);
}

void Switch(const CommonOptions& options, const SwitchArguments& arguments,
            const eval::SwitchConfig& config) {
  const net::Model model = net::ReadModel(zoo::FindModel(arguments.model));
  const sim::Environment environment = rollout::MakeEnvironment(model);
  core::CatchInterrupts();
  const eval::SwitchMeasurement measured =
      Finished(eval::MeasureSwitching(environment, model, config, options.MakeJob(options.json)),
               "interrupted; nothing was written");
  json document = eval::ToJson(measured);
  document["mode"] = net::NameOf(config.mode);
  document["tries"] = config.tries;
  AddSubject(arguments.model, model, options.seed, document);
  PrintResult(options, document, "", [&] { PrintMeasurement(measured, config); });
}

}  // namespace

void AddSwitch(Command& evaluate) {
  AddCommand<SwitchArguments, eval::SwitchConfig>(
      evaluate,
      {"switch", "what it costs to change the behaviour in mid-episode",
       "  rhumb evaluate switch cheetah.model\n"
       "  rhumb evaluate switch cheetah.model --mode mean --set pairs=50 --set blends=[0,100]\n"
       "  rhumb evaluate switch hopper --try 0\n"},
      Switch);
}

}  // namespace rhumb::cli
