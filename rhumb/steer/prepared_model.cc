#include "rhumb/steer/prepared_model.h"

#include <algorithm>
#include <cstddef>

namespace rhumb::steer {
namespace {

constexpr int kSlopeSample = 64;

// Measures how steeply the values rise along the tangent spaces. It is the 0.95 quantile of sum_k
// |P dv_k/dh|^2, in standard deviations of the labels, over evenly spaced known codes. A step
// of s / slope along the gradient changes the values by about s, whatever the scale of the codes.
double MeasureSlope(const Forecaster& forecaster, const DataManifold& manifold) {
  const auto width = static_cast<std::size_t>(forecaster.code_size());
  const auto count = static_cast<std::size_t>(forecaster.objectives());
  Forecaster::Path path(forecaster);
  std::vector<double> values(count), stds(count), cotangents(count), direction(width), slopes;
  const int stride = std::max(1, manifold.count() / kSlopeSample);
  for (int i = 0; i < manifold.count(); i += stride) {
    const std::span<const float> code = manifold.code(i);
    path.Forecast(std::vector<double>(code.begin(), code.end()),
                  Forecaster::Path::Look::kEverywhere, values, stds);
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) {
      std::fill(cotangents.begin(), cotangents.end(), 0.0);
      cotangents[k] = 1 / forecaster.LabelStd(static_cast<int>(k));
      path.Pullback(cotangents, direction);
      manifold.Project(i, direction);
      for (const double slope : direction) sum += slope * slope;
    }
    slopes.push_back(sum);
  }
  const auto place = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() * 95 / 100);
  std::nth_element(slopes.begin(), place, slopes.end());
  return *place > 0 ? *place : 1;
}

}  // namespace

PreparedModel::PreparedModel(const net::Model& trained, net::RolloutMode mode,
                             const SteerOptions& settings)
    : model(trained),
      options(settings),
      forecaster(trained, mode, settings.heads),
      manifold(forecaster.known_codes(), forecaster.metric(),
               {.neighbours = settings.neighbours, .variance = settings.variance}),
      known(forecaster.Predict(forecaster.known_codes())),
      primal_step(settings.primal_step /
                  (settings.scale_step ? MeasureSlope(forecaster, manifold) : 1)) {}

}  // namespace rhumb::steer
