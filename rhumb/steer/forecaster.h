// Forecasts the values of a code's rollouts, and their uncertainty.
//
//   value_k, s_k: by the rollouts of nearby codes (LocalEvidence), s_k times c_k
//   without rollouts: mean_k + std_k v_k(h), by the heads
//
// The realised mean of `episodes` episodes lies at or below value_k + Quantile(k, level) s_k in a
// share `level` of cases. The quantiles and c_k come from rolled-out codes, each forecast without
// its own rollouts. Steering descends the heads' gradient, and measures where it is by the
// rollouts.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/net/value_function.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/map/code_metric.h"
#include "rhumb/steer/map/local_evidence.h"
#include "rhumb/steer/problem.h"

namespace rhumb::steer {

// The forecast of one code, in the objectives' units.
struct Forecast {
  std::vector<double> values;  // [K]
  std::vector<double> stds;    // [K]: of the realised mean around the value; 0 if uncalibrated
  std::vector<double> noise;   // [K]: between single episodes; 0 if unknown
};

// Constant after construction, and then thread-safe. The model must outlive it.
class Forecaster {
 public:
  // `heads` is "grounded", "labels", or "auto", which prefers grounded heads if the model has
  // them. Throws Error if the model lacks the requested heads.
  Forecaster(const net::Model& model, net::RolloutMode mode, std::string_view heads);
  Forecaster(const Forecaster&) = delete;
  Forecaster& operator=(const Forecaster&) = delete;

  const net::ValueFunction& function() const { return function_; }
  const CodeMetric& metric() const { return metric_; }
  int objectives() const { return function_.objectives(); }
  int code_size() const { return function_.code_size(); }
  // True for heads fitted to rollouts; only those have known errors.
  bool calibrated() const { return grounding_ != nullptr; }
  int episodes() const { return calibrated() ? grounding_->heads.episodes : 0; }

  // Converts a head's output, in standard deviations of the labels.
  double ToUnits(int objective, double head) const;
  double LabelStd(int objective) const;  // one unit of a head, in the objective's unit

  // Forecasts codes [rows, H] with any number of rows.
  std::vector<Forecast> Predict(std::span<const float> codes) const;
  // Turns the heads' values [K] of one code, in the objectives' units, and the spread [K] of the
  // ensemble, in its own unit, into a forecast: replaces the values by those of the rollouts, if
  // there are any, and fills stds [K] and, unless empty, noise [K]. Allocates nothing.
  void Correct(std::span<const float> code, std::span<const float> spread, std::span<double> values,
               std::span<double> stds, std::span<double> noise = {}) const;
  // The codes whose behaviour is known: those rolled out for these heads, or else the training
  // codes.
  std::span<const float> known_codes() const;
  bool has_rollouts() const { return evidence_.has_value(); }
  // The rollouts behind the forecasts; null if there are none.
  const net::CodeTable* rollouts() const {
    return has_rollouts() ? &grounding_->rolled_out : nullptr;
  }

  // Returns the residual, in units of Forecast::stds, that a share `level` of cases does not
  // exceed. Beyond the outermost residual, the tail is normal. Returns 0 if uncalibrated.
  double Quantile(int objective, double level) const;
  // Returns the central interval of every objective's realised mean, [K]; empty if uncalibrated.
  std::vector<Interval> IntervalsOf(const Forecast& forecast, double level) const;
  // Returns the standard deviation of the expression's realised value around its forecast.
  double StdOf(const QueryExpression& expression, std::span<const double> values,
               std::span<const double> stds) const;
  // Returns the margin, in the expression's unit, that makes a bound hold with probability
  // `level`. Returns 0 for a firm bound.
  double Margin(const Bound& bound, std::span<const double> values, std::span<const double> stds,
                double level) const;

 private:
  std::vector<Forecast> PredictByHeads(std::span<const float> codes,
                                       std::vector<float>& spread) const;
  // Returns the variance of each rolled-out code's mean over episodes: [N, K].
  std::vector<double> MeasureNoiseVariances() const;
  LocalEvidence MakeEvidence() const;
  // Fills residuals_ and scales_.
  void Calibrate();

  const net::Model& model_;
  const net::Grounding* grounding_ = nullptr;  // null for label heads
  CodeMetric metric_;
  net::ValueFunction function_;
  std::optional<LocalEvidence> evidence_;
  std::vector<double> scales_;                  // [K]: c_k
  std::vector<std::vector<double>> residuals_;  // [K]: ascending, in units of Forecast::stds
};

}  // namespace rhumb::steer
