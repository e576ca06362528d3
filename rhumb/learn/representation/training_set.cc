#include "rhumb/learn/representation/training_set.h"

#include "rhumb/core/error.h"

namespace rhumb::learn::representation {
namespace {

constexpr double kScaleFloor = 0.01;
constexpr float kObservationLimit = 10;

torch::Tensor View(const data::Rows& rows) {
  return torch::from_blob(const_cast<float*>(rows.data()), {rows.count(), rows.columns()},
                          torch::kFloat32);
}

torch::Tensor Row(const std::vector<float>& values) {
  return torch::tensor(values, torch::kFloat32).unsqueeze(0);
}

}  // namespace

torch::Tensor Stretches::Pick(const torch::Tensor& which, const torch::Tensor& uniform) const {
  const torch::Tensor length = lengths.index_select(0, which).unsqueeze(1);
  // u * length may round up to length.
  const torch::Tensor steps = torch::minimum((uniform * length).floor_(), length - 1);
  return steps.to(torch::kInt64).add_(starts.index_select(0, which).unsqueeze(1));
}

torch::Tensor TrainingSet::Tokens(const torch::Tensor& rows) const {
  const torch::Tensor flat = rows.reshape({-1});
  return torch::cat({targets.states.index_select(0, flat), actions.index_select(0, flat)}, 1)
      .view({rows.size(0), rows.size(1), -1});
}

InputScaling ScalingOf(const data::DatasetIndex& index) {
  InputScaling scaling;
  scaling.observations.limit = kObservationLimit;
  const data::Normalisation& from = index.normalisation;
  for (std::size_t i = 0; i < from.observation_mean.size(); ++i) {
    scaling.observations.mean.push_back(static_cast<float>(from.observation_mean[i]));
    scaling.observations.inverse_scale.push_back(
        static_cast<float>(1 / (from.observation_std[i] + kScaleFloor)));
  }
  const data::DatasetDescription& description = index.description;
  for (const int i : description.unseen) {
    scaling.observations.inverse_scale[static_cast<std::size_t>(i)] = net::kUnseenScale;
  }
  for (std::size_t i = 0; i < description.action_low.size(); ++i) {
    const double low = description.action_low[i], high = description.action_high[i];
    if (!(low < high)) Fail("action {} has the range {} to {}", i, low, high);
    scaling.action_centre.push_back(static_cast<float>((low + high) / 2));
    scaling.action_half_range.push_back(static_cast<float>((high - low) / 2));
  }
  return scaling;
}

torch::Tensor ClampTeacherMean(const torch::Tensor& mean, const torch::Tensor& log_deviation) {
  const torch::Tensor limit = 1 + 2 * log_deviation.exp();
  return torch::minimum(torch::maximum(mean, -limit), limit);
}

TrainingSet LoadTrainingSet(const data::Dataset& dataset, std::span<const std::int64_t> episodes,
                            std::span<const double> labels, const InputScaling& scaling,
                            TargetKind target_kind, torch::Device device) {
  const torch::NoGradGuard no_grad;
  std::vector<data::Field> fields = {data::Field::kObservations, data::Field::kActions};
  if (target_kind == TargetKind::kTeacher) {
    fields.push_back(data::Field::kActionMeans);
    fields.push_back(data::Field::kActionStds);
  }
  const data::Transitions steps = dataset.LoadTransitions(fields, episodes);

  TrainingSet set;
  const net::Normaliser& normaliser = scaling.observations;
  set.targets.states = View(steps[data::Field::kObservations])
                           .sub(Row(normaliser.mean))
                           .mul_(Row(normaliser.inverse_scale))
                           .clamp_(-normaliser.limit, normaliser.limit)
                           .to(device);
  set.actions = View(steps[data::Field::kActions])
                    .sub(Row(scaling.action_centre))
                    .div_(Row(scaling.action_half_range))
                    .clamp_(-1, 1)
                    .to(device);
  if (target_kind == TargetKind::kTeacher) {
    const torch::Tensor deviations = View(steps[data::Field::kActionStds]);
    if (!(deviations > 0).all().item<bool>()) {
      Fail(
          "the dataset has a policy whose standard deviation is not above 0; use "
          "reconstruction=nll");
    }
    const torch::Tensor log_deviations = deviations.log();
    set.targets.means =
        ClampTeacherMean(View(steps[data::Field::kActionMeans]), log_deviations).to(device);
    set.targets.log_deviations = log_deviations.to(device);
  } else {
    set.targets.means = set.actions;
  }

  const auto count = static_cast<std::int64_t>(episodes.size());
  set.episodes.starts = torch::tensor(steps.starts, torch::kInt64).to(device);
  set.episodes.lengths = torch::tensor(steps.lengths, torch::kInt64).to(device, torch::kFloat32);
  set.labels =
      torch::from_blob(const_cast<double*>(labels.data()),
                       {count, static_cast<std::int64_t>(labels.size()) / count}, torch::kFloat64)
          .clone()
          .to(device);
  set.policies = steps.policies;
  return set;
}

}  // namespace rhumb::learn::representation
