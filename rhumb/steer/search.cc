#include "rhumb/steer/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rhumb/core/random.h"

namespace rhumb::steer {
namespace {

constexpr std::ptrdiff_t kPicks = 4;
// Puts a known code that does not meet the query behind all that do.
constexpr double kUnsatisfying = 1e6;
constexpr int kSlopeSample = 64;

// How steeply the values rise along the tangent spaces: the 0.95 quantile, over training codes
// spread evenly over the table, of sum_k |P dv_k/dh|^2, in label deviations. A step of s / slope
// along a gradient in label deviations changes these by about s, whatever the scale of the codes.
double MeasureSlope(const Forecaster& forecaster, const DataManifold& manifold,
                    const net::Model& model) {
  const auto width = static_cast<std::size_t>(forecaster.code_size());
  const auto count = static_cast<std::size_t>(forecaster.objectives());
  const net::ValueFunction& function = forecaster.function();
  std::vector<float> values(count), spread(count), cotangents(count), gradient(width);
  std::vector<float> workspace(function.workspace_size(1));
  std::vector<double> slopes, direction(width);
  const int stride = std::max(1, manifold.count() / kSlopeSample);
  for (int i = 0; i < manifold.count(); i += stride) {
    function.Evaluate(model.training.codes.data() + static_cast<std::size_t>(i) * width, 1,
                      values.data(), spread.data(), workspace);
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) {
      std::fill(cotangents.begin(), cotangents.end(), 0.0f);
      cotangents[k] = 1;
      function.Pullback(cotangents.data(), 1, gradient.data(), workspace);
      direction.assign(gradient.begin(), gradient.end());
      manifold.Project(i, direction);
      for (const double slope : direction) sum += slope * slope;
    }
    slopes.push_back(sum);
  }
  const auto place = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() * 95 / 100);
  std::nth_element(slopes.begin(), place, slopes.end());
  return *place > 0 ? *place : 1;
}

// The `count` forecasts with the least of `score`, best first.
template <class Score>
std::vector<int> Best(std::size_t size, int count, const Score& score) {
  std::vector<double> scores(size);
  for (std::size_t i = 0; i < size; ++i) {
    scores[i] = score(i);
    if (std::isnan(scores[i])) scores[i] = kUnbounded;
  }
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  const auto kept = std::min(size, static_cast<std::size_t>(count));
  // Equal scores in the order of the table, so that answers repeat.
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](int a, int b) {
                      const double left = scores[static_cast<std::size_t>(a)];
                      const double right = scores[static_cast<std::size_t>(b)];
                      return left != right ? left < right : a < b;
                    });
  order.resize(kept);
  return order;
}

std::span<const float> RowOf(std::span<const float> codes, int row, int width) {
  return codes.subspan(static_cast<std::size_t>(row) * static_cast<std::size_t>(width),
                       static_cast<std::size_t>(width));
}

}  // namespace

Atlas::Atlas(const net::Model& trained, net::RolloutMode mode, const SteerOptions& settings)
    : model(trained),
      options(settings),
      forecaster(trained, mode, settings.heads),
      manifold(trained.training.codes, trained.code_size(),
               {.neighbours = settings.neighbours, .variance = settings.variance}),
      training(forecaster.Predict(trained.training.codes)),
      rolled_out(forecaster.Predict(forecaster.rolled_out_codes())),
      primal_step(settings.primal_step /
                  (settings.scale_step ? MeasureSlope(forecaster, manifold, trained) : 1)) {}

Search::Search(const Atlas& atlas)
    : atlas_(atlas), descent_(atlas.forecaster, atlas.manifold, atlas.options, atlas.primal_step) {}

// Bonferroni: each of B bounds may fail with (1 - confidence) / B. An answer is also the best of
// several, and what looks best is so by luck in part: as if of kPicks, each is held to more.
double Search::ConfidencePerBound(const Problem& problem, const Effort& effort) const {
  const double confidence = atlas_.options.confidence;
  const auto count = std::count_if(problem.bounds.begin(), problem.bounds.end(),
                                   [](const Bound& bound) { return !bound.firm; });
  if (confidence <= 0 || count == 0) return effort.likelihood;
  return std::max(effort.likelihood, 1 - (1 - confidence) / static_cast<double>(kPicks * count));
}

std::vector<int> Search::NearStarts(const Problem& problem, const Effort& effort) const {
  const auto miss = [&](std::size_t i) {
    return problem.Miss(atlas_.training[i].values, effort.margin);
  };
  const std::vector<int> nearest = Best(atlas_.training.size(), effort.starts, miss);
  if (problem.wishes.empty() || problem.bounds.empty()) return nearest;
  // A wish may pull all of them to where no way leads back inside the bounds.
  const std::vector<int> inside =
      Best(atlas_.training.size(), effort.starts / 2, [&](std::size_t i) {
        const std::span<const double> values = atlas_.training[i].values;
        bool keeps = true;
        for (std::size_t b = 0; b < problem.bounds.size(); ++b) {
          keeps = keeps && problem.Excess(b, values) + effort.margin <= 0;
        }
        return miss(i) + (keeps ? 0 : kUnsatisfying);
      });
  std::vector<int> starts(nearest.begin(), nearest.end() - std::ssize(inside));
  for (const std::vector<int>* list : {&inside, &nearest}) {
    for (const int i : *list) {
      if (starts.size() == nearest.size()) break;
      if (std::find(starts.begin(), starts.end(), i) == starts.end()) starts.push_back(i);
    }
  }
  return starts;
}

std::vector<double> Search::Starts(const Problem& problem, const Effort& effort,
                                   const Seeds& seeds) const {
  const int width = atlas_.model.code_size();
  std::vector<double> starts;
  const auto add = [&](std::span<const float> code) {
    starts.insert(starts.end(), code.begin(), code.end());
  };
  if (!seeds.code.empty()) add(seeds.code);
  if (atlas_.options.start == "near") {
    for (const int i : NearStarts(problem, effort)) {
      add(RowOf(atlas_.model.training.codes, i, width));
    }
    return starts;
  }
  core::Stream noise(seeds.seed, core::Purpose::kSteering);
  for (int i = 0; i < effort.starts; ++i) {
    const int drawn =
        static_cast<int>(noise.Below(static_cast<std::uint32_t>(atlas_.training.size())));
    add(RowOf(atlas_.model.training.codes,
              i == 0 && seeds.first_start >= 0 ? seeds.first_start : drawn, width));
  }
  return starts;
}

Candidate Search::Judge(const Problem& problem, std::span<const float> code,
                        const Forecast& forecast, Origin origin, const Effort& effort) const {
  Candidate candidate;
  candidate.code.assign(code.begin(), code.end());
  candidate.forecast = forecast;
  candidate.origin = origin;
  const std::vector<double> point(code.begin(), code.end());
  candidate.distance = atlas_.manifold.DistanceToData(point);
  candidate.risk = RiskOf(problem, atlas_.forecaster, forecast);
  // What was rolled out has been tried, wherever it lies.
  candidate.satisfies =
      (origin == Origin::kRolledOut || candidate.distance <= effort.border) &&
      Satisfies(problem, atlas_.forecaster, forecast, ConfidencePerBound(problem, effort));
  return candidate;
}

std::vector<Candidate> Search::Run(const Problem& problem, const Effort& effort,
                                   const Seeds& seeds) {
  const int width = atlas_.model.code_size();
  const std::vector<double> starts = Starts(problem, effort, seeds);
  const PrimalDualResult& steered =
      descent_.Run(problem, ConfidencePerBound(problem, effort), starts, effort);
  ran_out_ =
      std::count(steered.outcomes.begin(), steered.outcomes.end(), Outcome::kIterationLimit) > 0;

  std::vector<Candidate> candidates;
  const std::vector<float> codes(steered.points.begin(), steered.points.end());
  const std::vector<Forecast> forecasts = atlas_.forecaster.Predict(codes);
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    candidates.push_back(Judge(problem, RowOf(codes, static_cast<int>(i), width), forecasts[i],
                               Origin::kSteered, effort));
    candidates.back().iterations = steered.iterations[i];
  }
  if (!atlas_.options.candidates) return candidates;

  const double confidence = ConfidencePerBound(problem, effort);
  const auto add_best = [&](const std::vector<Forecast>& known, std::span<const float> table,
                            Origin origin) {
    const std::vector<int> best = Best(known.size(), effort.starts, [&](std::size_t i) {
      return RiskOf(problem, atlas_.forecaster, known[i]) +
             (Satisfies(problem, atlas_.forecaster, known[i], confidence) ? 0 : kUnsatisfying);
    });
    for (const int i : best) {
      candidates.push_back(Judge(problem, RowOf(table, i, width),
                                 known[static_cast<std::size_t>(i)], origin, effort));
    }
  };
  add_best(atlas_.training, atlas_.model.training.codes, Origin::kTraining);
  add_best(atlas_.rolled_out, atlas_.forecaster.rolled_out_codes(), Origin::kRolledOut);
  return candidates;
}

}  // namespace rhumb::steer
