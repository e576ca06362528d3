#include "rhumb/net/steadiness.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace rhumb::net {

double LargestSpread(std::span<const double> deviations, const ModelDescription& model) {
  double largest = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(model.shaping_labels); ++k) {
    if (deviations[k] == 0) continue;
    const double share = deviations[k] / (model.objectives[k].max - model.objectives[k].min);
    if (!(share >= 0)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, share);
  }
  return largest;
}

double LargestSpread(std::span<const float> deviations, const ModelDescription& model) {
  return LargestSpread(std::vector<double>(deviations.begin(), deviations.end()), model);
}

}  // namespace rhumb::net
