#include "rhumb/data/statistics.h"

#include <nlohmann/json.hpp>

#include "rhumb/core/files/json_file.h"
#include "rhumb/core/text.h"

namespace rhumb::data {
namespace {

using nlohmann::json;
using Records = std::vector<const EpisodeRecord*>;

template <class ValueOf>
core::Spread SpreadOf(const Records& episodes, ValueOf value_of) {
  std::vector<double> values;
  for (const EpisodeRecord* episode : episodes) values.push_back(value_of(*episode));
  return core::SpreadOf(values);
}

EpisodeStatistics Describe(const Records& episodes, std::size_t objectives) {
  EpisodeStatistics statistics;
  statistics.episodes = static_cast<std::int64_t>(episodes.size());
  for (const EpisodeRecord* episode : episodes) statistics.transitions += episode->steps;
  statistics.length =
      SpreadOf(episodes, [](const EpisodeRecord& e) { return static_cast<double>(e.steps); });
  for (std::size_t k = 0; k < objectives; ++k) {
    statistics.returns.push_back(
        SpreadOf(episodes, [k](const EpisodeRecord& e) { return e.returns[k]; }));
  }
  return statistics;
}

// From here on a map has little to trade: one objective explains four fifths of the other.
constexpr double kTiedCorrelation = 0.9;
constexpr std::size_t kFewestPolicies = 8;  // a correlation of fewer says little

// Pearson's; 0 where one of the two does not vary.
double CorrelationOf(const std::vector<double>& first, const std::vector<double>& second) {
  const core::Spread x = core::SpreadOf(first), y = core::SpreadOf(second);
  if (!x.varies() || !y.varies()) return 0;
  double covariance = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    covariance += (first[i] - x.mean) * (second[i] - y.mean);
  }
  return covariance / static_cast<double>(first.size()) / (x.std * y.std);
}

std::vector<TiedObjectives> FindTied(const std::vector<PolicyStatistics>& policies,
                                     std::size_t objectives) {
  std::vector<TiedObjectives> tied;
  if (policies.size() < kFewestPolicies) return tied;
  std::vector<std::vector<double>> means(objectives);
  for (const PolicyStatistics& policy : policies) {
    for (std::size_t k = 0; k < objectives; ++k) means[k].push_back(policy.returns[k].mean);
  }
  for (std::size_t i = 0; i < objectives; ++i) {
    for (std::size_t j = i + 1; j < objectives; ++j) {
      const double correlation = CorrelationOf(means[i], means[j]);
      if (correlation >= kTiedCorrelation) tied.push_back({i, j, correlation});
    }
  }
  return tied;
}

json ToJson(const core::Spread& spread) {
  return {{"min", spread.min}, {"mean", spread.mean}, {"max", spread.max}, {"std", spread.std}};
}

json ReturnsToJson(const std::vector<core::Spread>& returns,
                   const std::vector<Objective>& objectives) {
  json result = json::object();
  for (std::size_t k = 0; k < returns.size(); ++k) result[objectives[k].name] = ToJson(returns[k]);
  return result;
}

}  // namespace

DatasetStatistics ComputeStatistics(const DatasetIndex& index) {
  const std::size_t objectives = index.description.objectives.size();
  Records all;
  std::vector<Records> by_policy(index.policies.size());
  for (const EpisodeRecord& episode : index.episodes) {
    all.push_back(&episode);
    by_policy[static_cast<std::size_t>(episode.policy)].push_back(&episode);
  }
  DatasetStatistics statistics;
  static_cast<EpisodeStatistics&>(statistics) = Describe(all, objectives);
  std::vector<double> within(objectives, 0);
  for (std::size_t i = 0; i < by_policy.size(); ++i) {
    const Policy& policy = index.policies[i];
    if (!policy.kept()) {
      ++statistics.left_out[policy.verdict];
      continue;
    }
    PolicyStatistics own{Describe(by_policy[i], objectives), static_cast<int>(i)};
    SplitCounts& split = statistics.splits[static_cast<std::size_t>(policy.split)];
    ++split.policies;
    split.episodes += own.episodes;
    split.transitions += own.transitions;
    const double share = static_cast<double>(own.episodes) / static_cast<double>(all.size());
    for (std::size_t k = 0; k < objectives; ++k) {
      within[k] += share * own.returns[k].std * own.returns[k].std;
    }
    statistics.policies.push_back(std::move(own));
  }
  for (std::size_t k = 0; k < objectives; ++k) {
    const double variance = statistics.returns[k].std * statistics.returns[k].std;
    statistics.variance_share_within.push_back(variance > 0 ? within[k] / variance : 0);
  }
  statistics.tied = FindTied(statistics.policies, objectives);
  return statistics;
}

std::string Summarise(const LeftOut& left_out) {
  std::string text;
  for (const auto& [verdict, policies] : left_out) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", policies, NameOf(verdict));
  }
  return text.empty() ? "none left out" : text;
}

std::string DescribeTied(const DatasetStatistics& statistics, const DatasetIndex& index) {
  const std::vector<Objective>& objectives = index.description.objectives;
  std::string text;
  for (const auto& [first, second, correlation] : statistics.tied) {
    text += fmt::format(
        "{} and {} move together (correlation {:.2f} over the policies): a map can hardly trade "
        "one for the other. Another reward preset may separate them\n",
        core::Printable(objectives[first].name), core::Printable(objectives[second].name),
        correlation);
  }
  return text;
}

json CountsToJson(const DatasetStatistics& statistics) {
  json splits = json::object();
  for (const Split split : kSplits) {
    const SplitCounts& counts = statistics.splits[static_cast<std::size_t>(split)];
    if (split == Split::kHole && counts.policies == 0) continue;
    splits[NameOf(split)] = {{"policies", counts.policies},
                             {"episodes", counts.episodes},
                             {"transitions", counts.transitions}};
  }
  json left_out = json::object();
  for (const auto& [verdict, policies] : statistics.left_out) {
    left_out[NameOf(verdict)] = policies;
  }
  return {{"policies", statistics.policies.size()},
          {"episodes", statistics.episodes},
          {"transitions", statistics.transitions},
          {"splits", std::move(splits)},
          {"left_out", std::move(left_out)}};
}

json LeftOutToJson(const DatasetIndex& index) {
  json list = json::array();
  for (const Policy& policy : index.policies) {
    if (policy.kept()) continue;
    list.push_back({{"file", policy.file},
                    {"agent", policy.agent},
                    {"iteration", policy.iteration},
                    {"verdict", NameOf(policy.verdict)},
                    {"reason", policy.reason}});
  }
  return list;
}

json ToJson(const DatasetStatistics& statistics, const DatasetIndex& index) {
  const std::vector<Objective>& objectives = index.description.objectives;
  json policies = json::array();
  for (const PolicyStatistics& own : statistics.policies) {
    const Policy& policy = index.policies[static_cast<std::size_t>(own.policy)];
    policies.push_back({{"index", own.policy},
                        {"agent", policy.agent},
                        {"iteration", policy.iteration},
                        {"weights", policy.weights},
                        {"split", NameOf(policy.split)},
                        {"episodes", own.episodes},
                        {"transitions", own.transitions},
                        {"length", ToJson(own.length)},
                        {"returns", ReturnsToJson(own.returns, objectives)}});
  }
  json tied = json::array();
  for (const auto& [first, second, correlation] : statistics.tied) {
    tied.push_back({{"objectives", {objectives[first].name, objectives[second].name}},
                    {"correlation", correlation}});
  }
  return {{"objectives", core::ToJson(objectives)},
          {"tied", std::move(tied)},
          {"environment", index.description.environment.id},
          {"counts", CountsToJson(statistics)},
          {"length", ToJson(statistics.length)},
          {"returns", ReturnsToJson(statistics.returns, objectives)},
          {"variance_share_within",
           core::ByName(statistics.variance_share_within, core::NamesOf(objectives))},
          {"policies", std::move(policies)},
          {"left_out", LeftOutToJson(index)}};
}

}  // namespace rhumb::data
