#include "rhumb/steer/forecaster.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "rhumb/core/error.h"
#include "rhumb/core/math/conservative_rank.h"
#include "rhumb/core/math/normal_quantile.h"

namespace rhumb::steer {
namespace {

constexpr std::size_t kMaxObjectives = 64;  // size of a gradient on the stack

const net::Grounding* FindGrounding(const net::Model& model, net::RolloutMode mode,
                                    std::string_view source) {
  if (source == "labels") return nullptr;
  const auto& grounding = model.grounded[static_cast<std::size_t>(mode)];
  if (grounding && grounding->rolled_out.count() > 0) return &*grounding;
  if (source == "grounded") {
    Fail(
        "the model is not grounded for {} actions: run `rhumb model ground` first, or steer with "
        "heads=labels",
        net::NameOf(mode));
  }
  return nullptr;
}

double Square(double x) { return x * x; }

// Assumed where single episodes do not tell the noise, in standard deviations of the label.
constexpr double kUnknownNoise = 0.1;
// Rows that calibrate the forecast; more would only take longer to load.
constexpr int kCalibrationRows = 1000;

}  // namespace

Forecaster::Forecaster(const net::Model& model, net::RolloutMode mode, std::string_view source)
    : model_(model),
      grounding_(FindGrounding(model, mode, source)),
      metric_(model.decoder.joint_code) {
  if (static_cast<std::size_t>(objectives()) > kMaxObjectives) {
    Fail("the model has {} objectives; steering takes at most {}", objectives(), kMaxObjectives);
  }
  scales_.assign(static_cast<std::size_t>(objectives()), 1.0);
  if (!has_rollouts()) return;
  evidence_.emplace(MakeEvidence());
  Calibrate();
  MeasureRanges();
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
    const double usual =
        sorted.empty() ? Square(unit * kUnknownNoise) : sorted[(sorted.size() - 1) / 2];
    for (std::size_t i = k; i < variances.size(); i += count) {
      const double between = variances[i] > 0 ? variances[i] : usual;
      variances[i] = std::max((between + usual) / 2, 1e-12 * unit * unit);
    }
  }
  return variances;
}

LocalEvidence Forecaster::MakeEvidence() const {
  const net::CodeTable& table = grounding_->rolled_out;
  std::vector<double> label_stds;
  for (int k = 0; k < objectives(); ++k) label_stds.push_back(LabelStd(k));
  return LocalEvidence(table.codes, metric_, {table.values.begin(), table.values.end()},
                       MeasureNoiseVariances(), label_stds);
}

void Forecaster::MeasureRanges() {
  constexpr double kBeyond = 0.05;
  const net::CodeTable& table = grounding_->rolled_out;
  for (int k = 0; k < objectives(); ++k) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (int row = 0; row < table.count(); ++row) {
      const double value = table.values_of(row)[static_cast<std::size_t>(k)];
      low = std::min(low, value);
      high = std::max(high, value);
    }
    const double beyond = kBeyond * std::max(high - low, LabelStd(k));
    lowest_.push_back(low - beyond);
    highest_.push_back(high + beyond);
  }
}

bool Forecaster::IsCredible(const steer::Forecast& forecast,
                            std::span<const int> objectives) const {
  if (!has_rollouts()) return true;
  return std::all_of(objectives.begin(), objectives.end(), [&](int objective) {
    const auto k = static_cast<std::size_t>(objective);
    return forecast.values[k] >= lowest_[k] && forecast.values[k] <= highest_[k];
  });
}

void Forecaster::Calibrate() {
  const auto count = static_cast<std::size_t>(objectives());
  residuals_.resize(count);
  squared_errors_.assign(count, 0.0);
  const net::CodeTable& table = grounding_->rolled_out;
  const int rows = std::min(table.count(), kCalibrationRows);
  std::vector<double> values(count), stds(count), point(static_cast<std::size_t>(metric_.size()));
  LocalEvidence::Patch patch(*evidence_);
  for (int i = 0; i < rows && table.count() > 1; ++i) {
    const auto row = static_cast<int>(std::int64_t{i} * table.count() / rows);
    const std::span<const float> code = table.code(row);
    metric_.Apply(std::vector<double>(code.begin(), code.end()), point);
    evidence_->Settle(point, patch, row);
    evidence_->Forecast(point, patch, values, stds);
    for (std::size_t k = 0; k < count; ++k) {
      const double error = table.values_of(row)[k] - values[k];
      residuals_[k].push_back(error / stds[k]);
      squared_errors_[k] += Square(error / LabelStd(static_cast<int>(k))) / rows;
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    std::sort(residuals_[k].begin(), residuals_[k].end());
    const double half =
        (Quantile(static_cast<int>(k), 0.84) - Quantile(static_cast<int>(k), 0.16)) / 2;
    if (!(half > 0)) continue;
    scales_[k] = half;
    for (double& residual : residuals_[k]) residual /= half;
  }
}

double Forecaster::ToUnits(int objective, double head) const {
  const net::ModelObjective& one =
      model_.description.objectives[static_cast<std::size_t>(objective)];
  return one.mean + one.std * head;
}

double Forecaster::LabelStd(int objective) const {
  return model_.description.objectives[static_cast<std::size_t>(objective)].std;
}

std::vector<Forecast> Forecaster::Predict(std::span<const float> codes,
                                          std::span<const int> wanted) const {
  const auto width = static_cast<std::size_t>(code_size());
  const auto count = static_cast<std::size_t>(objectives());
  Path path(*this, wanted);
  std::vector<Forecast> forecasts;
  for (std::size_t begin = 0; begin < codes.size(); begin += width) {
    const std::span<const float> code = codes.subspan(begin, width);
    Forecast& forecast = forecasts.emplace_back();
    for (auto* numbers : {&forecast.values, &forecast.stds, &forecast.noise}) {
      numbers->resize(count);
    }
    const std::vector<double> point(code.begin(), code.end());
    path.Forecast(point, Path::Look::kEverywhere, forecast.values, forecast.stds, forecast.noise);
    if (has_rollouts()) forecast.distance = path.FindNearest(point).distance;
  }
  return forecasts;
}

Forecaster::Path::Path(const Forecaster& forecaster, std::span<const int> objectives)
    : forecaster_(forecaster) {
  if (forecaster.evidence_) {
    patch_.emplace(*forecaster.evidence_, objectives);
    coordinates_.resize(static_cast<std::size_t>(forecaster.metric_.size()));
    slope_.resize(coordinates_.size());
  }
}

void Forecaster::Path::Forecast(std::span<const double> code, Look look, std::span<double> values,
                                std::span<double> stds, std::span<double> noise) {
  const auto count = static_cast<std::size_t>(forecaster_.objectives());
  std::fill(stds.begin(), stds.end(), 0.0);
  std::fill(noise.begin(), noise.end(), 0.0);
  if (patch_) {
    const LocalEvidence& evidence = *forecaster_.evidence_;
    forecaster_.metric_.Apply(code, coordinates_);
    if (!patch_->is_settled() || look == Look::kEverywhere) {
      evidence.Settle(coordinates_, *patch_);
    } else if (look == Look::kAround) {
      evidence.Follow(coordinates_, *patch_);
    }
    evidence.Forecast(coordinates_, *patch_, values, stds, noise);
  } else {
    const net::LinearHeads& heads = forecaster_.model_.heads;
    for (std::size_t k = 0; k < count; ++k) {
      const float* weights = heads.weights.data() + k * code.size();
      const double head =
          std::inner_product(code.begin(), code.end(), weights, double{heads.bias[k]});
      values[k] = forecaster_.ToUnits(static_cast<int>(k), head);
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    stds[k] *= forecaster_.scales_[k];
    // A mean of several episodes varies less than they do.
    if (!noise.empty()) noise[k] *= std::sqrt(forecaster_.episodes());
  }
}

NeighbourTable::Nearest Forecaster::Path::FindNearest(std::span<const double> code) {
  forecaster_.metric_.Apply(code, coordinates_);
  return LocalEvidence::FindNearest(coordinates_, *patch_);
}

void Forecaster::Path::Pullback(std::span<const double> cotangents, std::span<double> gradient) {
  if (patch_) {
    forecaster_.evidence_->Pullback(*patch_, cotangents, slope_);
    forecaster_.metric_.Pullback(slope_, gradient);
    return;
  }
  std::fill(gradient.begin(), gradient.end(), 0.0);
  const net::LinearHeads& heads = forecaster_.model_.heads;
  for (std::size_t k = 0; k < cotangents.size(); ++k) {
    const double factor = cotangents[k] * forecaster_.LabelStd(static_cast<int>(k));
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      gradient[i] += factor * heads.weights[k * gradient.size() + i];
    }
  }
}

std::span<const float> Forecaster::known_codes() const {
  return has_rollouts() ? grounding_->rolled_out.codes : model_.training.codes;
}

double Forecaster::MeanSquaredError(int objective) const {
  return squared_errors_[static_cast<std::size_t>(objective)];
}

// The rank is conservative: ceil(level (R + 1)) for upper bounds, floor for lower ones.
double Forecaster::Quantile(int objective, double level) const {
  if (!has_rollouts()) return 0;
  const std::vector<double>& residuals = residuals_[static_cast<std::size_t>(objective)];
  if (residuals.empty()) return core::NormalQuantile(level);
  const auto count = static_cast<double>(residuals.size());
  const double outermost = count / (count + 1);
  const double inside = std::clamp(level, 1 - outermost, outermost);
  const auto at = [&](double share) {
    return residuals[core::ConservativeRank(residuals.size(), share)];
  };
  const double residual = at(inside);
  if (inside == level || count < 2) return residual;
  const double farther = core::NormalQuantile(level) / core::NormalQuantile(inside);
  return at(0.5) + (residual - at(0.5)) * std::max(1.0, farther);
}

double Forecaster::TailScale(int objective) const {
  if (!has_rollouts()) return 1;
  constexpr double kLevel = 0.95;
  return (Quantile(objective, kLevel) - Quantile(objective, 1 - kLevel)) /
         (2 * core::NormalQuantile(kLevel));
}

std::vector<Interval> Forecaster::IntervalsOf(const Forecast& forecast, double level) const {
  std::vector<Interval> intervals;
  for (int k = 0; has_rollouts() && k < objectives(); ++k) {
    const double value = forecast.values[static_cast<std::size_t>(k)];
    const double std = forecast.stds[static_cast<std::size_t>(k)];
    intervals.push_back(
        {value + Quantile(k, (1 - level) / 2) * std, value + Quantile(k, (1 + level) / 2) * std});
  }
  return intervals;
}

double Forecaster::StdOf(const QueryExpression& expression, std::span<const double> values,
                         std::span<const double> stds) const {
  double slopes[kMaxObjectives] = {};
  const auto count = static_cast<std::size_t>(objectives());
  expression.AddGradient(values, 1, std::span(slopes, count));
  double variance = 0;
  for (std::size_t k = 0; k < count; ++k) variance += Square(slopes[k] * stds[k]);
  return std::sqrt(variance);
}

// The expression misses its forecast by at most the sum of the objectives' contributions.
double Forecaster::Margin(const Bound& bound, std::span<const double> values,
                          std::span<const double> stds, double level) const {
  if (level <= 0 || bound.firm || !has_rollouts()) return 0;
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
    margin += std::max(0.0, slopes[k] * residual * stds[k]);
  }
  return margin;
}

}  // namespace rhumb::steer
