#include "rhumb/steer/forecaster.h"

#include <algorithm>
#include <cmath>

#include "rhumb/core/error.h"
#include "rhumb/core/math/normal_quantile.h"

namespace rhumb::steer {
namespace {

constexpr int kMaxRows = 256;               // rows per prediction call
constexpr std::size_t kMaxObjectives = 64;  // size of a gradient on the stack

const net::Grounding* FindGrounding(const net::Model& model, net::RolloutMode mode,
                                    std::string_view heads) {
  if (heads == "labels") return nullptr;
  const auto& grounding = model.grounded[static_cast<std::size_t>(mode)];
  if (grounding) return &*grounding;
  if (heads == "grounded") {
    Fail(
        "the model is not grounded for {} actions: run `rhumb model ground` first, or steer with "
        "heads=labels",
        net::NameOf(mode));
  }
  return nullptr;
}

double Square(double x) { return x * x; }

// Returns the mean squares of residuals [N, K], repeated for each code. A single episode does not
// show its own noise, so the whole residual may be noise.
std::vector<double> MeanSquares(std::span<const double> residuals, std::size_t objectives) {
  std::vector<double> sums(objectives, 0.0), means;
  for (std::size_t i = 0; i < residuals.size(); ++i) sums[i % objectives] += Square(residuals[i]);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    means.push_back(sums[i % objectives] * static_cast<double>(objectives) /
                    static_cast<double>(residuals.size()));
  }
  return means;
}

}  // namespace

Forecaster::Forecaster(const net::Model& model, net::RolloutMode mode, std::string_view heads)
    : model_(model),
      grounding_(FindGrounding(model, mode, heads)),
      function_(grounding_ != nullptr ? net::ValueFunction(grounding_->heads)
                                      : net::ValueFunction(model.heads)) {
  if (static_cast<std::size_t>(objectives()) > kMaxObjectives) {
    Fail("the model has {} objectives; steering takes at most {}", objectives(), kMaxObjectives);
  }
  for (int k = 0; k < objectives(); ++k) {
    residual_stds_.push_back(calibrated() ? (Quantile(k, 0.84) - Quantile(k, 0.16)) / 2 : 0);
  }
  if (calibrated()) evidence_ = MakeEvidence();
}

// A few episodes estimate their own variance badly, so it is averaged with the typical one. The
// typical one is the median, because a few codes that sometimes fall have most of the noise.
std::vector<double> Forecaster::MeasureNoiseVariances() const {
  const net::CodeTable& table = grounding_->rolled_out;
  const auto count = static_cast<std::size_t>(objectives());
  std::vector<double> variances(table.deviations.size()), sorted;
  for (std::size_t k = 0; k < count; ++k) {
    sorted.clear();
    for (std::size_t i = k; i < variances.size(); i += count) {
      variances[i] = Square(table.deviations[i]) / episodes();
      // 0 means a single usable episode or equal ones; both carry too little information.
      if (variances[i] > 0) sorted.push_back(variances[i]);
    }
    std::sort(sorted.begin(), sorted.end());
    const double unit = LabelStd(static_cast<int>(k));
    const double usual = sorted.empty() ? Square(unit * grounding_->heads.noise[k])
                                        : sorted[(sorted.size() - 1) / 2];
    for (std::size_t i = k; i < variances.size(); i += count) {
      const double between = variances[i] > 0 ? variances[i] : usual;
      variances[i] = std::max((between + usual) / 2, 1e-12 * unit * unit);
    }
  }
  return variances;
}

LocalEvidence Forecaster::MakeEvidence() const {
  const net::CodeTable& table = grounding_->rolled_out;
  const auto count = static_cast<std::size_t>(objectives());
  std::vector<double> residuals(table.values.begin(), table.values.end());
  const std::vector<Forecast> forecasts = PredictByHeads(table.codes);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    residuals[i] -= forecasts[i / count].values[i % count];
  }
  std::vector<double> variances =
      episodes() > 1 ? MeasureNoiseVariances() : MeanSquares(residuals, count);
  return LocalEvidence(table.codes, code_size(), std::move(residuals), std::move(variances));
}

double Forecaster::ToUnits(int objective, double head) const {
  const net::ModelObjective& one =
      model_.description.objectives[static_cast<std::size_t>(objective)];
  return one.mean + one.std * head;
}

double Forecaster::LabelStd(int objective) const {
  return model_.description.objectives[static_cast<std::size_t>(objective)].std;
}

double Forecaster::HeadStd(int objective, double ensemble_std) const {
  if (!calibrated()) return 0;
  const auto k = static_cast<std::size_t>(objective);
  return LabelStd(objective) *
         std::sqrt(ensemble_std * ensemble_std + Square(grounding_->heads.noise[k]));
}

std::vector<Forecast> Forecaster::Predict(std::span<const float> codes) const {
  std::vector<Forecast> forecasts = PredictByHeads(codes);
  const auto width = static_cast<std::size_t>(code_size());
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    Correct(codes.subspan(i * width, width), forecasts[i].values, forecasts[i].stds);
  }
  return forecasts;
}

void Forecaster::Correct(std::span<const float> code, std::span<double> values,
                         std::span<double> stds) const {
  if (evidence_) evidence_->Correct(code, values, stds);
}

std::vector<Forecast> Forecaster::PredictByHeads(std::span<const float> codes) const {
  const auto width = static_cast<std::size_t>(code_size());
  const auto count = static_cast<std::size_t>(objectives());
  const std::size_t rows = codes.size() / width;
  std::vector<float> heads(kMaxRows * count), ensemble_stds(heads.size());
  std::vector<float> workspace(function_.workspace_size(kMaxRows));
  std::vector<Forecast> forecasts(rows);
  for (std::size_t begin = 0; begin < rows; begin += kMaxRows) {
    const std::size_t here = std::min<std::size_t>(kMaxRows, rows - begin);
    function_.Evaluate(codes.data() + begin * width, static_cast<int>(here), heads.data(),
                       ensemble_stds.data(), workspace);
    for (std::size_t i = 0; i < here; ++i) {
      Forecast& forecast = forecasts[begin + i];
      for (std::size_t k = 0; k < count; ++k) {
        forecast.values.push_back(ToUnits(static_cast<int>(k), heads[i * count + k]));
        forecast.head_stds.push_back(HeadStd(static_cast<int>(k), ensemble_stds[i * count + k]));
        forecast.stds.push_back(residual_stds_[k] * forecast.head_stds.back());
      }
    }
  }
  return forecasts;
}

std::span<const float> Forecaster::rolled_out_codes() const {
  if (!calibrated()) return {};
  return grounding_->rolled_out.codes;
}

double Forecaster::Quantile(int objective, double level) const {
  if (!calibrated()) return 0;
  const net::HeadEnsemble& heads = grounding_->heads;
  const auto count =
      static_cast<double>(heads.residuals[static_cast<std::size_t>(objective)].size());
  const double outermost = count / (count + 1);
  const double inside = std::clamp(level, 1 - outermost, outermost);
  const double residual = heads.ResidualQuantile(objective, inside);
  if (inside == level || count < 2) return residual;
  const double middle = heads.ResidualQuantile(objective, 0.5);
  const double farther = core::NormalQuantile(level) / core::NormalQuantile(inside);
  return middle + (residual - middle) * std::max(1.0, farther);
}

std::vector<Interval> Forecaster::IntervalsOf(const Forecast& forecast, double level) const {
  std::vector<Interval> intervals;
  for (int k = 0; calibrated() && k < objectives(); ++k) {
    const double value = forecast.values[static_cast<std::size_t>(k)];
    const double head_std = forecast.head_stds[static_cast<std::size_t>(k)];
    intervals.push_back({value + Quantile(k, (1 - level) / 2) * head_std,
                         value + Quantile(k, (1 + level) / 2) * head_std});
  }
  return intervals;
}

double Forecaster::StdOf(const QueryExpression& expression, const Forecast& forecast) const {
  double slopes[kMaxObjectives] = {};
  const auto count = static_cast<std::size_t>(objectives());
  expression.AddGradient(forecast.values, 1, std::span(slopes, count));
  double variance = 0;
  for (std::size_t k = 0; k < count; ++k) {
    variance += Square(slopes[k] * forecast.stds[k]);
  }
  return std::sqrt(variance);
}

// The expression misses its forecast by at most the sum of the objectives' contributions.
double Forecaster::Margin(const Bound& bound, std::span<const double> values,
                          std::span<const double> head_stds, double level) const {
  if (level <= 0 || bound.firm || !calibrated()) return 0;
  double slopes[kMaxObjectives] = {};
  const auto count = static_cast<std::size_t>(objectives());
  bound.expression.AddGradient(values, bound.sign, std::span(slopes, count));
  const auto terms = count - static_cast<std::size_t>(std::count(slopes, slopes + count, 0.0));
  const double each = 1 - (1 - level) / static_cast<double>(terms);
  double margin = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (slopes[k] == 0) continue;
    // If the excess grows with the objective, its upper tail is the risk.
    const double residual = Quantile(static_cast<int>(k), slopes[k] > 0 ? each : 1 - each);
    margin += std::max(0.0, slopes[k] * residual * head_stds[k]);
  }
  return margin;
}

}  // namespace rhumb::steer
