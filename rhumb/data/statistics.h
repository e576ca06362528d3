// What there is to say of a dataset in numbers, from its index alone.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rhumb/data/dataset_index.h"

namespace rhumb::data {

struct Spread {
  double min = 0;
  double mean = 0;
  double max = 0;
  double std = 0;  // over all, divided by n
};

struct PolicyStatistics {
  int policy = 0;
  std::int64_t episodes = 0;
  std::int64_t transitions = 0;
  Spread length;                // steps per episode
  std::vector<Spread> returns;  // [K]
};

struct SplitCounts {
  std::int64_t policies = 0;
  std::int64_t episodes = 0;
  std::int64_t transitions = 0;
};

struct LeftOutCount {
  Verdict verdict;
  std::int64_t policies;
};

struct DatasetStatistics {
  std::int64_t episodes = 0;
  std::int64_t transitions = 0;
  Spread length;
  std::vector<Spread> returns;  // [K]
  // [K], the share of the variance of an episode's return that lies inside a policy: 0 where every
  // policy repeats itself, 1 where the policies do not differ.
  std::vector<double> variance_share_within;
  std::vector<PolicyStatistics> policies;  // the kept ones
  std::array<SplitCounts, kSplitCount> splits{};
  std::vector<LeftOutCount> left_out;  // verdicts that occur, in the order of Verdict
};

DatasetStatistics ComputeStatistics(const DatasetIndex& index);

// "46 falls, 30 stationary"; "none left out".
std::string Summarise(const std::vector<LeftOutCount>& left_out);

nlohmann::json ToJson(const DatasetStatistics& statistics, const DatasetIndex& index);
// Policies, episodes and transitions, in all and by split (the hole where there is one); policies
// left out by verdict.
nlohmann::json CountsToJson(const DatasetStatistics& statistics);
// Every policy left out, with its reason.
nlohmann::json LeftOutToJson(const DatasetIndex& index);

}  // namespace rhumb::data
