#include "rhumb/steer/descent.h"

#include <algorithm>
#include <cmath>

namespace rhumb::steer {
namespace {

// A start stops when its goals are within this share of their tolerances. This is stricter than
// asked, because the heads' own error comes on top.
constexpr double kStopShare = 0.1;
// Iterates approach bounds from outside, so aim this far inside, in standard deviations.
constexpr double kSlack = 1e-3;
// Keeps a code on the border from falling outside by rounding.
constexpr double kInside = 1 - 1e-4;
// A step below this in every element counts as no step.
constexpr double kHeld = 1e-6;

// Below this loss every goal is within its stop distance.
double StopLoss(const Problem& problem) {
  double limit = kUnbounded;
  for (const Goal& goal : problem.goals) {
    if (!goal.in_loss) continue;
    const double near = kStopShare * goal.tolerance / goal.std;
    limit = std::min(limit, near * near);
  }
  return limit;
}

// A wish, or a goal without `must`, can always improve.
bool CanStopEarly(const Problem& problem) {
  return problem.wishes.empty() && std::all_of(problem.goals.begin(), problem.goals.end(),
                                               [](const Goal& goal) { return goal.must; });
}

}  // namespace

Descent::Descent(const Forecaster& forecaster, const DataManifold& manifold,
                 const SteerOptions& options, double primal_step)
    : forecaster_(forecaster), manifold_(manifold), options_(options), primal_step_(primal_step) {}

void Descent::Prepare(int starts) {
  const auto rows = static_cast<std::size_t>(starts);
  const auto width = static_cast<std::size_t>(forecaster_.code_size());
  const auto count = static_cast<std::size_t>(forecaster_.objectives());
  nearest_.assign(rows, -1);
  codes_.resize(rows * width);
  code_gradients_.resize(rows * width);
  for (std::vector<float>* of_values : {&heads_, &spread_, &cotangents_}) {
    of_values->resize(rows * count);
  }
  values_.resize(rows * count);
  corrections_.assign(rows * count, 0.0);
  stds_.assign(rows * count, 0.0);
  best_scores_.assign(rows, kUnbounded);
  best_points_.resize(rows * width);
  best_iterations_.assign(rows, 0);
  value_gradient_.resize(count);
  offset_.resize(width);
  next_.resize(width);
  workspace_.resize(forecaster_.function().workspace_size(starts));
}

const PrimalDualResult& Descent::Run(const Problem& problem, double confidence,
                                     std::span<const double> starts, const AttemptSettings& attempt,
                                     const PrimalDual::Observer* observe) {
  attempt_ = attempt;
  const int size = forecaster_.code_size();
  Prepare(static_cast<int>(starts.size()) / size);
  iteration_ = 0;
  const bool can_stop = CanStopEarly(problem);
  const double stop_loss = StopLoss(problem);
  const auto evaluate = [&](std::span<const int> start, const double* points, double* losses,
                            double* constraints) {
    Evaluate(problem, confidence, start, points, losses, constraints);
  };
  const auto gradient = [&](std::span<const int> start, const double*, const double* multipliers,
                            double* gradients) {
    Gradient(problem, static_cast<int>(start.size()), multipliers, gradients);
  };
  const auto project = [&](std::span<const int> start, int iteration, const double* points,
                           double* gradients) { Project(start, iteration, points, gradients); };
  const auto accept = [&](double loss, const double* constraints) {
    return can_stop && loss <= stop_loss &&
           std::all_of(constraints, constraints + problem.bounds.size(),
                       [](double c) { return c <= 0; });
  };
  const PrimalDualProblem callables{
      size, static_cast<int>(problem.bounds.size()), evaluate, gradient, project, accept};
  result_ = solver_.Minimise(callables, starts,
                             {.primal_step = primal_step_,
                              .dual_step = options_.dual_step,
                              .penalty = options_.penalty,
                              .iterations = attempt.iterations,
                              .stationary = 1e-6,
                              .feasible = 0},
                             observe);
  if (options_.candidates) {
    result_.points = best_points_;
    result_.iterations = best_iterations_;
  }
  return result_;
}

// The correction changes slowly along a path, so it is measured now and then.
void Descent::MeasureCorrection(std::size_t row, std::size_t start) {
  const auto width = static_cast<std::size_t>(forecaster_.code_size());
  const auto count = static_cast<std::size_t>(forecaster_.objectives());
  const std::span<double> values(values_.data() + row * count, count);
  const std::span<double> corrections(corrections_.data() + start * count, count);
  std::copy(values.begin(), values.end(), corrections.begin());
  forecaster_.Correct(std::span(codes_).subspan(row * width, width),
                      std::span(spread_).subspan(row * count, count), corrections,
                      std::span(stds_).subspan(start * count, count));
  for (std::size_t k = 0; k < count; ++k) corrections[k] -= values[k];
}

// Keeps an iterate by the rule by which answers are chosen.
void Descent::KeepBest(const Problem& problem, double confidence, std::size_t row,
                       std::size_t start, const double* point) {
  const auto width = static_cast<std::size_t>(forecaster_.code_size());
  const auto count = static_cast<std::size_t>(forecaster_.objectives());
  const std::span<const double> values(values_.data() + row * count, count);
  const std::span<const double> stds(stds_.data() + start * count, count);
  const double score =
      RiskOf(problem, forecaster_, values, stds) +
      (Satisfies(problem, forecaster_, values, stds, confidence) ? 0 : kUnsatisfyingRisk);
  if (!(score < best_scores_[start])) return;
  best_scores_[start] = score;
  best_iterations_[start] = iteration_;
  std::copy_n(point, width, best_points_.data() + start * width);
}

void Descent::Evaluate(const Problem& problem, double confidence, std::span<const int> start,
                       const double* points, double* losses, double* constraints) {
  const auto count = static_cast<std::size_t>(forecaster_.objectives());
  const std::size_t row_count = start.size();
  const int rows = static_cast<int>(row_count);
  std::copy(points, points + row_count * static_cast<std::size_t>(forecaster_.code_size()),
            codes_.begin());
  forecaster_.function().Evaluate(codes_.data(), rows, heads_.data(), spread_.data(), workspace_);
  for (std::size_t row = 0; row < row_count; ++row) {
    const auto own = static_cast<std::size_t>(start[row]);
    const std::span<double> values(values_.data() + row * count, count);
    const std::span<const double> stds(stds_.data() + own * count, count);
    for (std::size_t k = 0; k < count; ++k) {
      values[k] = forecaster_.ToUnits(static_cast<int>(k), heads_[row * count + k]);
    }
    if (iteration_ % options_.refresh == 0) MeasureCorrection(row, own);
    for (std::size_t k = 0; k < count; ++k) values[k] += corrections_[own * count + k];
    losses[row] = problem.Loss(values);
    for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
      const Bound& bound = problem.bounds[i];
      double margin = kSlack * bound.std;
      if (!bound.firm) {
        margin =
            std::max({margin, attempt_.margin * forecaster_.StdOf(bound.expression, values, stds),
                      forecaster_.Margin(bound, values, stds, confidence)});
      }
      constraints[row * problem.bounds.size() + i] = problem.Excess(i, values) + margin / bound.std;
    }
    if (options_.candidates) {
      KeepBest(problem, confidence, row, own,
               points + row * static_cast<std::size_t>(forecaster_.code_size()));
    }
  }
  ++iteration_;
}

// dL/dh = dv/dh (dl/dv + sum_i multiplier_i dc_i/dv). The confidence margin changes slowly and is
// treated as constant.
void Descent::Gradient(const Problem& problem, int rows, const double* multipliers,
                       double* gradients) {
  const auto count = static_cast<std::size_t>(forecaster_.objectives());
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    const std::span<const double> values(values_.data() + row * count, count);
    std::fill(value_gradient_.begin(), value_gradient_.end(), 0.0);
    problem.AddLossGradient(values, value_gradient_);
    for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
      const double multiplier = multipliers[row * problem.bounds.size() + i];
      if (multiplier > 0) problem.AddExcessGradient(i, values, multiplier, value_gradient_);
    }
    for (std::size_t k = 0; k < count; ++k) {
      cotangents_[row * count + k] =
          static_cast<float>(value_gradient_[k] * forecaster_.LabelStd(static_cast<int>(k)));
    }
  }
  forecaster_.function().Pullback(cotangents_.data(), rows, code_gradients_.data(), workspace_);
  std::copy(code_gradients_.begin(),
            code_gradients_.begin() + static_cast<std::ptrdiff_t>(rows) * forecaster_.code_size(),
            gradients);
}

void Descent::Project(std::span<const int> start, int iteration, const double* points,
                      double* gradients) {
  const auto width = static_cast<std::size_t>(forecaster_.code_size());
  const double limit = kInside * attempt_.max_distance * manifold_.spacing();
  for (std::size_t row = 0; row < start.size(); ++row) {
    const std::span<const double> point(points + row * width, width);
    const std::span<double> gradient(gradients + row * width, width);
    int& nearest = nearest_[static_cast<std::size_t>(start[row])];
    const bool is_time = nearest < 0 || iteration % options_.refresh == 0;
    if (is_time) nearest = manifold_.FindNearest(point).index;
    if (options_.project) manifold_.Project(nearest, gradient);

    // A step stays inside the trusted ball around that known code; a longer step ends on the
    // surface.
    const std::span<const float> centre = manifold_.code(nearest);
    for (std::size_t i = 0; i < width; ++i) {
      next_[i] = point[i] - primal_step_ * gradient[i];
      offset_[i] = next_[i] - static_cast<double>(centre[i]);
    }
    const double distance = manifold_.metric().Length(offset_);
    if (distance <= limit) continue;
    const double excess = 1 - limit / distance;
    double moved = 0;
    for (std::size_t i = 0; i < width; ++i) {
      moved = std::max(moved, std::abs(next_[i] - excess * offset_[i] - point[i]));
    }
    // Another code's ball may take over there. A start that is stuck checks at once.
    if (is_time || moved <= kHeld) {
      const NeighbourTable::Nearest other = manifold_.FindNearest(next_);
      if (other.distance <= limit) {
        nearest = other.index;
        continue;
      }
    }
    for (std::size_t i = 0; i < width; ++i) {
      gradient[i] = (point[i] - next_[i] + excess * offset_[i]) / primal_step_;
    }
  }
}

}  // namespace rhumb::steer
