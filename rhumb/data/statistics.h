// Summary statistics of a dataset, computed from its index.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/core/math/spread.h"
#include "rhumb/data/dataset_index.h"

namespace rhumb::data {

struct EpisodeStatistics {
  std::int64_t episodes = 0;
  std::int64_t transitions = 0;
  core::Spread length;                // steps per episode
  std::vector<core::Spread> returns;  // [K]
};

struct PolicyStatistics : EpisodeStatistics {
  int policy = 0;
};

struct SplitCounts {
  std::int64_t policies = 0;
  std::int64_t episodes = 0;
  std::int64_t transitions = 0;
};

// Two objectives whose mean returns rise and fall together over the policies.
struct TiedObjectives {
  std::size_t first = 0, second = 0;
  double correlation = 0;
};

using LeftOut = std::map<Verdict, std::int64_t>;  // policies left out by verdict

struct DatasetStatistics : EpisodeStatistics {
  // [K], share of the variance of episode returns that lies within policies: 0 if every policy
  // repeats itself, 1 if the policies do not differ.
  std::vector<double> variance_share_within;
  std::vector<PolicyStatistics> policies;  // kept policies
  std::vector<TiedObjectives> tied;
  std::array<SplitCounts, kSplitCount> splits{};
  LeftOut left_out;
};

DatasetStatistics ComputeStatistics(const DatasetIndex& index);

// "46 falls, 30 stationary"; "none left out".
std::string Summarise(const LeftOut& left_out);

// A sentence per pair: "forward and energy move together (...)".
std::string DescribeTied(const DatasetStatistics& statistics, const DatasetIndex& index);

nlohmann::json ToJson(const DatasetStatistics& statistics, const DatasetIndex& index);
// Policies, episodes and transitions, in total and by split (the hole only if present), and
// policies left out by verdict.
nlohmann::json CountsToJson(const DatasetStatistics& statistics);
// Every policy that was left out, with its reason.
nlohmann::json LeftOutToJson(const DatasetIndex& index);

}  // namespace rhumb::data
