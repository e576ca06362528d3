#include "rhumb/steer/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "rhumb/core/math/random.h"

namespace rhumb::steer {
namespace {

constexpr int kMixed = 8;         // candidates that are mixed with each other
constexpr int kConsidered = 256;  // known codes whose risk is compared
// The same where bounds must be likely: their margin moves the best codes, but not far.
constexpr int kConsideredIfLikely = 1024;

// Returns the `count` forecasts with the smallest `score`, best first.
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
  // Ties keep the table's order, so answers are reproducible.
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

// Residuals have longer tails than a normal, and several requirements are missed in the tails.
double HonestProbability(const Problem& problem, const Forecaster& forecaster,
                         const Forecast& forecast) {
  if (!forecaster.has_rollouts()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> stds = forecast.stds;
  for (std::size_t k = 0; k < stds.size(); ++k) {
    stds[k] *= forecaster.TailScale(static_cast<int>(k));
  }
  return ProbabilityOf(problem, forecaster, forecast.values, stds);
}

}  // namespace

Answer MakeAnswer(const PreparedModel& prepared, const Candidate& candidate) {
  Answer answer = candidate;
  // The search forecast only the objectives of its problem.
  const Forecast forecast = prepared.forecaster.Predict(candidate.code).front();
  answer.predicted = forecast.values;
  answer.interval = prepared.forecaster.IntervalsOf(forecast, prepared.options.interval);
  return answer;
}

Search::Search(const PreparedModel& prepared, const PrimalDual::Observer* observe)
    : prepared_(prepared),
      observe_(observe),
      descent_(prepared.forecaster, prepared.manifold, prepared.options, prepared.primal_step) {}

// Bonferroni: each of B bounds may fail with probability (1 - confidence) / B.
double Search::ConfidencePerBound(const Problem& problem, const AttemptSettings& attempt) const {
  const double confidence = prepared_.options.confidence;
  const auto count = std::count_if(problem.bounds.begin(), problem.bounds.end(),
                                   [](const Bound& bound) { return !bound.firm; });
  if (confidence <= 0 || count == 0) return attempt.likelihood;
  return std::max(attempt.likelihood, 1 - (1 - confidence) / static_cast<double>(count));
}

std::vector<int> Search::NearStarts(const Problem& problem, const AttemptSettings& attempt) const {
  const auto miss = [&](std::size_t i) { return problem.Miss(prepared_.known[i].values); };
  const std::vector<int> nearest = Best(prepared_.known.size(), attempt.starts, miss);
  if (problem.wishes.empty() || problem.bounds.empty()) return nearest;
  // A wish may pull every start to a region from which descent cannot return inside the bounds.
  const std::vector<int> inside =
      Best(prepared_.known.size(), attempt.starts / 2, [&](std::size_t i) {
        const std::span<const double> values = prepared_.known[i].values;
        bool keeps = true;
        for (std::size_t b = 0; b < problem.bounds.size(); ++b) {
          keeps = keeps && problem.Excess(b, values) <= 0;
        }
        return miss(i) + (keeps ? 0 : kUnsatisfyingRisk);
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

// The risk of every known code takes longer than all the rest. Of codes that miss by more it is
// larger, unless a wish or a confidence moves the best ones away from the border.
std::vector<int> Search::NearKnown(const Problem& problem, double confidence) const {
  auto count = static_cast<int>(prepared_.known.size());
  if (problem.wishes.empty() && prepared_.options.confidence <= 0) {
    count = std::min(count, confidence > 0 ? kConsideredIfLikely : kConsidered);
  }
  return Best(prepared_.known.size(), count,
              [&](std::size_t i) { return problem.Miss(prepared_.known[i].values); });
}

std::vector<double> Search::Starts(const Problem& problem, const AttemptSettings& attempt,
                                   const Seeds& seeds) const {
  const int width = prepared_.model.code_size();
  std::vector<double> starts;
  const auto add = [&](std::span<const float> code) {
    starts.insert(starts.end(), code.begin(), code.end());
  };
  if (!seeds.code.empty()) add(seeds.code);
  if (prepared_.options.start == "near") {
    for (const int i : NearStarts(problem, attempt)) add(prepared_.manifold.code(i));
    return starts;
  }
  core::Stream noise(seeds.seed, core::Purpose::kSteering);
  const auto trained = static_cast<std::uint32_t>(prepared_.model.training.count());
  for (int i = 0; i < attempt.starts; ++i) {
    const int drawn = static_cast<int>(noise.Below(trained));
    add(RowOf(prepared_.model.training.codes,
              i == 0 && seeds.first_start >= 0 ? seeds.first_start : drawn, width));
  }
  return starts;
}

Candidate Search::MakeCandidate(const Problem& problem, std::span<const float> code,
                                const Forecast& forecast, Origin origin,
                                const AttemptSettings& attempt) const {
  Candidate candidate;
  candidate.code.assign(code.begin(), code.end());
  candidate.forecast = forecast;
  candidate.origin = origin;
  candidate.distance_to_data =
      forecast.distance
          ? *forecast.distance / prepared_.manifold.spacing()
          : prepared_.manifold.DistanceToData(std::vector<double>(code.begin(), code.end()));
  candidate.probability = HonestProbability(problem, prepared_.forecaster, forecast);
  candidate.risk = RiskOf(problem, prepared_.forecaster, forecast.values, forecast.stds);
  candidate.satisfies = candidate.distance_to_data <= attempt.max_distance &&
                        prepared_.forecaster.IsCredible(forecast, ObjectivesOf(problem)) &&
                        Satisfies(problem, prepared_.forecaster, forecast.values, forecast.stds,
                                  ConfidencePerBound(problem, attempt));
  return candidate;
}

std::vector<Candidate> Search::Run(const Problem& problem, const AttemptSettings& attempt,
                                   const Seeds& seeds) {
  const int width = prepared_.model.code_size();
  const std::vector<double> starts = Starts(problem, attempt, seeds);
  const PrimalDualResult& steered =
      descent_.Run(problem, ConfidencePerBound(problem, attempt), starts, attempt, observe_);
  ran_out_ =
      std::count(steered.outcomes.begin(), steered.outcomes.end(), Outcome::kIterationLimit) > 0;

  std::vector<Candidate> candidates;
  const std::vector<float> codes(steered.points.begin(), steered.points.end());
  const std::vector<Forecast> forecasts =
      prepared_.forecaster.Predict(codes, ObjectivesOf(problem));
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    candidates.push_back(MakeCandidate(problem, RowOf(codes, static_cast<int>(i), width),
                                       forecasts[i], Origin::kSteered, attempt));
    candidates.back().iterations = steered.iterations[i];
  }
  if (!prepared_.options.candidates) return candidates;

  const Forecaster& forecaster = prepared_.forecaster;
  const double confidence = ConfidencePerBound(problem, attempt);
  const Origin origin = forecaster.has_rollouts() ? Origin::kRolledOut : Origin::kTraining;
  const std::vector<int> near = NearKnown(problem, confidence);
  const std::vector<int> objectives = ObjectivesOf(problem);
  const std::vector<int> best = Best(near.size(), attempt.starts, [&](std::size_t place) {
    const Forecast& known = prepared_.known[static_cast<std::size_t>(near[place])];
    return RiskOf(problem, forecaster, known.values, known.stds) +
           (forecaster.IsCredible(known, objectives) &&
                    Satisfies(problem, forecaster, known.values, known.stds, confidence)
                ? 0
                : kUnsatisfyingRisk);
  });
  for (const int place : best) {
    const int i = near[static_cast<std::size_t>(place)];
    candidates.push_back(MakeCandidate(problem, prepared_.manifold.code(i),
                                       prepared_.known[static_cast<std::size_t>(i)], origin,
                                       attempt));
  }
  // Without steps nothing moves, mixtures neither.
  for (int round = 0; round < prepared_.options.mixtures && attempt.iterations > 0; ++round) {
    AddMixtures(problem, attempt, candidates);
  }
  return candidates;
}

void Search::AddMixtures(const Problem& problem, const AttemptSettings& attempt,
                         std::vector<Candidate>& candidates) const {
  const std::vector<int> best = Best(candidates.size(), kMixed, [&](std::size_t i) {
    return candidates[i].risk + (candidates[i].satisfies ? 0 : kUnsatisfyingRisk);
  });
  std::vector<float> codes;
  for (std::size_t a = 0; a < best.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const std::vector<float>& one = candidates[static_cast<std::size_t>(best[a])].code;
      const std::vector<float>& other = candidates[static_cast<std::size_t>(best[b])].code;
      if (one == other) continue;
      for (std::size_t i = 0; i < one.size(); ++i) codes.push_back((one[i] + other[i]) / 2);
    }
  }
  const std::vector<Forecast> forecasts =
      prepared_.forecaster.Predict(codes, ObjectivesOf(problem));
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    candidates.push_back(
        MakeCandidate(problem, RowOf(codes, static_cast<int>(i), prepared_.model.code_size()),
                      forecasts[i], Origin::kMixed, attempt));
  }
}

}  // namespace rhumb::steer
