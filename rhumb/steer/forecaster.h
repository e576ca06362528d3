// Forecasts the values of a code's rollouts, and their uncertainty.
//
//   value_k, s_k: by the rollouts of nearby codes (LocalEvidence), s_k times c_k
//   without rollouts: mean_k + std_k v_k(h), by the heads
//
// The realised mean of `episodes` episodes lies at or below value_k + Quantile(k, level) s_k in a
// share `level` of cases. The quantiles and c_k come from rolled-out codes, each forecast without
// its own rollouts.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rhumb/net/model.h"
#include "rhumb/steer/answer.h"
#include "rhumb/steer/map/code_metric.h"
#include "rhumb/steer/map/local_evidence.h"
#include "rhumb/steer/problem.h"

namespace rhumb::steer {

// The forecast of one code, in the objectives' units.
struct Forecast {
  std::vector<double> values;      // [K]
  std::vector<double> stds;        // [K]: of the realised mean around the value; 0 without rollouts
  std::vector<double> noise;       // [K]: between single episodes; 0 if unknown
  std::optional<double> distance;  // to the nearest code rolled out, in the metric
};

// Constant after construction, and then thread-safe. The model must outlive it.
class Forecaster {
 public:
  // `source` is "grounded", by rollouts; "labels", by the heads; or "auto", which prefers rollouts
  // if the model has them. Throws Error if the model lacks what is asked for.
  Forecaster(const net::Model& model, net::RolloutMode mode, std::string_view source);
  Forecaster(const Forecaster&) = delete;
  Forecaster& operator=(const Forecaster&) = delete;

  // Forecasts codes that move: keeps what it knows of the place of each. One thread's workspace.
  class Path;

  const CodeMetric& metric() const { return metric_; }
  int objectives() const { return static_cast<int>(model_.description.objectives.size()); }
  int code_size() const { return model_.code_size(); }
  // Only forecasts by rollouts have known errors.
  bool has_rollouts() const { return grounding_ != nullptr; }
  int episodes() const { return has_rollouts() ? grounding_->episodes : 0; }

  // Converts a head's output, in standard deviations of the labels.
  double ToUnits(int objective, double head) const;
  double LabelStd(int objective) const;  // one unit of a head, in the objective's unit

  // Forecasts codes [rows, H] with any number of rows. With rollouts, only these objectives are
  // forecast, and the others are 0; all if empty.
  std::vector<Forecast> Predict(std::span<const float> codes,
                                std::span<const int> wanted = {}) const;
  // The codes whose behaviour is known: those rolled out, or else the training codes.
  std::span<const float> known_codes() const;
  // The rollouts behind the forecasts; null if there are none.
  const net::CodeTable* rollouts() const {
    return has_rollouts() ? &grounding_->rolled_out : nullptr;
  }

  // Returns whether the values of these objectives lie within what rollouts gave, and a twentieth
  // of that range beyond. Next to a cliff, where some codes fall, a forecast may lie far outside.
  // Always true without rollouts.
  bool IsCredible(const Forecast& forecast, std::span<const int> objectives) const;

  // Returns the mean squared error of the forecasts of rolled-out codes, each without its own
  // rollouts, in variances of the labels. Needs rollouts.
  double MeanSquaredError(int objective) const;
  // Returns the residual, in units of Forecast::stds, that a share `level` of cases does not
  // exceed. Beyond the outermost residual, the tail is normal. Returns 0 without rollouts.
  double Quantile(int objective, double level) const;
  // Returns how much wider the residuals are, between their 5 % and 95 % quantiles, than those of
  // a normal with the deviation Forecast::stds. 1 without rollouts.
  double TailScale(int objective) const;
  // Returns the central interval of every objective's realised mean, [K]; empty without rollouts.
  std::vector<Interval> IntervalsOf(const Forecast& forecast, double level) const;
  // Returns the standard deviation of the expression's realised value around its forecast.
  double StdOf(const QueryExpression& expression, std::span<const double> values,
               std::span<const double> stds) const;
  // Returns the margin, in the expression's unit, that makes a bound hold with probability
  // `level`. Returns 0 for a firm bound.
  double Margin(const Bound& bound, std::span<const double> values, std::span<const double> stds,
                double level) const;

 private:
  // Returns the variance of each rolled-out code's mean over episodes: [N, K].
  std::vector<double> MeasureNoiseVariances() const;
  LocalEvidence MakeEvidence() const;
  // Fills residuals_, scales_ and squared_errors_.
  void Calibrate();
  // Fills lowest_ and highest_.
  void MeasureRanges();

  const net::Model& model_;
  const net::Grounding* grounding_ = nullptr;  // null: by the heads
  CodeMetric metric_;
  std::optional<LocalEvidence> evidence_;       // if there are rollouts
  std::vector<double> scales_;                  // [K]: c_k
  std::vector<double> squared_errors_;          // [K]: means
  std::vector<double> lowest_, highest_;        // [K]: credible values, if there are rollouts
  std::vector<std::vector<double>> residuals_;  // [K]: ascending, in units of Forecast::stds
};

class Forecaster::Path {
 public:
  // With rollouts, only these objectives are forecast; all if empty.
  explicit Path(const Forecaster& forecaster, std::span<const int> objectives = {});

  // Where to look for the nearest rolled-out codes: among all, around the last ones, or nowhere
  // because the code has hardly moved.
  enum class Look { kEverywhere, kAround, kNowhere };
  // Forecasts a code [H]: fills values [K], stds [K] and, unless empty, noise [K]. Objectives that
  // are not forecast keep their value, with a standard deviation of 0. The first look is
  // everywhere. Allocates nothing.
  void Forecast(std::span<const double> code, Look look, std::span<double> values,
                std::span<double> stds, std::span<double> noise = {});
  // gradient [H] <- sum_k cotangents_k dvalue_k/dcode, at the code of the last Forecast. Allocates
  // nothing.
  void Pullback(std::span<const double> cotangents, std::span<double> gradient);
  // Returns the one of the nearest rolled-out codes that is nearest to a code [H], and its
  // distance. Needs rollouts. Allocates nothing.
  NeighbourTable::Nearest FindNearest(std::span<const double> code);

 private:
  const Forecaster& forecaster_;
  std::optional<LocalEvidence::Patch> patch_;  // with rollouts
  std::vector<double> coordinates_, slope_;    // [L]
};

}  // namespace rhumb::steer
