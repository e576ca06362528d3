// Control functionals against Monte Carlo: how fast each finds the mean of a function under a
// density whose score is known (the paper's appendix "Definitions"; Oates et al. 2017, lemma 3).
//
//   N points of p, the first m for the surrogate -> Stein kernel k0 -> weights that sum to one and
//   know nothing of f -> sum_n w_n f(x_n), beside the plain mean; over many repeats and sizes N ->
//   root mean square errors -> rates r in error ~ N^r
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/config.h"
#include "rhumb/core/random.h"

namespace rhumb::eval {

// A mixture of C round Gaussians of one deviation in d dimensions.
struct GaussianMixture {
  int dimension = 1;            // d
  std::vector<double> weights;  // [C], sum 1
  std::vector<double> means;    // [C, d]
  double deviation = 1;

  // A point: x [d].
  void Draw(core::Stream& noise, std::span<double> x) const;
  // The gradient of the log density: x [d] -> score [d].
  void Score(std::span<const double> x, std::span<double> score) const;
  // The mean of sin(frequency . x); frequency [d].
  double MeanSine(std::span<const double> frequency) const;
};

// k0(x, y) = div_x div_y k + grad_x k . u(y) + grad_y k . u(x) + k u(x) . u(y) for the base kernel
// k = exp(-|x - y|^2 / (2 length^2)) and scores u. Its mean over x is 0, whatever y. All [d].
double SteinKernel(std::span<const double> x, std::span<const double> x_score,
                   std::span<const double> y, std::span<const double> y_score, double length);

// points and scores [N, d] -> weights [N]. The surrogate is fitted to the first `fitted` points by
// ridge regression, and the others correct it; both parts have at least one point.
std::vector<double> ControlFunctionalWeights(std::span<const double> points,
                                             std::span<const double> scores, int dimension,
                                             int fitted, double length, double regularisation);

struct ControlFunctionalConfig {
  std::vector<double> sizes = {16, 32, 64, 128, 256, 512};
  int repeats = 200;
  double fitted_share = 0.5;
  // Wider, and the surrogate of the mixture swings between its points: at a length of 1 with a
  // ridge of 1e-9 it loses to Monte Carlo.
  double length = 0.5;
  double regularisation = 1e-6;

  void Visit(core::FieldVisitor& v) {
    v("sizes", sizes, core::Range{4, 8192, "points"}, "the sizes N of the samples");
    v("repeats", repeats, core::Range{2, 1e6}, "estimates of each size");
    v("fitted_share", fitted_share, core::Range{0.01, 0.99},
      "share of the points that the surrogate is fitted to");
    v("length", length, core::Range{1e-3, 1e3}, "length scale of the base kernel");
    v("regularisation", regularisation, core::Range{1e-14, 1},
      "lambda: the ridge is lambda times the number of fitted points");
  }
};

// Root mean square errors of one size.
struct EstimatorRow {
  int size = 0;  // N
  double monte_carlo = 0;
  double control_functional = 0;
};

// The mean of sin(pi / d sum_i x_i) under one density.
struct EstimatorCase {
  std::string density;  // "gaussian", "mixture"
  int dimension = 1;    // d
  double truth = 0;
  std::vector<EstimatorRow> rows;  // by size
  double monte_carlo_rate = 0, control_functional_rate = 0;
};

struct ControlFunctionalReport {
  ControlFunctionalConfig config;
  std::vector<EstimatorCase> cases;  // both densities in one and two dimensions
};

// A size that is no whole number is an Error.
ControlFunctionalReport MeasureControlFunctionals(const ControlFunctionalConfig& config,
                                                  std::uint64_t seed, int threads);

// A number that there is none of is null.
nlohmann::json ToJson(const ControlFunctionalReport& report);

}  // namespace rhumb::eval
