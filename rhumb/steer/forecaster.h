// What is expected of a code when it is rolled out, and how sure that is.
//
//   value_k = mean_k + std_k v_k(h), corrected by what codes nearby gave
//   The realised mean of `episodes` episodes lies at or below value_k + Quantile(k, level) s_k in a
//   share `level` of cases, as it did on codes that the heads had not seen. s_k is the heads' own
//   standard deviation.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/net/value_function.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/local_evidence.h"
#include "rhumb/steer/problem.h"

namespace rhumb::steer {

// Of one code, in the objectives' units.
struct Forecast {
  std::vector<double> values;     // [K]
  std::vector<double> head_stds;  // [K]: the unit of the residual quantiles; 0 where uncalibrated
  std::vector<double> stds;       // [K], of the realised mean around the value; likewise
};

// Constant after construction, and then thread-safe. The model outlives it.
class Forecaster {
 public:
  // `heads`: "grounded", "labels", or "auto" for the first where the model has them. An Error where
  // it has not.
  Forecaster(const net::Model& model, net::RolloutMode mode, std::string_view heads);

  const net::ValueFunction& function() const { return function_; }
  int objectives() const { return function_.objectives(); }
  int code_size() const { return function_.code_size(); }
  // Only heads that were fitted to roll-outs know how far they are off.
  bool calibrated() const { return grounding_ != nullptr; }
  int episodes() const { return calibrated() ? grounding_->heads.episodes : 0; }

  // From what the heads say, in standard deviations of the labels.
  double ToUnits(int objective, double head) const;
  double LabelStd(int objective) const;  // what 1 of a head is, in the objective's unit
  // From the standard deviation between the heads of an ensemble.
  double HeadStd(int objective, double ensemble_std) const;

  // What the heads say alone; codes [rows, H], of any number.
  std::vector<Forecast> PredictByHeads(std::span<const float> codes) const;
  // Corrected by LocalEvidence, where codes were rolled out.
  std::vector<Forecast> Predict(std::span<const float> codes) const;
  // Corrects one code's values [K] and, where asked for, their standard deviations [K]. Those of
  // the heads stay: the best of many codes is partly lucky, and an interval has to allow for that.
  void Correct(std::span<const float> code, std::span<double> values,
               std::span<double> stds = {}) const;
  // Those that were rolled out for these heads; empty where there are none.
  std::span<const float> rolled_out_codes() const;

  // The residual, in units of head_stds, that a share `level` of cases lies at or below. Beyond the
  // outermost residual, the tail is that of a normal distribution. 0 where uncalibrated.
  double Quantile(int objective, double level) const;
  // Central, of the objective's realised mean.
  Interval IntervalOf(int objective, const Forecast& forecast, double level) const;
  // Of every objective, [K]; empty where uncalibrated.
  std::vector<Interval> IntervalsOf(const Forecast& forecast, double level) const;
  // The standard deviation of the expression's realised value around its forecast.
  double StdOf(const QueryExpression& expression, const Forecast& forecast) const;
  // By how much a bound must be met, in its expression's unit, for a probability `level`; 0 for a
  // firm one.
  double Margin(const Bound& bound, std::span<const double> values,
                std::span<const double> head_stds, double level) const;

 private:
  // The variance of the mean of each rolled-out code's episodes: [N, K].
  std::vector<double> MeasureNoiseVariances() const;
  LocalEvidence MakeEvidence() const;

  const net::Model& model_;
  const net::Grounding* grounding_ = nullptr;  // null: by the labels
  net::ValueFunction function_;
  std::optional<LocalEvidence> evidence_;
  // [K]: half the width of the central 68 % of the residuals; used where no evidence says more.
  std::vector<double> residual_stds_;
};

}  // namespace rhumb::steer
