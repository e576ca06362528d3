// Control functionals against Monte Carlo: how fast each estimates the mean of a function under a
// density with a known score (the paper's appendix "Definitions"; Oates et al. 2017, lemma 3).
//
//   N points of p, the first m for the surrogate -> Stein kernel k0 -> weights that sum to one and
//   do not depend on f -> sum_n w_n f(x_n), compared with the plain mean; over many repeats and
//   sizes N -> root mean square errors -> rates r in error ~ N^r
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "rhumb/core/math/random.h"
#include "rhumb/core/process/config.h"

namespace rhumb::eval {

// A mixture of C isotropic Gaussians with one standard deviation in d dimensions.
struct GaussianMixture {
  int dimension = 1;            // d
  std::vector<double> weights;  // [C], sum 1
  std::vector<double> means;    // [C, d]
  double deviation = 1;

  // Draws a point x [d].
  void Draw(core::Stream& noise, std::span<double> x) const;
  // The gradient of the log density: x [d] -> score [d].
  void Score(std::span<const double> x, std::span<double> score) const;
  // The mean of sin(frequency . x); frequency [d].
  double MeanSine(std::span<const double> frequency) const;
};

// k0(x, y) = div_x div_y k + grad_x k . u(y) + grad_y k . u(x) + k u(x) . u(y) for the base kernel
// k = exp(-|x - y|^2 / (2 length^2)) and scores u. Its mean over x is 0 for every y. All arguments
// are [d].
double SteinKernel(std::span<const double> x, std::span<const double> x_score,
                   std::span<const double> y, std::span<const double> y_score, double length);

// points and scores [N, d] -> weights [N]. Ridge regression fits the surrogate to the first
// `fitted` points, and the other points correct it. Both parts need at least one point.
std::vector<double> ControlFunctionalWeights(std::span<const double> points,
                                             std::span<const double> scores, int dimension,
                                             int fitted, double length, double regularisation);

struct ControlFunctionalConfig {
  std::vector<int> sizes = {16, 32, 64, 128, 256, 512};
  int repeats = 200;
  double fitted_share = 0.5;
  // With a larger length the surrogate of the mixture oscillates between its points. At length 1
  // and ridge 1e-9 it is worse than Monte Carlo.
  double length = 0.5;
  double regularisation = 1e-6;

  void Visit(core::FieldVisitor& v) {
    v("sizes", sizes, core::Range{4, 8192, "points"}, "sample sizes N");
    v("repeats", repeats, core::Range{2, 1e6}, "estimates per size");
    v("fitted_share", fitted_share, core::Range{0.01, 0.99},
      "share of the points used to fit the surrogate");
    v("length", length, core::Range{1e-3, 1e3}, "length scale of the base kernel");
    v("regularisation", regularisation, core::Range{1e-14, 1},
      "lambda: the ridge is lambda times the number of fitted points");
  }
};

// Root mean square errors for one sample size.
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

// Throws an Error if there are no sizes.
ControlFunctionalReport MeasureControlFunctionals(const ControlFunctionalConfig& config,
                                                  std::uint64_t seed, int threads);

// Missing values are written as null.
nlohmann::json ToJson(const ControlFunctionalReport& report);

}  // namespace rhumb::eval
