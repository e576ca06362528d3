#include "rhumb/steer/attainable.h"

#include <algorithm>
#include <cmath>

namespace rhumb::steer {
namespace {

constexpr double kLow = 0.01, kHigh = 0.99;

// The value at share `share` of the sorted values, between two of them by a straight line.
double QuantileOf(const std::vector<float>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = place - std::floor(place);
  return (1 - part) * double{sorted[below]} + part * double{sorted[above]};
}

}  // namespace

std::vector<Interval> AttainableRanges(const net::Model& model, net::RolloutMode mode) {
  const auto& grounding = model.grounded[static_cast<std::size_t>(mode)];
  const bool is_known = grounding && grounding->rolled_out.count() > 1;
  const net::CodeTable& table = is_known ? grounding->rolled_out : model.training;
  std::vector<Interval> ranges;
  for (std::size_t k = 0; k < model.description.objectives.size(); ++k) {
    std::vector<float> column;
    for (int row = 0; row < table.count(); ++row) column.push_back(table.values_of(row)[k]);
    std::sort(column.begin(), column.end());
    if (column.empty()) {
      const net::ModelObjective& objective = model.description.objectives[k];
      ranges.push_back({objective.min, objective.max});
    } else {
      ranges.push_back({QuantileOf(column, kLow), QuantileOf(column, kHigh)});
    }
  }
  return ranges;
}

net::RolloutMode MainMode(const net::Model& model) {
  const auto is_grounded = [&](net::RolloutMode mode) {
    return model.grounded[static_cast<std::size_t>(mode)].has_value();
  };
  const bool only_mean =
      is_grounded(net::RolloutMode::kMean) && !is_grounded(net::RolloutMode::kSampled);
  return only_mean ? net::RolloutMode::kMean : net::RolloutMode::kSampled;
}

}  // namespace rhumb::steer
