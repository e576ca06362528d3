#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/learn_library.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/error.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/core/text.h"
#include "rhumb/eval/model_map.h"
#include "rhumb/learn/ground/model_grounding.h"
#include "rhumb/learn/representation/model_training.h"
#include "rhumb/net/model.h"
#include "rhumb/report/picture.h"
#include "rhumb/rollout/attribute_head.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;
using Table = std::vector<std::vector<std::string>>;

std::string Number(double value) { return fmt::format("{:.4g}", value); }

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

// Describes the accuracy of grounded heads, in units of the labels' variance; "" if not grounded.
std::string FormatGroundings(const net::Model& model) {
  Table rows = {{"grounded", "objective", "error", "error of label heads", "in 90 % interval",
                 "codes", "episodes"}};
  for (std::size_t i = 0; i < model.grounded.size(); ++i) {
    if (!model.grounded[i]) continue;
    const std::string mode(net::NameOf(static_cast<net::RolloutMode>(i)));
    for (const net::ModelObjective& objective : model.description.objectives) {
      const json::json_pointer own =
          json::json_pointer() / "grounded" / mode / "objectives" / objective.name;
      const auto number = [&](const char* name) {
        return model.metrics->contains(own / name) && (*model.metrics)[own / name].is_number()
                   ? Number((*model.metrics)[own / name].get<double>())
                   : "-";
      };
      rows.push_back({mode, objective.name, number("mse"), number("teacher_mse"),
                      number("coverage_90"), std::to_string(model.grounded[i]->rolled_out.count()),
                      std::to_string(model.grounded[i]->heads.episodes)});
    }
  }
  return rows.size() > 1 ? FormatTable(rows) : "";
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
  const std::filesystem::path picture = folder / "map.png";
  const bool drawn = report::DrawPicture("model.py", eval::DescribeMap(model), picture);
  if (options.json) {
    json result = {{"model", folder.string()}, {"metrics", *model.metrics}};
    if (drawn) result["picture"] = picture.string();
    return PrintJson(result);
  }
  fmt::print("{}{}model: {}\n", FormatMetrics(model), FormatGroundings(model), folder.string());
  if (drawn) fmt::print("picture: {}\n", picture.string());
}

struct TrainArguments {
  learn::representation::ModelRequest request;
  std::string preset = "default", variant;

  void AddTo(CLI::App& command) {
    command.add_option("--data", request.dataset, "a dataset of `rhumb dataset collect`")
        ->required();
    command.add_option("--population", request.population,
                       "the population behind it: its policies teach the decoder in the states "
                       "that the decoder itself comes to (dagger.rounds)");
    command.add_option("--out", request.out, "folder of the model; OUT.work while it is trained")
        ->required();
    command.add_option("--preset", preset, "what the settings start from")
        ->check(CLI::IsMember({"default", "paper"}))
        ->capture_default_str();
    command.add_option("--variant", variant, "the setting of the same name");
    AddDevice(command, request.device);
  }
  learn::representation::RepresentationConfig Preset() const {
    if (preset == "paper") return learn::representation::PaperRepresentation();
    return {};
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
  Report(options, request.out);
}

// Options shared by ground and add-attribute. `model` is a folder or a zoo name.
template <class Request>
struct ModelArguments {
  std::string model;
  Request request;

  void AddTo(CLI::App& command) {
    command.add_option("MODEL", model, "a model's folder, or its name in the zoo")->required();
    command.add_option("--data", request.data, "the dataset that it was trained on")->required();
    command.add_option(
        "--out", request.out,
        "folder of the new model; without it MODEL is replaced, in one step, unless it is "
        "of the zoo");
  }
};

struct GroundArguments : ModelArguments<learn::ground::GroundRequest> {
  void AddTo(CLI::App& command) {
    ModelArguments::AddTo(command);
    command.add_option("--modes", request.modes, "how it will act: sampled, mean actions, or both")
        ->delimiter(',')
        ->check(CLI::IsMember({"sampled", "mean"}))
        ->capture_default_str();
    AddDevice(command, request.device);
  }
};

void Ground(const CommonOptions& options, const GroundArguments& arguments,
            const learn::ground::GroundingConfig& config) {
  learn::ground::GroundRequest request = arguments.request;
  const std::string out = zoo::ChooseOutput(arguments.model, request.out.string());
  request.config = config;
  request.model = zoo::FindModel(arguments.model);
  request.job = options.MakeJob();
  RunLearnCommand("model ground", core::ToJson(request));
  Report(options, out);
}

struct AttributeArguments : ModelArguments<rollout::AddAttributesRequest> {
  bool roll_out = false;

  void AddTo(CLI::App& command) {
    ModelArguments::AddTo(command);
    command
        .add_option(
            "--name", request.names,
            "name of the attribute: letters, digits and _; may be repeated with the next two")
        ->required()
        ->allow_extra_args(false);
    command
        .add_option("--expression", request.expressions,
                    "sum, mean, min, max or std of an expression over the numbers of a step; "
                    "`rhumb dataset show` lists them")
        ->required()
        ->allow_extra_args(false);
    command.add_option("--unit", request.units, "unit of its value; one for each name, or none")
        ->allow_extra_args(false);
    command.add_flag("--roll-out", roll_out,
                     "repeat the rollouts of a grounded model, with the attributes");
  }
};

// Returns the number at a path such as "/grounded/mean/seconds" in an untrusted document.
double NumberAt(const json& document, const std::string& place, double otherwise) {
  const json::json_pointer pointer(place);
  return document.contains(pointer) && document[pointer].is_number()
             ? document[pointer].get<double>()
             : otherwise;
}

// Rollouts take time, so grounding a grounded model again needs the user's consent. The message
// says how long it took before.
void CheckIsUngrounded(const net::Model& model, int threads) {
  std::int64_t episodes = 0;
  double seconds = 0;
  for (std::size_t i = 0; i < model.grounded.size(); ++i) {
    if (!model.grounded[i]) continue;
    const net::Grounding& grounding = *model.grounded[i];
    episodes += std::int64_t{grounding.rolled_out.count()} * grounding.heads.episodes;
    const std::string own =
        fmt::format("/grounded/{}", net::NameOf(static_cast<net::RolloutMode>(i)));
    seconds += NumberAt(*model.metrics, own + "/seconds", 0) *
               NumberAt(*model.metrics, own + "/threads", threads) / threads;
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
    RunLearnCommand("model add-attribute", core::ToJson(request));
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
    objectives.push_back({{"name", objective.name},
                          {"unit", objective.unit},
                          {"expression", objective.expression},
                          {"min", objective.min},
                          {"mean", objective.mean},
                          {"max", objective.max},
                          {"std", objective.std}});
  }
  for (std::size_t i = 0; i < model.grounded.size(); ++i) {
    if (!model.grounded[i]) continue;
    const net::Grounding& grounding = *model.grounded[i];
    grounded[std::string(net::NameOf(static_cast<net::RolloutMode>(i)))] = {
        {"codes", grounding.rolled_out.count()},
        {"episodes", grounding.heads.episodes},
        {"networks", grounding.heads.members.size()}};
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
          {"provenance", *model.provenance}};
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
  Table rows = {{"objective", "min", "mean", "max", "std", "unit", "is"}};
  for (const net::ModelObjective& objective : description.objectives) {
    rows.push_back({objective.name, Number(objective.min), Number(objective.mean),
                    Number(objective.max), Number(objective.std), objective.unit,
                    objective.expression.empty() ? "return" : objective.expression});
  }
  fmt::print("\n{}", FormatTable(rows));
  const std::string groundings = FormatGroundings(model), metrics = FormatMetrics(model);
  fmt::print("\n{}", groundings.empty() ? "not grounded: values are of what the training policies "
                                          "earned; see rhumb model ground\n"
                                        : groundings);
  if (!metrics.empty()) fmt::print("\n{}", metrics);
}

struct ShowArguments {
  std::string folder, picture;

  void AddTo(CLI::App& command) {
    command.add_option("MODEL", folder, "a model's folder, or its name in the zoo")->required();
    command.add_option("--picture", picture, "draw the map of its codes into this PNG file");
  }
};

void Show(const CommonOptions& options, const ShowArguments& arguments) {
  const net::Model model = net::ReadModel(zoo::FindModel(arguments.folder));
  json summary = Summarise(model);
  const bool drawn = !arguments.picture.empty() &&
                     report::DrawPicture("model.py", eval::DescribeMap(model), arguments.picture);
  if (options.json) {
    if (drawn) summary["picture"] = arguments.picture;
    return PrintJson(summary);
  }
  PrintSummary(model, summary);
  if (drawn) fmt::print("picture: {}\n", arguments.picture);
}

}  // namespace

void AddModelCommand(CLI::App& app) {
  CLI::App& model =
      AddGroup(app, "model", "maps of behaviours: train, ground, add-attribute, show");
  AddCommand<TrainArguments, learn::representation::RepresentationConfig>(
      model,
      {"train", "encoder, decoder and value heads; resumes by itself",
       "  rhumb model train --data cheetah-v0 --population cheetah.population --out "
       "cheetah.model\n"
       "  rhumb model train --data cheetah-v0 --out vae.model --preset paper --variant vae\n"
       "The same command goes on where an interrupted one stopped (Ctrl-C saves first). Watch it "
       "with\n"
       "`tensorboard --logdir OUT.work/tensorboard`.\n"},
      Train);
  AddCommand<GroundArguments, learn::ground::GroundingConfig>(
      model,
      {"ground", "heads and intervals for what the model itself earns, from roll-outs of its codes",
       "  rhumb model ground cheetah.model --data cheetah-v0\n"
       "  rhumb model ground cheetah.model --data cheetah-v0 --modes mean --out deployed.model\n"
       "The same command goes on where an interrupted one stopped.\n"},
      Ground);
  AddCommand<AttributeArguments>(
      model,
      {"add-attribute", "new numbers of whole episodes to steer by; nothing is trained again",
       "  rhumb model add-attribute cheetah.model --data cheetah-v0 --name height \\\n"
       "    --expression 'mean(torso_height)' --unit m\n"
       "Several at once, each with its own three options:\n"
       "  rhumb model add-attribute cheetah.model --data cheetah-v0 \\\n"
       "    --name height --expression 'mean(torso_height)' --unit m \\\n"
       "    --name pitch_std --expression 'std(torso_pitch)' --unit rad\n"},
      AddAttributes);
  AddCommand<ShowArguments>(model,
                            {"show", "environment, objectives, sizes, what was measured",
                             "  rhumb model show halfcheetah --picture cheetah.png\n"},
                            Show);
}

}  // namespace rhumb::cli
