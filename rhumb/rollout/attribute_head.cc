#include "rhumb/rollout/attribute_head.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rhumb/core/error.h"
#include "rhumb/core/math/least_squares.h"
#include "rhumb/core/math/spread.h"
#include "rhumb/core/text.h"
#include "rhumb/rollout/episode_encoder.h"

namespace rhumb::rollout {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Contexts per episode for fitting the heads.
constexpr int kDraws = 8;

void CheckName(const std::string& name, const net::ModelDescription& description) {
  const bool has_capital =
      std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!core::IsName(name) || name.front() == '_' || has_capital) {
    Fail("'{}' is not a valid name: use lower-case letters, digits and '_', with a letter first",
         name);
  }
  for (const net::ModelObjective& objective : description.objectives) {
    if (objective.name == name) {
      Fail("the model already has an objective '{}'{}", name,
           objective.expression.empty() ? "" : ", " + objective.expression);
    }
  }
}

// The model's objectives, followed by the new ones.
net::ModelDescription Extend(net::ModelDescription description,
                             const AddAttributesRequest& request) {
  const std::size_t count = request.names.size();
  if (count == 0) Fail("no attribute is given");
  if (request.expressions.size() != count ||
      (!request.units.empty() && request.units.size() != count)) {
    Fail("{} names, {} expressions and {} units; give one of each per attribute, or no units",
         count, request.expressions.size(), request.units.size());
  }
  for (std::size_t i = 0; i < count; ++i) {
    CheckName(request.names[i], description);
    net::ModelObjective& objective = description.objectives.emplace_back();
    objective.name = request.names[i];
    objective.expression = request.expressions[i];
    if (!request.units.empty()) objective.unit = request.units[i];
  }
  return description;
}

// The labels of all objectives of `extended` in the episodes of the training codes: [N, columns].
std::vector<double> LabelTrainingCodes(const net::Model& model,
                                       const net::ModelDescription& extended,
                                       const data::Dataset& dataset, const fs::path& place) {
  const std::vector<std::int64_t> episodes = dataset.EpisodesOf(data::Split::kTrain);
  const net::CodeTable& training = model.training;
  const std::size_t known = model.description.objectives.size();
  const std::size_t columns = extended.objectives.size();
  std::vector<double> labels = LabelEpisodes(extended, dataset, episodes);
  bool same = static_cast<int>(episodes.size()) == training.count();
  for (std::size_t i = 0; same && i < episodes.size(); ++i) {
    for (std::size_t k = 0; k < known; ++k) {
      const double label = labels[i * columns + k], stored = training.values[i * known + k];
      same = same && std::abs(label - stored) <= 1e-5 * std::max(1.0, std::abs(label));
    }
  }
  if (!same) {
    Fail(
        "{} is not the dataset that the model was trained on: its {} training episodes differ from "
        "the model's {} training codes",
        place.string(), episodes.size(), training.count());
  }
  return labels;
}

// Fits the heads of the model's objectives from index `first`, each separately. Stores their mean
// squared errors, in units of the labels' variance, in errors[split][attribute].
void FitHeads(const data::Dataset& dataset, std::size_t first, const core::Job& job,
              net::Model& model, json& errors) {
  const int width = model.code_size();
  net::ModelDescription added = model.description;
  added.objectives.erase(added.objectives.begin(),
                         added.objectives.begin() + static_cast<std::ptrdiff_t>(first));
  std::vector<std::vector<double>> solutions(added.objectives.size());
  for (const data::Split split : data::kSplits) {
    const std::vector<std::int64_t> episodes = dataset.EpisodesOf(split);
    if (episodes.empty()) continue;
    const std::vector<double> labels = LabelEpisodes(added, dataset, episodes);
    const std::vector<float> codes = EncodeEpisodes(model, LoadContexts(dataset, model, episodes),
                                                    {.kind = CodeKind::kPosteriorSample,
                                                     .draws = kDraws,
                                                     .seed = job.seed,
                                                     .threads = job.threads});
    for (std::size_t k = 0; k < added.objectives.size(); ++k) {
      const net::ModelObjective& objective = added.objectives[k];
      std::vector<float> values;  // in standard deviations, for every draw
      for (std::size_t i = k; i < labels.size(); i += added.objectives.size()) {
        const auto value = static_cast<float>((labels[i] - objective.mean) / objective.std);
        values.insert(values.end(), kDraws, value);
      }
      if (split == data::Split::kTrain) {
        solutions[k] = core::SolveLeastSquares(codes, width, values, 1);
      }
      errors[data::NameOf(split)][objective.name] =
          core::MeanSquaredErrors(solutions[k], codes, width, values, 1).front();
    }
  }
  for (const std::vector<double>& solution : solutions) {
    for (int i = 0; i < width; ++i) {
      model.heads.weights.push_back(static_cast<float>(solution[static_cast<std::size_t>(i)]));
    }
    model.heads.bias.push_back(static_cast<float>(solution.back()));
    ++model.heads.objectives;
  }
}

}  // namespace

AttributedModel FitAttributes(const AddAttributesRequest& request) {
  AttributedModel result;
  net::Model& model = result.model;
  model = net::ReadModel(request.model);
  const std::size_t known = model.description.objectives.size();
  net::ModelDescription extended = Extend(model.description, request);
  result.existing = request.out.empty() ? core::Existing::kReplace : core::Existing::kRefuse;
  result.out = request.out.empty() ? request.model : request.out;
  if (!result.out.has_filename()) result.out = result.out.parent_path();  // "OUT/" is OUT
  if (result.existing == core::Existing::kRefuse && fs::exists(result.out)) {
    Fail("'{}' already exists; choose another folder", result.out.string());
  }

  const data::Dataset dataset = data::Dataset::Open(request.data);
  const std::vector<double> labels = LabelTrainingCodes(model, extended, dataset, request.data);
  const std::size_t columns = extended.objectives.size();
  for (std::size_t k = known; k < columns; ++k) {
    net::ModelObjective& objective = extended.objectives[k];
    const core::Spread spread = core::SpreadOf(labels, k, columns);
    objective.DescribeLabels(spread);
    if (!spread.varies()) {
      Fail("attribute '{}', {}, is {} in all {} training episodes, so no head can be fitted",
           objective.name, objective.expression, spread.mean, labels.size() / columns);
    }
  }

  // From here on the model includes the new objectives.
  model.description = extended;
  json metrics = *model.metrics, provenance = *model.provenance, added = json::array();
  FitHeads(dataset, known, request.job, model, metrics["head_mse"]);
  model.training.objectives = static_cast<int>(columns);
  model.training.values.assign(labels.begin(), labels.end());

  for (std::size_t k = known; k < columns; ++k) {
    const net::ModelObjective& objective = extended.objectives[k];
    provenance["attributes"][objective.name] = {{"dataset", dataset.artifact().hash()},
                                                {"seed", request.job.seed},
                                                {"expression", objective.expression}};
    added.push_back(
        {{"name", objective.name}, {"expression", objective.expression}, {"unit", objective.unit}});
  }
  model.metrics = std::make_shared<const json>(std::move(metrics));
  model.provenance = std::make_shared<const json>(std::move(provenance));
  result.run =
      std::make_shared<const json>(json{{"command", "model add-attribute"},
                                        {"parents",
                                         {{"model", net::OpenModelArtifact(request.model).hash()},
                                          {"dataset", dataset.artifact().hash()}}},
                                        {"attributes", added},
                                        {"seed", request.job.seed}});
  return result;
}

void WriteAttributed(const AttributedModel& attributed, const core::Job& job, double wall_seconds) {
  json manifest = *attributed.run;
  manifest["device"] = "cpu";
  manifest["threads"] = job.threads;
  manifest["wall_seconds"] = wall_seconds;
  net::WriteModel(attributed.model, attributed.out, attributed.existing, manifest);
}

void AddAttributes(const AddAttributesRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  const AttributedModel attributed = FitAttributes(request);
  for (const std::optional<net::Grounding>& grounding : attributed.model.grounded) {
    if (grounding) Fail("the model is grounded, and its rollouts lack the new attributes");
  }
  WriteAttributed(attributed, request.job,
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

}  // namespace rhumb::rollout
