#include "rhumb/learn/ground/attribute_head.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "rhumb/core/error.h"
#include "rhumb/core/least_squares.h"
#include "rhumb/core/progress.h"
#include "rhumb/core/running_statistics.h"
#include "rhumb/core/work_folder.h"
#include "rhumb/learn/ground/code_grounding.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/rollout/episode_encoder.h"

namespace rhumb::learn::ground {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Contexts of each episode that the head is fitted to.
constexpr int kDraws = 8;
// Labels that differ by less, relative to their mean, differ by rounding alone.
constexpr double kLeastVariation = 1e-6;

void CheckName(const std::string& name, const net::ModelDescription& description) {
  static const std::regex word("[a-z][a-z0-9_]*");
  if (!std::regex_match(name, word)) {
    Fail("--name: '{}' is no name; write lower-case letters, digits and _, a letter first", name);
  }
  for (const net::ModelObjective& objective : description.objectives) {
    if (objective.name == name) {
      Fail("--name: the model has an objective '{}' already{}", name,
           objective.expression.empty() ? "" : ", " + objective.expression);
    }
  }
}

// What a document from elsewhere says at a place such as "/grounded/mean/seconds".
double NumberAt(const json& document, const std::string& place, double otherwise) {
  const json::json_pointer pointer(place);
  return document.contains(pointer) && document[pointer].is_number()
             ? document[pointer].get<double>()
             : otherwise;
}

// Roll-outs that are missing after the attribute is there, and how long they took before.
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
      "the model is grounded, and nobody knows what its {} roll-outs gave of the new attribute; "
      "add --roll-out to repeat them{}",
      episodes,
      seconds > 0 ? fmt::format(" (about {} on {} threads)", core::FormatDuration(seconds), threads)
                  : "");
}

// The labels of every objective, the new one last, in the episodes that the training codes are of:
// [N, K + 1].
std::vector<double> LabelTrainingCodes(const net::Model& model,
                                       const net::ModelDescription& description,
                                       const data::Dataset& dataset, const fs::path& place) {
  const std::vector<std::int64_t> episodes = dataset.EpisodesOf(data::Split::kTrain);
  const net::CodeTable& training = model.training;
  const std::size_t known = model.description.objectives.size();
  std::vector<double> labels = rollout::LabelEpisodes(description, dataset, episodes);
  bool same = static_cast<int>(episodes.size()) == training.count();
  for (std::size_t i = 0; same && i < episodes.size(); ++i) {
    for (std::size_t k = 0; k < known; ++k) {
      const double label = labels[i * (known + 1) + k], stored = training.values[i * known + k];
      same = same && std::abs(label - stored) <= 1e-5 * std::max(1.0, std::abs(label));
    }
  }
  if (!same) {
    Fail(
        "{} is not the dataset that the model was trained on: its {} training episodes are not "
        "those of the model's {} training codes",
        place.string(), episodes.size(), training.count());
  }
  return labels;
}

// Mean, std and range of a column of labels [N, columns], the last.
void DescribeLabels(const std::vector<double>& labels, std::size_t columns,
                    net::ModelObjective& objective) {
  core::RunningStatistics statistics(1);
  objective.min = objective.max = labels[columns - 1];
  for (std::size_t i = columns - 1; i < labels.size(); i += columns) {
    statistics.AddRow(std::span(labels).subspan(i, 1));
    objective.min = std::min(objective.min, labels[i]);
    objective.max = std::max(objective.max, labels[i]);
  }
  objective.mean = statistics.mean().front();
  objective.std = statistics.std().front();
  if (!(objective.std > kLeastVariation * std::abs(objective.mean))) {
    Fail("attribute '{}', {}, is {} in all {} training episodes: there is nothing to learn",
         objective.name, objective.expression, objective.mean, labels.size() / columns);
  }
}

// Codes of some episodes, and a label of each in deviations.
struct Pairs {
  std::vector<float> codes;   // [n, H]
  std::vector<float> values;  // [n]
};

// Of the model's last objective, whose labels are the last column of labels [N, columns].
Pairs MakePairs(const net::Model& model, const data::Dataset& dataset,
                std::span<const std::int64_t> episodes, const std::vector<double>& labels,
                std::size_t columns, const AddAttributeRequest& request) {
  const net::ModelObjective& objective = model.description.objectives.back();
  Pairs pairs;
  pairs.codes = rollout::EncodeEpisodes(model, rollout::LoadContexts(dataset, model, episodes),
                                        {.kind = rollout::CodeKind::kPosteriorSample,
                                         .draws = kDraws,
                                         .seed = request.job.seed,
                                         .threads = request.job.threads});
  for (std::size_t i = columns - 1; i < labels.size(); i += columns) {
    const auto value = static_cast<float>((labels[i] - objective.mean) / objective.std);
    pairs.values.insert(pairs.values.end(), kDraws, value);
  }
  return pairs;
}

// Fits the head of the model's last objective. Returns its mean squared error in each split, in
// units of the label's variance.
std::map<std::string, double> FitHead(const data::Dataset& dataset,
                                      const std::vector<double>& labels,
                                      const AddAttributeRequest& request, net::Model& model) {
  const net::ModelObjective& objective = model.description.objectives.back();
  const int width = model.code_size();
  net::ModelDescription alone = model.description;
  alone.objectives = {objective};
  std::map<std::string, double> errors;
  std::vector<double> solution;
  for (const data::Split split : data::kSplits) {
    const bool train = split == data::Split::kTrain;
    const std::vector<std::int64_t> episodes = dataset.EpisodesOf(split);
    if (episodes.empty()) continue;
    const Pairs pairs =
        train ? MakePairs(model, dataset, episodes, labels, model.description.objectives.size(),
                          request)
              : MakePairs(model, dataset, episodes,
                          rollout::LabelEpisodes(alone, dataset, episodes), 1, request);
    if (train) solution = core::SolveLeastSquares(pairs.codes, width, pairs.values, 1);
    errors[std::string(data::NameOf(split))] =
        core::MeanSquaredErrors(solution, pairs.codes, width, pairs.values, 1).front();
  }
  for (int i = 0; i < width; ++i) {
    model.heads.weights.push_back(static_cast<float>(solution[static_cast<std::size_t>(i)]));
  }
  model.heads.bias.push_back(static_cast<float>(solution.back()));
  ++model.heads.objectives;
  return errors;
}

// The labels of the last objective beside those of the others.
void AddToTraining(const std::vector<double>& labels, net::CodeTable& training) {
  ++training.objectives;
  training.values.clear();
  for (const double label : labels) training.values.push_back(static_cast<float>(label));
}

// What the model was grounded on, to be rolled out again.
std::vector<CodesToGround> StoredCodes(const net::Model& model) {
  std::vector<CodesToGround> modes;
  for (std::size_t i = 0; i < model.grounded.size(); ++i) {
    if (!model.grounded[i]) continue;
    const net::Grounding& grounding = *model.grounded[i];
    CodesToGround& mode = modes.emplace_back();
    mode.mode = static_cast<net::RolloutMode>(i);
    mode.codes = grounding.rolled_out.codes;
    mode.policies = grounding.rolled_out.policies;
    mode.episodes = grounding.heads.episodes;
    mode.seed = grounding.seed;
    const json::json_pointer settings(
        fmt::format("/grounded/{}/config/heads", net::NameOf(mode.mode)));
    if (!model.provenance->contains(settings)) continue;
    core::ApplyJson(mode.heads, (*model.provenance)[settings], "provenance of the model");
  }
  return modes;
}

}  // namespace

core::Outcome AddAttribute(const AddAttributeRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  net::Model model = net::ReadModel(request.model);
  CheckName(request.name, model.description);
  if (!request.roll_out) CheckIsUngrounded(model, request.job.threads);
  const bool replaces = request.out.empty();
  fs::path out = replaces ? request.model : request.out;
  if (!out.has_filename()) out = out.parent_path();  // "OUT/" is OUT
  if (!replaces && fs::exists(out)) {
    Fail("'{}' is there already; choose another --out", out.string());
  }

  const data::Dataset dataset = data::Dataset::Open(request.data);
  net::ModelObjective objective;
  objective.name = request.name;
  objective.unit = request.unit;
  objective.expression = request.expression;
  net::ModelDescription description = model.description;
  description.objectives.push_back(objective);
  const std::vector<double> labels = LabelTrainingCodes(model, description, dataset, request.data);
  DescribeLabels(labels, description.objectives.size(), description.objectives.back());

  // From here on the model has the objective.
  model.description = description;
  const std::map<std::string, double> errors = FitHead(dataset, labels, request, model);
  AddToTraining(labels, model.training);
  json metrics = *model.metrics, provenance = *model.provenance;
  for (const auto& [split, error] : errors) metrics["head_mse"][split][request.name] = error;
  provenance["attributes"][request.name] = {{"dataset", dataset.artifact().hash()},
                                            {"seed", request.job.seed},
                                            {"expression", request.expression}};
  model.metrics = std::make_shared<const json>(std::move(metrics));
  model.provenance = std::make_shared<const json>(std::move(provenance));

  json manifest = {{"command", "model add-attribute"},
                   {"parents",
                    {{"model", net::OpenModelArtifact(request.model).hash()},
                     {"dataset", dataset.artifact().hash()}}},
                   {"name", request.name},
                   {"expression", request.expression},
                   {"unit", request.unit},
                   {"seed", request.job.seed}};
  const auto write = [&] {
    manifest["device"] = "cpu";
    manifest["threads"] = request.job.threads;
    manifest["wall_seconds"] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    net::WriteModel(model, out, replaces ? core::Existing::kReplace : core::Existing::kRefuse,
                    manifest);
  };
  const std::vector<CodesToGround> modes = StoredCodes(model);
  if (modes.empty()) {
    write();
    return core::Outcome::kDone;
  }
  const sim::Environment environment = rollout::MakeEnvironment(model);
  const core::WorkFolder work(out, manifest);
  const GroundingOptions options{.work = work.path(), .job = request.job};
  if (GroundCodes(environment, modes, options, model) == core::Outcome::kStopped) {
    return core::Outcome::kStopped;
  }
  write();
  work.Remove();
  return core::Outcome::kDone;
}

}  // namespace rhumb::learn::ground
