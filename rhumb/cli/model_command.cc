#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/learn_library.h"
#include "rhumb/cli/model_verdict.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/error.h"
#include "rhumb/core/files/artifact.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/core/text.h"
#include "rhumb/data/dataset_index.h"
#include "rhumb/eval/map/model_map.h"
#include "rhumb/ground/attribute_grounding.h"
#include "rhumb/ground/model_grounding.h"
#include "rhumb/learn/representation/model_training.h"
#include "rhumb/net/model.h"
#include "rhumb/net/model_json.h"
#include "rhumb/rollout/attribute_head.h"
#include "rhumb/steer/attainable.h"
#include "rhumb/zoo/code_layout.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

std::string Number(double value) { return FormatNumber(value, "{:.4g}"); }

json::json_pointer GroundingMetrics(std::size_t mode) {
  return json::json_pointer("/grounded") /
         std::string(net::NameOf(static_cast<net::RolloutMode>(mode)));
}

// Lists the numbers of nested objects, with keys joined by dots.
Table ListNumbers(const json& document) {
  Table rows;
  const json flat = document.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (!value.is_number() && !value.is_string()) continue;
    std::string name = pointer.substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    rows.push_back({name, value.is_string()         ? value.get<std::string>()
                          : value.is_number_float() ? Number(value.get<double>())
                                                    : value.dump()});
  }
  return rows;
}

// Describes the errors of forecasts, in units of the labels' variance; "" if not grounded.
std::string FormatGroundings(const net::Model& model) {
  Table rows = {{"grounded", "objective", "error", "error of label heads", "codes", "episodes"}};
  for (std::size_t i = 0; i < model.grounded.size(); ++i) {
    if (!model.grounded[i]) continue;
    const json::json_pointer own = GroundingMetrics(i);
    for (const net::ModelObjective& objective : model.description.objectives) {
      const auto number = [&](const char* name) {
        return Number(
            NumberAt(*model.metrics, own / "objectives" / objective.name / name).value_or(NAN));
      };
      rows.push_back({own.back(), objective.name, number("mse"), number("label_mse"),
                      std::to_string(model.grounded[i]->rolled_out.count()),
                      std::to_string(model.grounded[i]->episodes)});
    }
  }
  return rows.size() > 1 ? FormatTable(rows) : "";
}

// Describes how much of value space the rolled-out codes cover; "" if it was not measured.
std::string FormatCoverage(const net::Model& model) {
  Table rows = {{"covered", "codes", "explored", "cells of policies", "cells in all"}};
  for (std::size_t i = 0; i < model.grounded.size(); ++i) {
    const json::json_pointer own = GroundingMetrics(i);
    const auto number = [&](const char* name) {
      return Number(NumberAt(*model.metrics, own / name).value_or(NAN));
    };
    if (!model.grounded[i] || !NumberAt(*model.metrics, own / "cells")) continue;
    rows.push_back({own.back(), number("codes"), number("explored_codes"),
                    number("cells_of_policies"), number("cells")});
  }
  if (rows.size() == 1) return "";
  return "\n" + FormatTable(rows) +
         "A cell is a quarter of a label's deviation wide in each objective that shaped the map;\n"
         "it counts if a steady code lies in it.\n";
}

// Formats all metrics except the groundings.
std::string FormatMetrics(const net::Model& model) {
  json metrics = *model.metrics;
  metrics.erase("grounded");
  return FormatTable(ListNumbers(metrics));
}

// The final message of every command that makes a model.
void Report(const CommonOptions& options, const std::filesystem::path& folder) {
  const net::Model model = net::ReadModel(folder);
  PrintResult(
      options,
      {{"model", folder.string()}, {"metrics", *model.metrics}, {"verdict", VerdictToJson(model)}},
      DrawRequested("model.py", eval::DescribeMap(model), folder / "map.png"), [&] {
        fmt::print("{}{}{}{}model: {}\n", FormatMetrics(model), FormatGroundings(model),
                   FormatCoverage(model), FormatVerdict(model), folder.string());
      });
}

struct TrainArguments {
  learn::representation::ModelRequest request;
  std::string preset = "default", variant;

  void AddTo(Command& command) {
    command.Add("--data", request.dataset, "folder of `rhumb dataset collect`", kRequired);
    command.Add("--population", request.population,
                "folder of the population that made the dataset. Its policies label the states "
                "that the decoder visits (dagger.rounds)");
    command.Add("--out", request.out, "folder of the new model; OUT.work during training",
                kRequired);
    AddPreset(command, preset);
    command.Add("--variant", variant, "short for --set variant=NAME");
    AddDevice(command, request.device);
    command.AddFlag("--ranks", request.ranks,
                    "train together with the other processes that torchrun started; all see OUT");
  }
  learn::representation::RepresentationConfig Preset() const {
    if (preset == "paper") return learn::representation::PaperRepresentation();
    // Mistakes in the settings show first, then a dataset that is missing.
    if (!std::filesystem::exists(request.dataset)) return {};
    const core::Artifact data = core::Artifact::Open(request.dataset, "dataset");
    const core::EnvironmentBundle robot = data::ReadDatasetIndex(data).description.environment;
    if (!robot.has_files()) return {};  // imported without a robot
    return SettingsOfRobot<learn::representation::RepresentationConfig>(robot, preset, "model");
  }
  void Override(learn::representation::RepresentationConfig& config) const {
    if (!variant.empty()) core::ApplySetting(config, "variant=" + variant);
  }
};

void Train(const CommonOptions& options, const TrainArguments& arguments,
           const learn::representation::RepresentationConfig& config) {
  learn::representation::ModelRequest request = arguments.request;
  request.config = config;
  request.job = options.MakeJob();
  RunLearnCommand("model train", core::ToJson(request));
  // The first of several ranks makes the model.
  const char* rank = std::getenv("RANK");
  if (request.ranks && rank != nullptr && std::string_view(rank) != "0") return;
  Report(options, request.out);
}

// Options shared by ground and add-attribute. `model` is a folder or a zoo name.
template <class Request>
struct ModelArguments {
  std::string model;
  Request request;

  void AddTo(Command& command) {
    AddModel(command, model);
    command.Add("--out", request.out,
                "folder of the new model. Without it, MODEL is replaced atomically; a model "
                "of the zoo is never replaced");
  }
};

// Ends the command if its job was interrupted.
void RequireDone(core::Outcome outcome) {
  if (outcome == core::Outcome::kDone) return;
  core::FailInterrupted(
      "interrupted; the work is saved, and the same command continues from there");
}

struct GroundArguments : ModelArguments<ground::GroundRequest> {
  void AddTo(Command& command) {
    ModelArguments::AddTo(command);
    command.Add("--modes", request.modes, "how the model will act: sampled, mean, or both",
                {.one_of = {"sampled", "mean"}, .delimiter = ',', .show_default = true});
  }
  ground::GroundingConfig Preset() const {
    // Mistakes in the settings show first, then a model that is missing.
    if (!std::filesystem::is_directory(model) && !std::ranges::count(zoo::ZooNames(), model)) {
      return {};
    }
    const core::EnvironmentBundle robot =
        net::ReadModel(zoo::FindModel(model)).description.environment;
    if (!robot.has_files()) return {};  // GroundModel says what is missing
    return SettingsOfRobot<ground::GroundingConfig>(robot, "default", "ground");
  }
};

void Ground(const CommonOptions& options, const GroundArguments& arguments,
            const ground::GroundingConfig& config) {
  ground::GroundRequest request = arguments.request;
  const std::string out = zoo::ChooseOutput(arguments.model, request.out.string());
  request.config = config;
  request.model = zoo::FindModel(arguments.model);
  request.job = options.MakeJob();
  core::CatchInterrupts();
  RequireDone(ground::GroundModel(request));
  Report(options, out);
}

struct AttributeArguments : ModelArguments<rollout::AddAttributesRequest> {
  bool roll_out = false;

  void AddTo(Command& command) {
    ModelArguments::AddTo(command);
    command.Add("--data", request.data, "dataset that the model was trained on", kRequired);
    command.Add("--name", request.names,
                "name of the attribute: letters, digits and _. For several attributes, repeat this "
                "and the next two options",
                {.required = true, .one_per_use = true});
    command.Add("--expression", request.expressions,
                "sum, mean, min, max or std of an expression over the quantities of a step, which "
                "`rhumb dataset show` lists",
                {.required = true, .one_per_use = true});
    command.Add("--unit", request.units, "unit of the attribute; one per name, or none",
                {.one_per_use = true});
    command.AddFlag("--roll-out", roll_out,
                    "repeat the roll-outs of a grounded model, to measure the attributes");
  }
};

// Rollouts take time, so grounding a grounded model again needs the user's consent. The message
// says how long it took before.
void CheckIsUngrounded(const net::Model& model, int threads) {
  std::int64_t episodes = 0;
  double seconds = 0;
  for (std::size_t i = 0; i < model.grounded.size(); ++i) {
    if (!model.grounded[i]) continue;
    const net::Grounding& grounding = *model.grounded[i];
    episodes += std::int64_t{grounding.rolled_out.count()} * grounding.episodes;
    const json::json_pointer own = GroundingMetrics(i);
    seconds += NumberAt(*model.metrics, own / "seconds").value_or(0) *
               NumberAt(*model.metrics, own / "threads").value_or(threads) / threads;
  }
  if (episodes == 0) return;
  Fail(
      "the model is grounded, and its {} roll-outs lack the new attribute; add --roll-out to "
      "repeat them{}",
      episodes,
      seconds > 0 ? fmt::format(" (about {} on {} threads)", core::FormatDuration(seconds), threads)
                  : "");
}

void AddAttributes(const CommonOptions& options, const AttributeArguments& arguments) {
  rollout::AddAttributesRequest request = arguments.request;
  const std::string out = zoo::ChooseOutput(arguments.model, request.out.string());
  request.model = zoo::FindModel(arguments.model);
  request.job = options.MakeJob();
  if (arguments.roll_out) {
    core::CatchInterrupts();
    RequireDone(ground::AddGroundedAttributes(request));
  } else {
    CheckIsUngrounded(net::ReadModel(request.model), request.job.threads);
    rollout::AddAttributes(request);
  }
  Report(options, out);
}

// Returns the contents of `show` as JSON.
json Summarise(const net::Model& model) {
  const net::ModelDescription& description = model.description;
  json objectives = json::array(), grounded = json::object();
  for (const net::ModelObjective& objective : description.objectives) {
    objectives.push_back(net::ToJson(objective));
  }
  for (std::size_t i = 0; i < model.grounded.size(); ++i) {
    if (!model.grounded[i]) continue;
    const net::Grounding& grounding = *model.grounded[i];
    grounded[GroundingMetrics(i).back()] = {{"codes", grounding.rolled_out.count()},
                                            {"episodes", grounding.episodes}};
  }
  const std::set<std::int64_t> policies(model.training.policies.begin(),
                                        model.training.policies.end());
  return {{"environment", description.environment.id},
          {"rewards", description.environment.rewards},
          {"variant", description.variant},
          {"objectives", objectives},
          {"sizes",
           {{"observation", model.observation_size()},
            {"action", model.action_size()},
            {"code", model.code_size()},
            {"projection", model.projections.size},
            {"context", description.context},
            {"training_codes", model.training.count()},
            {"training_policies", policies.size()}}},
          {"grounded", grounded},
          {"metrics", *model.metrics},
          {"verdict", VerdictToJson(model)},
          {"provenance", *model.provenance}};
}

std::string DescribeRanges(const net::Model& model, net::RolloutMode mode) {
  return model.grounded[static_cast<std::size_t>(mode)]
             ? fmt::format("from and to: 1 % and 99 % of what its codes realised with {} actions",
                           net::NameOf(mode))
             : "from and to: 1 % and 99 % of the training episodes";
}

void PrintSummary(const net::Model& model, const json& summary) {
  const net::ModelDescription& description = model.description;
  const json& sizes = summary["sizes"];
  fmt::print("{}, rewards {}: variant {}, {} training codes of {} policies\n",
             core::Printable(description.environment.id),
             core::Printable(description.environment.rewards), core::Printable(description.variant),
             sizes["training_codes"].dump(), sizes["training_policies"].dump());
  fmt::print("observation of {} numbers, action of {}; code of {} from {} state-action pairs\n",
             model.observation_size(), model.action_size(), model.code_size(), description.context);
  const net::RolloutMode mode = steer::MainMode(model);
  const std::vector<steer::Interval> ranges = steer::AttainableRanges(model, mode);
  Table rows = {{"objective", "from", "to", "mean", "std", "unit", "is"}};
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const net::ModelObjective& objective = description.objectives[k];
    rows.push_back({objective.name, Number(ranges[k].low), Number(ranges[k].high),
                    Number(objective.mean), Number(objective.std), objective.unit,
                    objective.expression.empty() ? "return" : objective.expression});
  }
  fmt::print("\n{}{}\n", FormatTable(rows), DescribeRanges(model, mode));
  const std::string groundings = FormatGroundings(model), metrics = FormatMetrics(model);
  fmt::print("\n{}", groundings.empty()
                         ? "not grounded: values predict the returns of the training "
                           "policies; see rhumb model ground\n"
                         : groundings + FormatCoverage(model));
  if (!metrics.empty()) fmt::print("\n{}", metrics);
  if (const std::string verdict = FormatVerdict(model); !verdict.empty()) {
    fmt::print("\n{}", verdict);
  }
}

struct ShowArguments {
  std::string folder, picture;

  void AddTo(Command& command) {
    AddModel(command, folder);
    AddPicture(command, picture, "the map of its codes");
  }
};

void Show(const CommonOptions& options, const ShowArguments& arguments) {
  const net::Model model = net::ReadModel(zoo::FindModel(arguments.folder));
  const json summary = Summarise(model);
  PrintResult(options, summary,
              DrawRequested("model.py", eval::DescribeMap(model), arguments.picture),
              [&] { PrintSummary(model, summary); });
}

struct LayoutArguments {
  std::string folder;

  void AddTo(Command& command) { AddModel(command, folder); }
};

void LayOut(const CommonOptions& options, const LayoutArguments& arguments) {
  const std::filesystem::path folder = zoo::FindModel(arguments.folder);
  if (zoo::IsZooEntry(folder)) {
    Fail("'{}' belongs to the zoo, whose entries have their layout", arguments.folder);
  }
  const std::filesystem::path file = folder / zoo::kLayoutFile;
  if (!zoo::MakeLayout(net::ReadModel(folder), file)) {
    Fail("{} was not made; `tools/setup pictures` installs what it needs", file.string());
  }
  PrintResult(options, {{"layout", file.string()}}, "",
              [&] { fmt::print("layout: {}\n", file.string()); });
}

}  // namespace

void AddModelCommand(Command& app) {
  Command model =
      AddGroup(app, "model", "maps of behaviours: train, ground, add-attribute, layout, show");
  AddCommand<TrainArguments, learn::representation::RepresentationConfig>(
      model,
      {"train", "train encoder, decoder and value heads; an interrupted run resumes",
       "  rhumb model train --data cheetah-v0 --population cheetah.population --out "
       "cheetah.model\n"
       "  rhumb model train --data cheetah-v0 --out vae.model --preset paper --variant vae\n"
       "Ctrl-C saves the work, and the same command resumes it. To watch the training:\n"
       "`tensorboard --logdir OUT.work/tensorboard`.\n"},
      Train);
  AddCommand<GroundArguments, ground::GroundingConfig>(
      model,
      {"ground", "roll out the model's own codes, so that steering knows what they do",
       "  rhumb model ground cheetah.model\n"
       "  rhumb model ground halfcheetah --modes mean --out deployed.model\n"
       "The codes are those of training episodes, which the model stores, and codes that\n"
       "exploration finds between them. The same command resumes an interrupted run.\n"},
      Ground);
  AddCommand<AttributeArguments>(
      model,
      {"add-attribute", "add values of whole episodes to steer by, without training again",
       "  rhumb model add-attribute cheetah.model --data cheetah-v0 --name height \\\n"
       "    --expression 'mean(torso_height)' --unit m\n"
       "Several at once, with three options each:\n"
       "  rhumb model add-attribute cheetah.model --data cheetah-v0 \\\n"
       "    --name height --expression 'mean(torso_height)' --unit m \\\n"
       "    --name pitch_std --expression 'std(torso_pitch)' --unit rad\n"},
      AddAttributes);
  AddCommand<LayoutArguments>(
      model,
      {"layout", "lay the codes out by UMAP and store that, for the map of `rhumb serve`",
       "  rhumb model layout cheetah.model\n"
       "Writes layout.json into the model's folder. Do it again after grounding.\n"},
      LayOut);
  AddCommand<ShowArguments>(model,
                            {"show", "environment, objectives, sizes and metrics of a model",
                             "  rhumb model show halfcheetah --picture cheetah.png\n"},
                            Show);
}

}  // namespace rhumb::cli
