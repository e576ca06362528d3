#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "rhumb/cli/commands.h"
#include "rhumb/cli/options.h"
#include "rhumb/cli/table.h"
#include "rhumb/core/files/file.h"
#include "rhumb/net/model.h"
#include "rhumb/rollout/trajectory.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/steerer.h"
#include "rhumb/zoo/model_place.h"

namespace rhumb::cli {
namespace {

using nlohmann::json;

struct EncodeConfig {
  int draws = rollout::kTrajectoryDraws;
  void Visit(core::FieldVisitor& v) {
    v("draws", draws, core::Range{1, 1e6}, "contexts whose codes are averaged");
  }
};

struct EncodeRequest {
  std::string model, source, mode = "sampled", out;
  std::optional<std::int64_t> episode;

  void AddTo(Command& command) {
    AddModel(command, model);
    command.Add("FILE", source,
                "trajectory from `rhumb play --record` (JSON with env, observations and actions), "
                "or the folder of a dataset",
                kRequired);
    command.Add("--episode", episode, "number of the dataset's episode, from 0");
    command.Add("--mode", mode, "how the decoder would act",
                {.one_of = {"sampled", "mean"}, .show_default = true});
    command.Add("--out", out, "write the code to this JSON file");
  }
};

void PrintEncoding(const net::Model& model, const steer::Answer& answer,
                   const std::vector<double>& recorded) {
  const bool calibrated = !answer.interval.empty();
  Table rows = {{"objective", "predicted", "low", "high", "recorded", "unit"}};
  const auto number = [](double value) { return FormatNumber(value, "{:.2f}"); };
  for (std::size_t k = 0; k < recorded.size(); ++k) {
    const net::ModelObjective& objective = model.description.objectives[k];
    rows.push_back({objective.name, number(answer.predicted[k]),
                    calibrated ? number(answer.interval[k].low) : "-",
                    calibrated ? number(answer.interval[k].high) : "-", number(recorded[k]),
                    objective.unit});
  }
  fmt::print("{}", FormatTable(rows));
  fmt::print("distance to the training data: {:.2f} spacings of its codes\n",
             answer.distance_to_data);
}

void Encode(const CommonOptions& options, const EncodeRequest& request,
            const EncodeConfig& config) {
  const net::RolloutMode mode = net::ParseRolloutMode(request.mode);
  const net::Model model = net::ReadModel(zoo::FindModel(request.model));
  const rollout::Trajectory trajectory =
      rollout::ReadTrajectory(request.source, request.episode, model);
  const std::vector<float> code = rollout::EncodeTrajectory(
      model, trajectory, {.draws = config.draws, .seed = options.seed, .threads = options.threads});
  const steer::Steerer steerer(model, mode, steer::SteerOptions{});
  const steer::Answer answer = steerer.Assess(code);

  json recorded = json::object();
  for (std::size_t k = 0; k < trajectory.values.size(); ++k) {
    if (std::isnan(trajectory.values[k])) continue;
    recorded[model.description.objectives[k].name] = trajectory.values[k];
  }
  json document = {{"model", request.model},
                   {"source", request.source},
                   {"steps", trajectory.steps.count()},
                   {"mode", request.mode},
                   {"model_hash", net::HashOfCodes(model)},
                   {"draws", config.draws},
                   {"seed", options.seed},
                   {"code", code},
                   {"predicted", steer::ByName(answer.predicted, model.description)},
                   {"interval", steer::ByName(answer.interval, model.description)},
                   {"recorded", recorded},
                   {"distance_to_data", answer.distance_to_data}};
  if (request.episode) document["episode"] = *request.episode;
  if (!request.out.empty()) core::WriteFileAtomically(request.out, document.dump(2) + "\n");
  if (options.json) return PrintJson(document);
  fmt::print("code of {} steps, {} contexts; predicted values with {} actions:\n",
             trajectory.steps.count(), config.draws, request.mode);
  PrintEncoding(model, answer, trajectory.values);
  if (!request.out.empty()) fmt::print("code: {}\n", request.out);
}

}  // namespace

void AddEncodeCommand(Command& app) {
  AddCommand<EncodeRequest, EncodeConfig>(
      app,
      {"encode", "compute the code of a recorded trajectory, and predict its values",
       "  rhumb encode cheetah.model run.json --out code.json\n"
       "  rhumb encode cheetah.model cheetah-v0 --episode 12 --json\n"},
      Encode);
}

}  // namespace rhumb::cli
