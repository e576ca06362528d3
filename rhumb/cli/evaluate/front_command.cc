#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/evaluate/evaluation_subject.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/eval/map/front.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/sim/catalogue.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct FrontArguments {
  std::string model, data, population, picture;
  std::vector<std::string> references, discounted_references;  // empty for the settings' values
  RolloutOptions rollouts;

  void AddTo(Command& command) {
    command.Add("MODEL", model,
                "folder of a model, or its name in the zoo; may be left out if --population is "
                "given");
    command.Add("--data", data, "also measure the policies of this dataset, by recorded episodes");
    command.Add("--population", population,
                "also measure all kept policies of this population, by playing them");
    command.Add("--reference", references,
                "reference point of the hypervolume, like 'forward=0 energy=-6000'; may be "
                "repeated",
                {.one_per_use = true});
    command.Add("--discounted-reference", discounted_references,
                "the same for discounted returns; may be repeated", {.one_per_use = true});
    rollouts.AddTo(command);
    AddPicture(command, picture, "the fronts");
  }
  void Override(eval::FrontConfig& config) const {
    rollouts.Override(config);
    if (!references.empty()) config.references = references;
    if (!discounted_references.empty()) config.discounted_references = discounted_references;
  }
};

// What the arguments name, opened. Later members refer to earlier ones.
struct Subject {
  std::optional<net::Model> model;
  std::optional<data::Dataset> dataset;
  std::optional<population::PopulationReader> population;

  explicit Subject(const FrontArguments& arguments) {
    if (arguments.model.empty() && arguments.population.empty()) {
      Fail("nothing to measure: name a MODEL, or give --population");
    }
    if (!arguments.model.empty()) model = net::ReadModel(zoo::FindModel(arguments.model));
    if (!arguments.data.empty()) dataset = data::Dataset::Open(arguments.data);
    if (!arguments.population.empty()) population.emplace(arguments.population);
  }

  sim::Environment MakeEnvironment() const {
    return model ? rollout::MakeEnvironment(*model)
                 : sim::Environment(population->description().environment);
  }
  eval::FrontSubject view() const {
    return {.model = model ? &*model : nullptr,
            .dataset = dataset ? &*dataset : nullptr,
            .population = population ? &*population : nullptr};
  }
};

// The robot's settings. Models carry the spec that they were trained with, which may be older than
// its reference points; then those of the bundled robot with this id count.
eval::FrontConfig DefaultsOf(const core::EnvironmentBundle& robot) {
  auto config = SettingsOfRobot<eval::FrontConfig>(robot, "default", "front");
  if (!config.references.empty() || !std::ranges::count(sim::KnownIds(), robot.id)) return config;
  return SettingsOfRobot<eval::FrontConfig>(sim::FindBundle(robot.id), "default", "front");
}

std::string Describe(const std::vector<double>& point, const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < names.size(); ++k) {
    parts.push_back(fmt::format("{} {:g}", names[k], point[k]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string WithNoise(const eval::NoisyValue& value) {
  if (FormatNumber(value.value) == "-") return "-";
  return fmt::format("{:.4g} ± {:.1g}", value.value, value.noise);
}

void PrintTable(const eval::FrontTable& table, const eval::FrontMeasurement& measured,
                const eval::FrontConfig& config) {
  if (table.discounted) {
    fmt::print("\ndiscounted returns, {:g} per step\n", config.discount);
  } else {
    fmt::print("returns\n");
  }
  Table rows = {{"front of", "actions", "tried", "played", "cardinality", "between"}};
  for (std::size_t r = 0; r < table.references.size(); ++r) {
    rows[0].push_back(fmt::format("hypervolume {}", r + 1));
  }
  for (const char* name : {"EUM", "MUL", "IGD+", "IGD", "sparsity"}) rows[0].push_back(name);
  for (const eval::FrontReport& front : table.fronts) {
    Row& row =
        rows.emplace_back(Row{front.source, std::string(net::NameOf(front.mode)),
                              std::to_string(front.tried), std::to_string(front.chosen),
                              std::to_string(front.cardinality), std::to_string(front.between)});
    for (const eval::NoisyValue& volume : front.hypervolume) row.push_back(WithNoise(volume));
    row.push_back(WithNoise(front.expected_utility));
    for (const double value :
         {front.maximum_utility_loss, front.igd_plus, front.igd, front.sparsity}) {
      row.push_back(FormatNumber(value, "{:.4g}"));
    }
  }
  fmt::print("{}", FormatTable(rows));
  for (std::size_t r = 0; r < table.references.size(); ++r) {
    fmt::print("reference point {}: {}{}\n", r + 1,
               Describe(table.references[r], measured.objectives),
               !table.default_references ? ""
               : table.discounted        ? " (default)"
                                         : " (default: the worst that was tried)");
  }
  for (const eval::FrontComparison& one : table.comparisons) {
    fmt::print("hypervolume {}, {} / {}: {} ({} to {})\n", one.reference + 1, one.source, one.other,
               FormatNumber(one.ratio.mean), FormatNumber(one.ratio.low),
               FormatNumber(one.ratio.high));
  }
  for (const eval::FrontReport& front : table.fronts) {
    if (front.same_episodes) {
      fmt::print("{}: one episode each, which chooses and values; luck counts\n", front.source);
    }
    for (std::size_t r = 0; r < front.hypervolume_of_choice.size(); ++r) {
      fmt::print("hypervolume {} of {} by the values that chose, luck included: {:.4g}\n", r + 1,
                 front.source, front.hypervolume_of_choice[r]);
    }
  }
}

void PrintMeasurement(const eval::FrontMeasurement& measured, const eval::FrontConfig& config) {
  fmt::print("objectives: {}; all are maximised\n\n", fmt::join(measured.objectives, ", "));
  PrintTable(measured.returns, measured, config);
  if (!measured.discounted.fronts.empty()) PrintTable(measured.discounted, measured, config);
  fmt::print(
      "\ntried: candidates; played: those whose choosing values no other dominates\n"
      "cardinality: those of them on the front by other episodes, which give all numbers here\n"
      "between: codes on the front that belong to no policy\n"
      "EUM: expected utility, 50 weights; MUL: largest loss of utility to the union of the "
      "fronts\n"
      "IGD+, IGD: mean distance from the union's points to the front, in raw units\n"
      "sparsity: says little about fronts of different sizes; 0 is best, and one point has it\n"
      "± and brackets: noise of the episodes, over {} resamples\n",
      config.resamples);
}

void Front(const CommonOptions& options, const FrontArguments& arguments) {
  CheckPicturePath(arguments.picture);
  const Subject subject(arguments);
  const sim::Environment environment = subject.MakeEnvironment();
  eval::FrontConfig config = DefaultsOf(environment.bundle());
  ApplySettings(options, config);
  arguments.Override(config);
  core::CheckRanges(config, "the command line");
  core::CatchInterrupts();
  const eval::FrontMeasurement measured = Finished(
      eval::MeasureFront(environment, subject.view(), config, options.MakeJob(options.json)),
      "interrupted; nothing was written");
  json document = eval::ToJson(measured);
  document["mode"] = net::NameOf(config.mode);
  document["rollouts"] = config.rollouts;
  document["discount"] = config.discount;
  document["environment"] = environment.id();
  document["seed"] = options.seed;
  if (subject.model) AddSubject(arguments.model, *subject.model, options.seed, document);
  if (subject.dataset) document["dataset"] = arguments.data;
  if (subject.population) document["population"] = arguments.population;
  PrintResult(options, document, DrawRequested("front.py", document, arguments.picture),
              [&] { PrintMeasurement(measured, config); });
}

}  // namespace

void AddFront(Command& evaluate) {
  AddCommand<FrontArguments, eval::FrontConfig>(
      evaluate,
      {"front",
       "the trade-offs that the map offers against those of its policies: hypervolume, EUM",
       "  rhumb evaluate front halfcheetah\n"
       "  rhumb evaluate front halfcheetah --reference 'forward=0 energy=-6000' --rollouts 20\n"
       "  rhumb evaluate front cheetah.model --mode mean --population cheetah.population\n"
       "  rhumb evaluate front cheetah.model --data cheetah-v0 --picture front.png\n"
       "  rhumb evaluate front --population cheetah.population --json\n"},
      [](const CommonOptions& options, const FrontArguments& arguments, const eval::FrontConfig&) {
        Front(options, arguments);
      });
}

}  // namespace rhumb::cli
