#include "rhumb/zoo/zoo_signature.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/core/files/json_file.h"
#include "rhumb/core/math/random.h"
#include "rhumb/rollout/trajectory.h"
#include "rhumb/steer/answer_json.h"
#include "rhumb/steer/query/query_file.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::zoo {
namespace {

using nlohmann::json;

constexpr int kDecoded = 4;

// Observations distributed like the training data, and random actions.
rollout::Trajectory DrawTrajectory(const net::Model& model) {
  const int steps = model.description.context;
  data::Rows observations(steps, model.observation_size()), actions(steps, model.action_size());
  core::Stream noise(0, core::Purpose::kContext);
  for (std::size_t i = 0; i < static_cast<std::size_t>(steps); ++i) {
    const auto width = static_cast<std::size_t>(observations.columns());
    for (std::size_t j = 0; j < width; ++j) {
      observations.data()[i * width + j] =
          model.observations.mean[j] +
          static_cast<float>(noise.Normal()) / model.observations.inverse_scale[j];
    }
    const auto count = static_cast<std::size_t>(actions.columns());
    for (std::size_t a = 0; a < count; ++a) {
      actions.data()[i * count + a] =
          model.action_centre[a] +
          static_cast<float>(noise.Uniform(-1, 1)) * model.action_half_range[a];
    }
  }
  return {rollout::MakeSteps(std::move(observations), std::move(actions)), {}};
}

json ToJson(const data::Rows& rows) {
  const auto size = static_cast<std::size_t>(rows.count() * rows.columns());
  return core::RowsToJson({rows.data(), size}, rows.columns());
}

// The decoder's mean actions in the first observations, before clipping to [-1, 1].
json Decode(const net::Model& model, const std::vector<float>& code,
            const data::Rows& observations) {
  const net::Decoder& decoder = model.decoder;
  std::vector<float> prepared(decoder.prepared_size()), workspace(decoder.workspace_size(1));
  decoder.Prepare(code.data(), prepared.data(), workspace);
  const float* behaviour = prepared.data();
  std::vector<float> input(static_cast<std::size_t>(model.observation_size()));
  std::vector<float> mean(static_cast<std::size_t>(model.action_size())), log_deviation(mean);
  json rows = json::array();
  for (std::int64_t i = 0; i < kDecoded && i < observations.count(); ++i) {
    model.observations.Apply(observations.row(i).data(), 1, input.data());
    decoder.Forward(input.data(), &behaviour, 1, mean.data(), log_deviation.data(), workspace);
    rows.push_back(mean);
  }
  return rows;
}

// A query in the middle of the training labels: the first objective at its mean, the others
// required to be not far below theirs.
json MakeQuery(const net::ModelDescription& description) {
  const std::vector<net::ModelObjective>& objectives = description.objectives;
  json require = json::array();
  for (std::size_t k = 1; k < objectives.size(); ++k) {
    require.push_back(
        fmt::format("{}>={:.4g}", objectives[k].name, objectives[k].mean - objectives[k].std));
  }
  const double target = std::stod(fmt::format("{:.4g}", objectives[0].mean));
  return {{"target", {{objectives[0].name, target}}}, {"require", require}};
}

}  // namespace

json SignModel(const net::Model& model) {
  const net::ModelDescription& description = model.description;
  const rollout::Trajectory trajectory = DrawTrajectory(model);
  const data::Rows& observations = trajectory.steps[data::Field::kObservations];
  const std::vector<float> code =
      rollout::EncodeTrajectory(model, trajectory, {.draws = rollout::kTrajectoryDraws});
  json document = {{"env", description.environment.id},
                   {"rewards", description.environment.rewards},
                   {"observations", ToJson(observations)},
                   {"actions", ToJson(trajectory.steps[data::Field::kActions])},
                   {"code", code},
                   {"decoded", Decode(model, code, observations)},
                   {"query", MakeQuery(description)}};
  for (const net::RolloutMode mode : {net::RolloutMode::kMean, net::RolloutMode::kSampled}) {
    const steer::Steerer steerer(model, mode, steer::SteerOptions{});
    document["predicted"][std::string(net::NameOf(mode))] =
        steer::ByName(steerer.Assess(code).predicted, description);
    if (mode != net::RolloutMode::kSampled) continue;
    const auto solve = [&] {
      return steerer.Solve(steer::QueryFromJson(document["query"], "the signature's query"));
    };
    steer::Result result = solve();
    // A map may lack the middle. An answer says more about it than a refusal.
    json& require = document["query"]["require"];
    while (result.answers.empty() && !require.empty()) {
      require.erase(require.size() - 1);
      result = solve();
    }
    json& answer = document["answer"];
    answer["status"] = steer::NameOf(result.status);
    if (!result.answers.empty()) {
      answer["predicted"] = steer::ByName(result.answers.front().predicted, description);
    }
  }
  return document;
}

}  // namespace rhumb::zoo
