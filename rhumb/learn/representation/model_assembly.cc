#include "rhumb/learn/representation/model_assembly.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rhumb/learn/representation/value_regression.h"
#include "rhumb/rollout/episode_encoder.h"

namespace rhumb::learn::representation {
namespace {

using nlohmann::json;

constexpr int kTrainDraws = 8;    // contexts per training episode, for fitting the heads
constexpr int kHeldOutDraws = 2;  // contexts per held-out episode, for testing them

// labels [rows, K] in standard deviations.
std::vector<float> Normalise(std::span<const double> labels,
                             const std::vector<net::ModelObjective>& objectives) {
  std::vector<float> values;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const net::ModelObjective& objective = objectives[i % objectives.size()];
    values.push_back(static_cast<float>((labels[i] - objective.mean) / objective.std));
  }
  return values;
}

// Mean squared error per objective over codes [episodes, draws, H].
json HeadErrors(const net::Model& model, std::span<const float> codes,
                std::span<const float> values, int draws) {
  const auto count = static_cast<std::size_t>(model.heads.objectives);
  const std::size_t rows = values.size() / count * static_cast<std::size_t>(draws);
  std::vector<float> predicted(rows * count);
  model.heads.Predict(codes.data(), static_cast<int>(rows), predicted.data());
  json errors = json::object();
  for (std::size_t k = 0; k < count; ++k) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const double difference =
          predicted[row * count + k] - values[row / static_cast<std::size_t>(draws) * count + k];
      sum += difference * difference;
    }
    errors[model.description.objectives[k].name] = sum / static_cast<double>(rows);
  }
  return errors;
}

}  // namespace

net::Model ExportNetworks(const ModelPlan& plan, const RepresentationNetwork& network) {
  net::Model model;
  model.description = plan.description;
  model.observations = plan.scaling.observations;
  model.action_centre = plan.scaling.action_centre;
  model.action_half_range = plan.scaling.action_half_range;
  model.encoder = network.encoder->Export();
  model.decoder = network.decoder->Export();
  model.projections = network.projections->Export();
  return model;
}

json CompleteModel(const data::Dataset& dataset, const ModelPlan& plan,
                   const RepresentationConfig& config, std::uint64_t seed, int threads,
                   net::Model& model) {
  const std::vector<net::ModelObjective>& objectives = model.description.objectives;
  constexpr rollout::CodeKind kKind = rollout::CodeKind::kPosteriorSample;
  json metrics = {{"head_mse", json::object()}};
  for (const data::Split split : data::kSplits) {
    const bool train = split == data::Split::kTrain;
    const std::vector<std::int64_t> episodes = dataset.EpisodesOf(split);
    if (episodes.empty()) continue;
    const data::Transitions contexts = rollout::LoadContexts(dataset, model, episodes);
    const std::vector<double> labels =
        train ? plan.labels : rollout::LabelEpisodes(model.description, dataset, episodes);
    const std::vector<float> values = Normalise(labels, objectives);
    const int draws = train ? kTrainDraws : kHeldOutDraws;
    const std::vector<float> codes = rollout::EncodeEpisodes(
        model, contexts, {.kind = kKind, .draws = draws, .seed = seed, .threads = threads});
    if (train) {
      model.heads = FitHeads(config.heads, model.projections, codes, values, draws, seed);
      const rollout::Posteriors posteriors =
          rollout::EncodePosteriors(model, contexts, {.seed = seed, .threads = threads});
      model.training.code_size = model.code_size();
      model.training.objectives = static_cast<int>(objectives.size());
      model.training.codes = posteriors.means;
      model.training.values.assign(labels.begin(), labels.end());
      model.training.policies.assign(contexts.policies.begin(), contexts.policies.end());
      for (const int policy : contexts.policies) {
        const auto place = static_cast<std::size_t>(policy);
        model.training.agents.push_back(dataset.index().policies[place].agent);
      }
      model.map = net::MakePrincipalMap(posteriors.means, model.code_size());
      double norms = 0, deviations = 0;
      const auto size = static_cast<std::size_t>(model.code_size());
      for (std::size_t row = 0; row < episodes.size(); ++row) {
        double square = 0;
        for (std::size_t i = row * size; i < (row + 1) * size; ++i) {
          square += static_cast<double>(posteriors.means[i]) * posteriors.means[i];
          deviations += posteriors.deviations[i] / static_cast<double>(size);
        }
        norms += std::sqrt(square);
      }
      metrics["code_norm"] = norms / static_cast<double>(episodes.size());
      metrics["code_deviation"] = deviations / static_cast<double>(episodes.size());
    }
    metrics["head_mse"][data::NameOf(split)] = HeadErrors(model, codes, values, draws);
  }
  return metrics;
}

}  // namespace rhumb::learn::representation
