// Means of dependent observations: intervals and paired tests by a bootstrap over clusters.
//
// Observations of one cluster depend on each other, for example tasks anchored at one policy.
// Whole clusters are therefore resampled. With S_c the sum of the n_c observations of cluster c,
// resample b draws as many clusters c_1, c_2, … as there are, with replacement:
//
//   m_b = sum_i S_{c_i} / sum_i n_{c_i}
//
// The interval holds the middle 95 % of m_b. A paired test looks at differences d_i = a_i - b_i:
//
//   p = min(1, 2 (1 + min(#{m_b <= 0}, #{m_b >= 0})) / (B + 1))
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

namespace rhumb::eval {

// A mean and its 95 % interval.
struct MeanEstimate {
  double mean = 0, low = 0, high = 0;
};

// The mean of a - b, its interval, and the two-sided p-value of "no difference".
struct PairedDifference {
  MeanEstimate difference;
  double p = 1;
};

// Thread-safe once made. Equal clusters and seeds give equal resamples for all values.
class ClusteredBootstrap {
 public:
  // clusters[i]: any name of observation i's cluster. Needs at least one observation.
  ClusteredBootstrap(std::span<const std::int64_t> clusters, std::uint64_t seed,
                     int resamples = 2000);

  int observations() const { return static_cast<int>(cluster_of_.size()); }
  int clusters() const { return static_cast<int>(sizes_.size()); }

  // One finite value per observation.
  MeanEstimate Mean(std::span<const double> values) const;
  PairedDifference Compare(std::span<const double> a, std::span<const double> b) const;

 private:
  // Means m_b of all resamples, in ascending order.
  std::vector<double> ResampledMeans(std::span<const double> values) const;

  std::uint64_t seed_;
  int resamples_;
  std::vector<std::size_t> cluster_of_;  // by observation
  std::vector<double> sizes_;            // n_c
};

// Numbers the distinct names in order of appearance.
template <class Name>
std::vector<std::int64_t> NumberClusters(const std::vector<Name>& names) {
  std::map<Name, std::int64_t> numbers;
  std::vector<std::int64_t> clusters;
  for (const Name& name : names) {
    const auto next = static_cast<std::int64_t>(numbers.size());
    clusters.push_back(numbers.try_emplace(name, next).first->second);
  }
  return clusters;
}

// {"mean", "low", "high"}, each multiplied by `scale`.
nlohmann::json ToJson(const MeanEstimate& estimate, double scale = 1);

}  // namespace rhumb::eval
