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

void Descent::Prepare(const Problem& problem, int starts) {
  const auto rows = static_cast<std::size_t>(starts);
  const auto width = static_cast<std::size_t>(forecaster_.code_size());
  const auto count = static_cast<std::size_t>(forecaster_.objectives());
  nearest_.assign(rows, -1);
  paths_.clear();
  const std::vector<int> objectives = ObjectivesOf(problem);
  for (std::size_t i = 0; i < rows; ++i) paths_.emplace_back(forecaster_, objectives);
  values_.resize(rows * count);
  stds_.resize(rows * count);
  best_scores_.assign(rows, kUnbounded);
  best_points_.resize(rows * width);
  best_iterations_.assign(rows, 0);
  value_gradient_.resize(count);
  offset_.resize(width);
  next_.resize(width);
}

const PrimalDualResult& Descent::Run(const Problem& problem, double confidence,
                                     std::span<const double> starts, const AttemptSettings& attempt,
                                     const PrimalDual::Observer* observe) {
  attempt_ = attempt;
  const int size = forecaster_.code_size();
  Prepare(problem, static_cast<int>(starts.size()) / size);
  iteration_ = 0;
  const bool can_stop = CanStopEarly(problem);
  const double stop_loss = StopLoss(problem);
  const auto evaluate = [&](std::span<const int> start, const double* points, double* losses,
                            double* constraints) {
    Evaluate(problem, confidence, start, points, losses, constraints);
  };
  const auto gradient = [&](std::span<const int> start, const double*, const double* multipliers,
                            double* gradients) {
    Gradient(problem, start, multipliers, gradients);
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
                              .patience = can_stop ? attempt.patience : 0,
                              .stationary = 1e-6,
                              .feasible = 0},
                             observe);
  if (options_.candidates) {
    result_.points = best_points_;
    result_.iterations = best_iterations_;
  }
  return result_;
}

// Keeps an iterate by the rule by which answers are chosen.
void Descent::KeepBest(const Problem& problem, double confidence, std::size_t row,
                       std::size_t start, const double* point) {
  const auto width = static_cast<std::size_t>(forecaster_.code_size());
  const auto count = static_cast<std::size_t>(forecaster_.objectives());
  const std::span<const double> values(values_.data() + row * count, count);
  const std::span<const double> stds(stds_.data() + row * count, count);
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
  const auto width = static_cast<std::size_t>(forecaster_.code_size());
  const auto count = static_cast<std::size_t>(forecaster_.objectives());
  for (std::size_t row = 0; row < start.size(); ++row) {
    const auto own = static_cast<std::size_t>(start[row]);
    const std::span<double> values(values_.data() + row * count, count);
    const std::span<double> stds(stds_.data() + row * count, count);
    paths_[own].Forecast({points + row * width, width},
                         iteration_ % options_.refresh == 0 ? Forecaster::Path::Look::kAround
                                                            : Forecaster::Path::Look::kNowhere,
                         values, stds);
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
      KeepBest(problem, confidence, row, own, points + row * width);
    }
  }
  ++iteration_;
}

// dL/dh = dv/dh (dl/dv + sum_i multiplier_i dc_i/dv). The confidence margin changes slowly and is
// treated as constant.
void Descent::Gradient(const Problem& problem, std::span<const int> start,
                       const double* multipliers, double* gradients) {
  const auto width = static_cast<std::size_t>(forecaster_.code_size());
  const auto count = static_cast<std::size_t>(forecaster_.objectives());
  for (std::size_t row = 0; row < start.size(); ++row) {
    const std::span<const double> values(values_.data() + row * count, count);
    std::fill(value_gradient_.begin(), value_gradient_.end(), 0.0);
    problem.AddLossGradient(values, value_gradient_);
    for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
      const double multiplier = multipliers[row * problem.bounds.size() + i];
      if (multiplier > 0) problem.AddExcessGradient(i, values, multiplier, value_gradient_);
    }
    paths_[static_cast<std::size_t>(start[row])].Pullback(value_gradient_,
                                                          {gradients + row * width, width});
  }
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
    const auto find_nearest = [&](std::span<const double> code) {
      return forecaster_.has_rollouts()
                 ? paths_[static_cast<std::size_t>(start[row])].FindNearest(code)
                 : manifold_.FindNearest(code);
    };
    if (is_time) nearest = find_nearest(point).index;
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
      const NeighbourTable::Nearest other = find_nearest(next_);
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
