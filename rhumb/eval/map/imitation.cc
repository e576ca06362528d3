#include "rhumb/eval/map/imitation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "rhumb/core/files/json_file.h"
#include "rhumb/core/math/random.h"
#include "rhumb/core/math/shuffle.h"
#include "rhumb/core/math/spread.h"
#include "rhumb/core/text.h"
#include "rhumb/eval/episode_codes.h"
#include "rhumb/rollout/code_runner.h"
#include "rhumb/rollout/episode_encoder.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// The denominator of a relative error is at least this share of the labels' standard deviation.
constexpr double kFloorShare = 0.1;

// Interpolates at fraction `q` of the way from the first to the last element of `sorted`.
double Quantile(const std::vector<double>& sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double share = place - static_cast<double>(below);
  // The difference of infinite neighbours is NaN.
  if (share == 0 || sorted[below] == sorted[below + 1]) return sorted[below];
  return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

// Labels of all episodes of the policies behind `chosen`.
class PolicyLabels {
 public:
  PolicyLabels(const net::ModelDescription& description, const data::Dataset& dataset,
               std::span<const std::int64_t> chosen)
      : width_(description.objectives.size()) {
    const data::DatasetIndex& index = dataset.index();
    const auto policy_of = [&](std::int64_t episode) {
      return index.episodes[static_cast<std::size_t>(episode)].policy;
    };
    for (const std::int64_t episode : chosen) sums_[policy_of(episode)];
    std::vector<std::int64_t> all = dataset.AllEpisodes();
    std::erase_if(all, [&](std::int64_t i) { return !sums_.contains(policy_of(i)); });
    const std::vector<double> labels = rollout::LabelEpisodes(description, dataset, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::vector<double>& label = labels_[all[i]];
      label.assign(labels.data() + i * width_, labels.data() + (i + 1) * width_);
      Sum& sum = sums_[policy_of(all[i])];
      sum.values.resize(width_, 0.0);
      ++sum.count;
      for (std::size_t k = 0; k < width_; ++k) sum.values[k] += label[k];
    }
  }

  const std::vector<double>& Of(std::int64_t episode) const { return labels_.at(episode); }

  std::vector<double> MeanOf(int policy) const {
    const Sum& sum = sums_.at(policy);
    std::vector<double> mean = sum.values;
    for (double& value : mean) value /= static_cast<double>(sum.count);
    return mean;
  }

  // Mean over the policy's other episodes; empty if there are none.
  std::vector<double> MeanOfOthers(int policy, std::int64_t episode) const {
    const Sum& sum = sums_.at(policy);
    if (sum.count < 2) return {};
    std::vector<double> mean = sum.values;
    for (std::size_t k = 0; k < width_; ++k) {
      mean[k] = (mean[k] - Of(episode)[k]) / static_cast<double>(sum.count - 1);
    }
    return mean;
  }

 private:
  struct Sum {
    std::int64_t count = 0;
    std::vector<double> values;  // [K]
  };
  std::size_t width_;  // K
  std::map<std::int64_t, std::vector<double>> labels_;
  std::map<int, Sum> sums_;
};

std::vector<double> RelativeErrors(std::span<const double> values, std::span<const double> labels,
                                   std::span<const net::ModelObjective> objectives) {
  std::vector<double> errors;
  for (std::size_t k = 0; k < values.size(); ++k) {
    errors.push_back(RelativeError(values[k], labels[k], objectives[k].std));
  }
  return errors;
}

// Summarises one of the three errors for objective k, over all rows that have it.
ErrorSummary SummariseColumn(const std::vector<ImitationRow>& rows,
                             std::vector<double> ImitationRow::*errors, std::size_t k) {
  std::vector<double> column;
  for (const ImitationRow& row : rows) {
    if (!(row.*errors).empty()) column.push_back((row.*errors)[k]);
  }
  return Summarise(std::move(column));
}

json ToJson(const ErrorSummary& summary) {
  return {{"count", summary.count}, {"median", summary.median},
          {"mean", summary.mean},   {"q10", summary.q10},
          {"q25", summary.q25},     {"q75", summary.q75},
          {"q90", summary.q90},     {"share_below_10_percent", summary.share_below}};
}

}  // namespace

double RelativeError(double value, double label, double std) {
  if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
  return std::abs(value - label) / std::max(std::abs(label), kFloorShare * std);
}

ErrorSummary Summarise(std::vector<double> errors) {
  ErrorSummary summary{0, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
  if (errors.empty()) return summary;
  std::sort(errors.begin(), errors.end());
  summary.count = static_cast<std::int64_t>(errors.size());
  summary.mean = core::SpreadOf(errors).mean;
  summary.median = Quantile(errors, 0.5);
  summary.q10 = Quantile(errors, 0.1);
  summary.q25 = Quantile(errors, 0.25);
  summary.q75 = Quantile(errors, 0.75);
  summary.q90 = Quantile(errors, 0.9);
  const auto small = std::lower_bound(errors.begin(), errors.end(), kSmallError) - errors.begin();
  summary.share_below = static_cast<double>(small) / static_cast<double>(errors.size());
  return summary;
}

std::vector<std::int64_t> ChooseEpisodes(const data::DatasetIndex& index,
                                         std::span<const std::int64_t> episodes, int count,
                                         std::uint64_t seed) {
  core::Stream stream(seed, core::Purpose::kContext, 0, 0, core::stream_key::kImitatedEpisodes);
  std::map<int, std::vector<std::int64_t>> by_policy;
  for (const std::int64_t episode : episodes) {
    by_policy[index.episodes[static_cast<std::size_t>(episode)].policy].push_back(episode);
  }
  std::vector<std::vector<std::int64_t>> policies;
  for (auto& [policy, own] : by_policy) {
    core::Shuffle(std::span(own), stream);
    policies.push_back(std::move(own));
  }
  core::Shuffle(std::span(policies), stream);
  std::vector<std::int64_t> chosen;
  const std::size_t wanted = std::min(static_cast<std::size_t>(count), episodes.size());
  for (std::size_t round = 0; chosen.size() < wanted; ++round) {
    for (const std::vector<std::int64_t>& own : policies) {
      if (round < own.size() && chosen.size() < wanted) chosen.push_back(own[round]);
    }
  }
  return chosen;
}

std::optional<ImitationReport> MeasureImitation(const sim::Environment& environment,
                                                const net::Model& model,
                                                const data::Dataset& dataset,
                                                const ImitationConfig& config,
                                                const core::Job& job) {
  const std::vector<std::int64_t> chosen =
      ChooseEpisodes(dataset.index(), EpisodesIn(dataset, config.split), config.episodes, job.seed);
  const data::Transitions contexts = rollout::LoadContexts(dataset, model, chosen);
  const PolicyLabels labels(model.description, dataset, chosen);
  const std::vector<float> codes =
      rollout::EncodeEpisodes(model, contexts, {.seed = job.seed, .threads = job.threads});
  const std::optional<rollout::CodeRun> run = rollout::RollOutCodes(environment, model, codes,
                                                                    {.mode = config.mode,
                                                                     .episodes = config.rollouts,
                                                                     .batch = config.batch,
                                                                     .label = "imitate",
                                                                     .job = job});
  if (!run) return std::nullopt;

  ImitationReport report;
  report.config = config;
  const std::vector<net::ModelObjective>& objectives = model.description.objectives;
  const std::vector<double> realised = run->Means();
  const auto rollouts = static_cast<std::size_t>(config.rollouts);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    ImitationRow row;
    row.episode = chosen[i];
    row.policy = contexts.policies[i];
    row.steps = contexts.lengths[i];
    for (std::size_t played = i * rollouts; played < (i + 1) * rollouts; ++played) {
      row.realised_steps += run->lengths[played];
      row.diverged += run->diverged[played];
    }
    row.realised_steps /= config.rollouts;
    const double* mean = realised.data() + i * objectives.size();
    row.realised.assign(mean, mean + objectives.size());
    row.label = labels.Of(row.episode);
    row.policy_label = labels.MeanOf(row.policy);
    row.error = RelativeErrors(row.realised, row.label, objectives);
    row.policy_error = RelativeErrors(row.realised, row.policy_label, objectives);
    row.teacher_error =
        RelativeErrors(labels.MeanOfOthers(row.policy, row.episode), row.label, objectives);
    report.diverged += row.diverged;
    report.mean_steps += static_cast<double>(row.steps);
    report.realised_mean_steps += row.realised_steps;
    report.rows.push_back(std::move(row));
  }
  report.mean_steps /= static_cast<double>(report.rows.size());
  report.realised_mean_steps /= static_cast<double>(report.rows.size());
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    report.objectives.push_back({objectives[k].name, objectives[k].unit,
                                 SummariseColumn(report.rows, &ImitationRow::error, k),
                                 SummariseColumn(report.rows, &ImitationRow::policy_error, k),
                                 SummariseColumn(report.rows, &ImitationRow::teacher_error, k)});
  }
  return report;
}

json ToJson(const ImitationReport& report) {
  json objectives = json::array(), errors = json::object(), rows = json::array();
  for (const ObjectiveImitation& objective : report.objectives) {
    objectives.push_back({{"name", objective.name}, {"unit", objective.unit}});
    errors[objective.name] = {{"error", ToJson(objective.error)},
                              {"policy_error", ToJson(objective.policy_error)},
                              {"teacher_error", ToJson(objective.teacher_error)}};
  }
  const auto by_name = [names = core::NamesOf(report.objectives)](const auto& values) {
    return values.empty() ? json() : core::ByName(values, names);
  };
  for (const ImitationRow& row : report.rows) {
    rows.push_back({{"episode", row.episode},
                    {"policy", row.policy},
                    {"steps", row.steps},
                    {"realised_steps", row.realised_steps},
                    {"diverged", row.diverged},
                    {"label", by_name(row.label)},
                    {"policy_label", by_name(row.policy_label)},
                    {"realised", by_name(row.realised)},
                    {"error", by_name(row.error)},
                    {"policy_error", by_name(row.policy_error)},
                    {"teacher_error", by_name(row.teacher_error)}});
  }
  return {{"mode", net::NameOf(report.config.mode)},
          {"split", report.config.split},
          {"rollouts", report.config.rollouts},
          {"objectives", objectives},
          {"errors", errors},
          {"mean_steps", report.mean_steps},
          {"realised_mean_steps", report.realised_mean_steps},
          {"diverged", report.diverged},
          {"rows", rows}};
}

}  // namespace rhumb::eval
