#include "rhumb/learn/representation/model_plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "rhumb/core/error.h"
#include "rhumb/core/math/spread.h"
#include "rhumb/core/text.h"
#include "rhumb/rollout/episode_encoder.h"

namespace rhumb::learn::representation {
namespace {

// The labels that order the map: objectives by name, or attributes by expression.
std::vector<net::ModelObjective> ChooseLabels(const std::vector<std::string>& labels,
                                              const data::DatasetDescription& description) {
  const std::vector<std::string> known = core::NamesOf(description.objectives);
  std::set<std::string> seen;
  std::vector<net::ModelObjective> chosen;
  for (const std::string& label : labels.empty() ? known : labels) {
    if (!seen.insert(label).second) Fail("labels: '{}' is listed twice", label);
    const auto found = std::find(known.begin(), known.end(), label);
    net::ModelObjective objective;
    objective.name = label;
    if (found != known.end()) {
      objective.unit = description.objectives[static_cast<std::size_t>(found - known.begin())].unit;
    } else if (label.find('(') != std::string::npos) {
      objective.expression = label;
    } else {
      Fail(
          "labels: unknown objective '{}'{}; an attribute is an expression such as "
          "mean(x_velocity)",
          label, core::Suggestion(label, known));
    }
    chosen.push_back(objective);
  }
  return chosen;
}

void CheckEpisodes(const data::Dataset& dataset, std::span<const std::int64_t> episodes,
                   int context) {
  if (episodes.size() < 2) {
    Fail("{} has {} training episodes; at least 2 are needed", dataset.artifact().path().string(),
         episodes.size());
  }
  for (const std::int64_t episode : episodes) {
    const std::int64_t steps = dataset.index().episodes[static_cast<std::size_t>(episode)].steps;
    if (steps < context) {
      Fail("{}: episode {} has {} steps, fewer than the context's {} pairs",
           dataset.artifact().path().string(), episode, steps, context);
    }
  }
}

// Writes mean, standard deviation and range of each label into its objective.
void MeasureLabels(std::span<const double> labels, const std::string& place,
                   std::vector<net::ModelObjective>& objectives) {
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    net::ModelObjective& objective = objectives[k];
    for (std::size_t i = k; i < labels.size(); i += objectives.size()) {
      if (!std::isfinite(labels[i])) {
        Fail("{}: label '{}' of training episode {} is {}", place, objective.name,
             i / objectives.size(), labels[i]);
      }
    }
    const core::Spread spread = core::SpreadOf(labels, k, objectives.size());
    objective.DescribeLabels(spread);
    if (!spread.varies()) {
      Fail("{}: label '{}' is {} in every training episode, so it cannot order a map", place,
           objective.name, spread.mean);
    }
  }
}

}  // namespace

ModelPlan PlanModel(const data::Dataset& dataset, const RepresentationConfig& config) {
  const data::DatasetDescription& data = dataset.description();
  const std::string place = dataset.artifact().path().string();
  ModelPlan plan;
  plan.episodes = dataset.EpisodesOf(data::Split::kTrain);
  CheckEpisodes(dataset, plan.episodes, config.context);

  plan.description.variant = kVariantNames.NameOf(config.variant);
  plan.description.environment = data.environment;
  plan.description.time_limit = data.time_limit;
  plan.description.context = config.context;
  plan.description.objectives = ChooseLabels(config.labels, data);
  plan.description.shaping_labels = static_cast<int>(plan.description.objectives.size());
  plan.labels = rollout::LabelEpisodes(plan.description, dataset, plan.episodes);
  MeasureLabels(plan.labels, place, plan.description.objectives);

  plan.shape = {data.observation_size, data.action_size, plan.description.shaping_labels};
  plan.scaling = ScalingOf(dataset.index());
  const bool needs_outputs = config.reconstruction == ReconstructionLoss::kKl ||
                             config.reconstruction == ReconstructionLoss::kSplitKl;
  if (needs_outputs && !data.policy_outputs) {
    Fail(
        "{} lacks the policies' means and deviations, which reconstruction={} needs; use "
        "reconstruction=nll",
        place, kReconstructionLossNames.NameOf(config.reconstruction));
  }
  plan.target_kind = config.reconstruction == ReconstructionLoss::kNll || !data.policy_outputs
                         ? TargetKind::kActions
                         : TargetKind::kTeacher;
  return plan;
}

}  // namespace rhumb::learn::representation
