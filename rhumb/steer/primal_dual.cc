#include "rhumb/steer/primal_dual.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rhumb/core/error.h"

namespace rhumb::steer {
namespace {

constexpr double kProgress = 0.99;  // what falls below this share of itself has made progress
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool AllFinite(const double* values, std::size_t count) {
  return std::all_of(values, values + count, [](double value) { return std::isfinite(value); });
}

}  // namespace

const PrimalDualResult& PrimalDual::Minimise(const PrimalDualProblem& problem,
                                             std::span<const double> starts,
                                             const PrimalDualOptions& options,
                                             const Observer* observe) {
  RHUMB_CHECK(problem.size > 0 && problem.constraints >= 0 &&
                  starts.size() % static_cast<std::size_t>(problem.size) == 0,
              "{} numbers in starts of {}, {} constraints", starts.size(), problem.size,
              problem.constraints);
  size_ = static_cast<std::size_t>(problem.size);
  constraint_count_ = static_cast<std::size_t>(problem.constraints);
  Prepare(starts);
  for (int iteration = 0; !start_.empty(); ++iteration) {
    problem.evaluate(start_, points_.data(), losses_.data(), constraints_.data());
    if (observe != nullptr) (*observe)(iteration, start_, points_.data(), multipliers_.data());
    bool any = false;
    for (std::size_t row = 0; row < start_.size(); ++row) {
      runs_[row] = UpdateBest(row, problem, options, iteration);
      any = any || runs_[row];
    }
    if (!any) break;
    for (std::size_t i = 0; i < start_.size() * constraint_count_; ++i) {
      augmented_[i] = std::max(0.0, multipliers_[i] + options.penalty * constraints_[i]);
    }
    problem.gradient(start_, points_.data(), augmented_.data(), gradients_.data());
    problem.project(start_, iteration, points_.data(), gradients_.data());
    for (std::size_t row = 0; row < start_.size(); ++row) {
      if (runs_[row]) runs_[row] = Step(row, options, iteration);
    }
    DropEnded();
  }
  return result_;
}

void PrimalDual::Prepare(std::span<const double> starts) {
  const std::size_t count = starts.size() / size_;
  start_.resize(count);
  for (std::size_t s = 0; s < count; ++s) start_[s] = static_cast<int>(s);
  runs_.resize(count);
  points_.assign(starts.begin(), starts.end());
  gradients_.resize(count * size_);
  losses_.resize(count);
  constraints_.resize(count * constraint_count_);
  multipliers_.assign(count * constraint_count_, 0);
  augmented_.resize(count * constraint_count_);
  violations_.assign(count, kInfinity);
  marks_.assign(count, {kInfinity, kInfinity, 0});
  result_.points.assign(starts.begin(), starts.end());
  result_.losses.assign(count, kInfinity);
  result_.constraints.assign(count * constraint_count_, kInfinity);
  result_.multipliers.assign(count * constraint_count_, 0);
  result_.outcomes.assign(count, Outcome::kIterationLimit);
  result_.iterations.assign(count, 0);
}

bool PrimalDual::UpdateBest(std::size_t row, const PrimalDualProblem& problem,
                            const PrimalDualOptions& options, int iteration) {
  const double loss = losses_[row];
  const double* constraints = constraints_.data() + row * constraint_count_;
  if (!std::isfinite(loss) || !AllFinite(constraints, constraint_count_)) {
    return End(row, Outcome::kNotFinite, iteration);
  }
  const auto start = static_cast<std::size_t>(start_[row]);
  if (problem.accept(loss, constraints)) {
    Keep(row);
    return End(row, Outcome::kAccepted, iteration);
  }
  // All satisfied constraints count equally, so the loss decides among feasible iterates.
  double violation = options.feasible;
  for (std::size_t m = 0; m < constraint_count_; ++m) {
    violation = std::max(violation, constraints[m]);
  }
  if (violation < violations_[start] ||
      (violation <= options.feasible && loss < result_.losses[start])) {
    Keep(row);
    violations_[start] = violation;
  }
  if (!Advances(start, violation, loss, options, iteration)) {
    return End(row, Outcome::kStalled, iteration);
  }
  return iteration < options.iterations || End(row, Outcome::kIterationLimit, iteration);
}

bool PrimalDual::Advances(std::size_t start, double violation, double loss,
                          const PrimalDualOptions& options, int iteration) {
  Mark& mark = marks_[start];
  const bool is_nearer =
      mark.violation <= options.feasible
          ? violation <= options.feasible && loss < kProgress * mark.loss
          : violation <= options.feasible || violation < kProgress * mark.violation;
  if (is_nearer) mark = {violation, loss, iteration};
  return options.patience == 0 || iteration - mark.iteration < options.patience;
}

bool PrimalDual::Step(std::size_t row, const PrimalDualOptions& options, int iteration) {
  double* point = points_.data() + row * size_;
  const double* gradient = gradients_.data() + row * size_;
  double* multipliers = multipliers_.data() + row * constraint_count_;
  const double* constraints = constraints_.data() + row * constraint_count_;
  if (!AllFinite(gradient, size_)) return End(row, Outcome::kNotFinite, iteration);

  const auto raised = [&](std::size_t m) {
    return std::max(0.0, multipliers[m] + options.dual_step * constraints[m]);
  };
  bool moves = false;
  for (std::size_t i = 0; i < size_; ++i) {
    moves = moves || std::abs(gradient[i]) > options.stationary;
  }
  for (std::size_t m = 0; m < constraint_count_; ++m) {
    moves = moves || std::abs(raised(m) - multipliers[m]) > options.dual_step * options.stationary;
  }
  if (!moves) return End(row, Outcome::kStationary, iteration);

  for (std::size_t i = 0; i < size_; ++i) point[i] -= options.primal_step * gradient[i];
  for (std::size_t m = 0; m < constraint_count_; ++m) multipliers[m] = raised(m);
  return true;
}

// Stores the row's point as the best of its start so far.
void PrimalDual::Keep(std::size_t row) {
  const auto start = static_cast<std::size_t>(start_[row]);
  std::copy_n(points_.data() + row * size_, size_, result_.points.data() + start * size_);
  result_.losses[start] = losses_[row];
  std::copy_n(constraints_.data() + row * constraint_count_, constraint_count_,
              result_.constraints.data() + start * constraint_count_);
}

bool PrimalDual::End(std::size_t row, Outcome outcome, int iteration) {
  const auto start = static_cast<std::size_t>(start_[row]);
  std::copy_n(multipliers_.data() + row * constraint_count_, constraint_count_,
              result_.multipliers.data() + start * constraint_count_);
  result_.outcomes[start] = outcome;
  result_.iterations[start] = iteration;
  return false;
}

// Moves the active rows up. Buffers that evaluate and gradient overwrite are left alone.
void PrimalDual::DropEnded() {
  std::size_t kept = 0;
  for (std::size_t row = 0; row < start_.size(); ++row) {
    if (!runs_[row]) continue;
    if (kept < row) {
      start_[kept] = start_[row];
      std::copy_n(points_.data() + row * size_, size_, points_.data() + kept * size_);
      std::copy_n(multipliers_.data() + row * constraint_count_, constraint_count_,
                  multipliers_.data() + kept * constraint_count_);
    }
    ++kept;
  }
  start_.resize(kept);
}

}  // namespace rhumb::steer
