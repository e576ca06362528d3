#include "rhumb/eval/map/control_functional.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "rhumb/core/error.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/eval/error_rate.h"

namespace rhumb::eval {
namespace {

using nlohmann::json;

double Dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

GaussianMixture MakeDensity(const std::string& name, int dimension) {
  const auto d = static_cast<std::size_t>(dimension);
  GaussianMixture density;
  density.dimension = dimension;
  if (name == "gaussian") {
    density.weights = {1};
    density.means.assign(d, 0);
    return density;
  }
  density.weights = {0.4, 0.6};
  density.means.assign(d, -1);
  density.means.insert(density.means.end(), d, 1);
  density.deviation = 0.75;
  return density;
}

struct Estimates {
  double monte_carlo = 0, control_functional = 0;
};

Estimates Estimate(const GaussianMixture& density, std::span<const double> frequency, int size,
                   const ControlFunctionalConfig& config, core::Stream& noise) {
  const auto d = static_cast<std::size_t>(density.dimension), n = static_cast<std::size_t>(size);
  std::vector<double> points(n * d), scores(n * d), values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<double> point(points.data() + i * d, d);
    density.Draw(noise, point);
    density.Score(point, {scores.data() + i * d, d});
    values[i] = std::sin(Dot(frequency, point));
  }
  const int fitted =
      std::clamp(static_cast<int>(std::lround(config.fitted_share * size)), 1, size - 1);
  const std::vector<double> weights = ControlFunctionalWeights(
      points, scores, density.dimension, fitted, config.length, config.regularisation);
  Estimates estimates;
  for (const double value : values) estimates.monte_carlo += value / size;
  estimates.control_functional = Dot(weights, values);
  return estimates;
}

}  // namespace

void GaussianMixture::Draw(core::Stream& noise, std::span<double> x) const {
  double left = noise.Uniform();
  std::size_t component = 0;
  while (component + 1 < weights.size() && left >= weights[component]) {
    left -= weights[component++];
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = means[component * x.size() + i] + deviation * noise.Normal();
  }
}

void GaussianMixture::Score(std::span<const double> x, std::span<double> score) const {
  // sum_c r_c (mean_c - x) / deviation^2, r_c ~ weight_c exp(-|x - mean_c|^2 / (2 deviation^2)).
  // Distances are relative to the nearest component, so that not all r_c vanish far away.
  const double variance = deviation * deviation;
  const std::size_t d = x.size();
  const auto exponent = [&](std::size_t c) {
    double squares = 0;
    for (std::size_t i = 0; i < d; ++i) squares += std::pow(x[i] - means[c * d + i], 2);
    return -squares / (2 * variance);
  };
  double largest = exponent(0);
  for (std::size_t c = 1; c < weights.size(); ++c) largest = std::max(largest, exponent(c));
  double sum = 0;
  std::fill(score.begin(), score.end(), 0.0);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const double share = weights[c] * std::exp(exponent(c) - largest);
    sum += share;
    for (std::size_t i = 0; i < d; ++i) score[i] += share * (means[c * d + i] - x[i]);
  }
  for (double& value : score) value /= sum * variance;
}

double GaussianMixture::MeanSine(std::span<const double> frequency) const {
  // For one Gaussian: exp(-deviation^2 |w|^2 / 2) sin(w . mean).
  double mean = 0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const std::span<const double> centre(means.data() + c * frequency.size(), frequency.size());
    mean += weights[c] * std::sin(Dot(frequency, centre));
  }
  return mean * std::exp(-deviation * deviation * Dot(frequency, frequency) / 2);
}

double SteinKernel(std::span<const double> x, std::span<const double> x_score,
                   std::span<const double> y, std::span<const double> y_score, double length) {
  // With r = x - y: grad_x k = -r / length^2 k = -grad_y k.
  double squares = 0, along = 0, product = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double r = x[i] - y[i];
    squares += r * r;
    along += r * (x_score[i] - y_score[i]);
    product += x_score[i] * y_score[i];
  }
  const double precision = 1 / (length * length);
  return std::exp(-0.5 * precision * squares) *
         (precision * (static_cast<double>(x.size()) - precision * squares + along) + product);
}

std::vector<double> ControlFunctionalWeights(std::span<const double> points,
                                             std::span<const double> scores, int dimension,
                                             int fitted, double length, double regularisation) {
  const auto d = static_cast<std::size_t>(dimension), m = static_cast<std::size_t>(fitted);
  const std::size_t n = points.size() / d;
  RHUMB_CHECK(points.size() == n * d && scores.size() == n * d && m >= 1 && m < n,
              "{} numbers, {} scores, {} fitted points", points.size(), scores.size(), fitted);
  const auto kernel = [&](std::size_t i, std::size_t j) {
    return SteinKernel(points.subspan(i * d, d), scores.subspan(i * d, d), points.subspan(j * d, d),
                       scores.subspan(j * d, d), length);
  };
  // K0 + lambda m I, and the column means of K10 over the other points.
  Eigen::MatrixXd ridge(fitted, fitted);
  Eigen::VectorXd cross = Eigen::VectorXd::Zero(fitted);
  const double corrections = static_cast<double>(n - m);
  for (std::size_t j = 0; j < m; ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    for (std::size_t i = j; i < m; ++i) ridge(static_cast<Eigen::Index>(i), column) = kernel(i, j);
    ridge(column, column) += regularisation * fitted;
    for (std::size_t i = m; i < n; ++i) cross(column) += kernel(i, j) / corrections;
  }
  // With A the inverse of the ridge, a = A 1 and c the means, the lemma's estimate is
  //   mean(f1) - c^T A f0 + (c^T a) (a^T f0) / (1^T a)
  const Eigen::LDLT<Eigen::MatrixXd, Eigen::Lower> inverse(ridge);
  const Eigen::VectorXd a = inverse.solve(Eigen::VectorXd::Ones(fitted));
  const Eigen::VectorXd first = a * (cross.dot(a) / a.sum()) - inverse.solve(cross);
  std::vector<double> weights(n, 1 / corrections);
  std::copy(first.begin(), first.end(), weights.begin());
  return weights;
}

ControlFunctionalReport MeasureControlFunctionals(const ControlFunctionalConfig& config,
                                                  std::uint64_t seed, int threads) {
  if (config.sizes.empty()) Fail("sizes is empty; give at least one sample size");
  ControlFunctionalReport report;
  report.config = config;
  core::ThreadPool pool(std::min(threads, config.repeats));
  std::vector<Estimates> estimates(static_cast<std::size_t>(config.repeats));
  for (const char* name : {"gaussian", "mixture"}) {
    for (const int dimension : {1, 2}) {
      const GaussianMixture density = MakeDensity(name, dimension);
      const std::vector<double> frequency(static_cast<std::size_t>(dimension),
                                          std::numbers::pi / dimension);
      EstimatorCase& own = report.cases.emplace_back();
      own.density = name;
      own.dimension = dimension;
      own.truth = density.MeanSine(frequency);
      std::vector<double> monte_carlo, control_functional;
      for (const int size : config.sizes) {
        pool.ParallelFor(config.repeats, [&](std::int64_t repeat, int) {
          // Both densities use the same draws; otherwise no draw is used twice.
          core::Stream noise(seed, core::Purpose::kBenchmark, static_cast<std::uint32_t>(dimension),
                             static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(repeat));
          estimates[static_cast<std::size_t>(repeat)] =
              Estimate(density, frequency, size, config, noise);
        });
        Estimates squares;
        for (const Estimates& one : estimates) {
          squares.monte_carlo += std::pow(one.monte_carlo - own.truth, 2);
          squares.control_functional += std::pow(one.control_functional - own.truth, 2);
        }
        monte_carlo.push_back(std::sqrt(squares.monte_carlo / config.repeats));
        control_functional.push_back(std::sqrt(squares.control_functional / config.repeats));
        own.rows.push_back({size, monte_carlo.back(), control_functional.back()});
      }
      own.monte_carlo_rate = MeasureRate(config.sizes, monte_carlo);
      own.control_functional_rate = MeasureRate(config.sizes, control_functional);
    }
  }
  return report;
}

json ToJson(const ControlFunctionalReport& report) {
  json cases = json::array();
  for (const EstimatorCase& own : report.cases) {
    json rows = json::array();
    for (const EstimatorRow& row : own.rows) {
      rows.push_back({{"size", row.size},
                      {"monte_carlo", row.monte_carlo},
                      {"control_functional", row.control_functional}});
    }
    cases.push_back({{"density", own.density},
                     {"dimension", own.dimension},
                     {"truth", own.truth},
                     {"rows", rows},
                     {"monte_carlo_rate", own.monte_carlo_rate},
                     {"control_functional_rate", own.control_functional_rate}});
  }
  return {{"config", core::ToJson(report.config)}, {"cases", cases}};
}

}  // namespace rhumb::eval
