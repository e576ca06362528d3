#include "rhumb/steer/prepared_model.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <thread>

#include "rhumb/core/process/thread_pool.h"

namespace rhumb::steer {
namespace {

constexpr int kSlopeSample = 64;
constexpr std::size_t kCodesPerTask = 128;
constexpr unsigned kMaxThreads = 8;

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

// Forecasts every known code. This is most of the time that a model takes to load, so all cores
// share it. Codes are independent, so the result does not depend on the number of threads.
std::vector<Forecast> ForecastKnown(const Forecaster& forecaster) {
  const std::span<const float> codes = forecaster.known_codes();
  const std::size_t numbers = kCodesPerTask * static_cast<std::size_t>(forecaster.code_size());
  std::vector<std::vector<Forecast>> parts((codes.size() + numbers - 1) / numbers);
  core::ThreadPool pool(
      static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads)));
  pool.ParallelFor(std::ssize(parts), [&](std::int64_t task, int) {
    const auto part = static_cast<std::size_t>(task);
    const std::size_t begin = part * numbers;
    parts[part] = forecaster.Predict(codes.subspan(begin, std::min(numbers, codes.size() - begin)));
  });
  std::vector<Forecast> known;
  for (std::vector<Forecast>& part : parts) {
    std::move(part.begin(), part.end(), std::back_inserter(known));
  }
  return known;
}

}  // namespace

PreparedModel::PreparedModel(const net::Model& trained, net::RolloutMode mode,
                             const SteerOptions& settings)
    : model(trained),
      options(settings),
      forecaster(trained, mode, settings.heads),
      manifold(forecaster.known_codes(), forecaster.metric(),
               {.neighbours = settings.neighbours, .variance = settings.variance}),
      known(ForecastKnown(forecaster)),
      primal_step(settings.primal_step /
                  (settings.scale_step ? MeasureSlope(forecaster, manifold) : 1)) {}

}  // namespace rhumb::steer
