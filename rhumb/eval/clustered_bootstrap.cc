#include "rhumb/eval/clustered_bootstrap.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "rhumb/core/error.h"
#include "rhumb/core/math/random.h"

namespace rhumb::eval {
namespace {

constexpr double kTail = 0.025;  // share of the resamples on either side of the interval

double MeanOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

MeanEstimate EstimateOf(std::span<const double> values, const std::vector<double>& sorted_means) {
  const auto cut = static_cast<std::size_t>(kTail * static_cast<double>(sorted_means.size()));
  return {MeanOf(values), sorted_means[cut], sorted_means[sorted_means.size() - 1 - cut]};
}

}  // namespace

ClusteredBootstrap::ClusteredBootstrap(std::span<const std::int64_t> clusters, std::uint64_t seed,
                                       int resamples)
    : seed_(seed), resamples_(resamples) {
  RHUMB_CHECK(!clusters.empty() && resamples >= 1, "{} observations, {} resamples", clusters.size(),
              resamples);
  std::map<std::int64_t, std::size_t> places;
  for (const std::int64_t name : clusters) {
    const std::size_t place = places.try_emplace(name, places.size()).first->second;
    cluster_of_.push_back(place);
    sizes_.resize(places.size(), 0.0);
    ++sizes_[place];
  }
}

std::vector<double> ClusteredBootstrap::ResampledMeans(std::span<const double> values) const {
  RHUMB_CHECK(values.size() == cluster_of_.size(), "{} values of {} observations", values.size(),
              cluster_of_.size());
  std::vector<double> sums(sizes_.size(), 0.0);  // S_c
  for (std::size_t i = 0; i < values.size(); ++i) {
    RHUMB_CHECK(std::isfinite(values[i]), "observation {} is {}", i, values[i]);
    sums[cluster_of_[i]] += values[i];
  }
  const auto count = static_cast<std::uint32_t>(sizes_.size());
  std::vector<double> means(static_cast<std::size_t>(resamples_));
  for (std::size_t b = 0; b < means.size(); ++b) {
    core::Stream noise(seed_, core::Purpose::kBootstrap, static_cast<std::uint32_t>(b));
    double sum = 0, size = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t drawn = noise.Below(count);
      sum += sums[drawn];
      size += sizes_[drawn];
    }
    means[b] = sum / size;
  }
  std::sort(means.begin(), means.end());
  return means;
}

MeanEstimate ClusteredBootstrap::Mean(std::span<const double> values) const {
  return EstimateOf(values, ResampledMeans(values));
}

PairedDifference ClusteredBootstrap::Compare(std::span<const double> a,
                                             std::span<const double> b) const {
  RHUMB_CHECK(a.size() == b.size(), "{} and {} values", a.size(), b.size());
  std::vector<double> differences(a.size());
  std::transform(a.begin(), a.end(), b.begin(), differences.begin(), std::minus<>());
  const std::vector<double> means = ResampledMeans(differences);
  const auto at_most = std::upper_bound(means.begin(), means.end(), 0.0) - means.begin();
  const auto at_least = means.end() - std::lower_bound(means.begin(), means.end(), 0.0);
  const double rarer = 1 + static_cast<double>(std::min(at_most, at_least));
  return {EstimateOf(differences, means), std::min(1.0, 2 * rarer / (resamples_ + 1.0))};
}

nlohmann::json ToJson(const MeanEstimate& estimate, double scale) {
  return {{"mean", scale * estimate.mean},
          {"low", scale * estimate.low},
          {"high", scale * estimate.high}};
}

}  // namespace rhumb::eval
