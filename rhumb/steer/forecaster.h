// Forecasts the values of a code's rollouts, and their uncertainty.
//
//   value_k = mean_k + std_k v_k(h), corrected by the rollouts of nearby codes
//
// The realised mean of `episodes` episodes lies at or below value_k + Quantile(k, level) s_k in a
// share `level` of cases. The quantiles come from codes that the heads had not seen. s_k is the
// heads' own standard deviation.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/net/value_function.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/map/local_evidence.h"
#include "rhumb/steer/problem.h"

namespace rhumb::steer {

// The forecast of one code, in the objectives' units.
struct Forecast {
  std::vector<double> values;     // [K]
  std::vector<double> head_stds;  // [K]: the unit of the residual quantiles; 0 if uncalibrated
  std::vector<double> stds;       // [K]: of the realised mean around the value; 0 if uncalibrated
};

// Constant after construction, and then thread-safe. The model must outlive it.
class Forecaster {
 public:
  // `heads` is "grounded", "labels", or "auto", which prefers grounded heads if the model has
  // them. Throws Error if the model lacks the requested heads.
  Forecaster(const net::Model& model, net::RolloutMode mode, std::string_view heads);

  const net::ValueFunction& function() const { return function_; }
  int objectives() const { return function_.objectives(); }
  int code_size() const { return function_.code_size(); }
  // True for heads fitted to rollouts; only those have known errors.
  bool calibrated() const { return grounding_ != nullptr; }
  int episodes() const { return calibrated() ? grounding_->heads.episodes : 0; }

  // Converts a head's output, in standard deviations of the labels.
  double ToUnits(int objective, double head) const;
  double LabelStd(int objective) const;  // one unit of a head, in the objective's unit
  // Converts the standard deviation between the heads of an ensemble.
  double HeadStd(int objective, double ensemble_std) const;

  // Forecasts from the heads alone, for codes [rows, H] with any number of rows.
  std::vector<Forecast> PredictByHeads(std::span<const float> codes) const;
  // Also corrects by LocalEvidence if codes were rolled out.
  std::vector<Forecast> Predict(std::span<const float> codes) const;
  // Corrects one code's values [K] and, unless empty, their standard deviations [K]. Leaves
  // head_stds unchanged: the best of many codes is partly lucky, and an interval must allow for
  // that.
  void Correct(std::span<const float> code, std::span<double> values,
               std::span<double> stds = {}) const;
  // Codes rolled out for these heads; may be empty.
  std::span<const float> rolled_out_codes() const;

  // Returns the residual, in units of head_stds, that a share `level` of cases does not exceed.
  // Beyond the outermost residual, the tail is normal. Returns 0 if uncalibrated.
  double Quantile(int objective, double level) const;
  // Returns the central interval of every objective's realised mean, [K]; empty if uncalibrated.
  std::vector<Interval> IntervalsOf(const Forecast& forecast, double level) const;
  // Returns the standard deviation of the expression's realised value around its forecast.
  double StdOf(const QueryExpression& expression, const Forecast& forecast) const;
  // Returns the margin, in the expression's unit, that makes a bound hold with probability
  // `level`. Returns 0 for a firm bound.
  double Margin(const Bound& bound, std::span<const double> values,
                std::span<const double> head_stds, double level) const;

 private:
  // Returns the variance of each rolled-out code's mean over episodes: [N, K].
  std::vector<double> MeasureNoiseVariances() const;
  LocalEvidence MakeEvidence() const;

  const net::Model& model_;
  const net::Grounding* grounding_ = nullptr;  // null for label heads
  net::ValueFunction function_;
  std::optional<LocalEvidence> evidence_;
  // [K]: half the width of the central 68 % of the residuals; the fallback without evidence.
  std::vector<double> residual_stds_;
};

}  // namespace rhumb::steer
