#include "rhumb/steer/steerer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "rhumb/core/error.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/steer/diagnosis.h"
#include "rhumb/steer/search.h"

namespace rhumb::steer {
namespace {

// Multipliers for the retry before a query is declared infeasible.
constexpr int kMoreStarts = 2, kMoreIterations = 2;
// Starts per answer if several are requested, and the minimum distance between two answers, in
// spacings.
constexpr int kStartsPerAnswer = 4;
constexpr double kApart = 0.5;
// Search radius, as a multiple of max_distance, used to tell "refused" from "infeasible".
constexpr double kBeyond = 1.5;
// Search radius of a diagnosis, as a share of max_distance.
constexpr double kNearShare = 0.5;

SteerOptions Checked(SteerOptions options) {
  core::CheckRanges(options, "the settings of steering");
  return options;
}

bool AnySatisfies(const std::vector<Candidate>& candidates) {
  return std::any_of(candidates.begin(), candidates.end(),
                     [](const Candidate& candidate) { return candidate.satisfies; });
}

}  // namespace

struct Steerer::Parts {
  Parts(const net::Model& model, net::RolloutMode mode, const SteerOptions& settings)
      : options(settings), prepared(model, mode, options) {}

  void AddAnswers(const std::vector<Candidate>& candidates, Result& result) const {
    for (const Candidate* chosen :
         ChooseAnswers(candidates, options.answers, kApart * prepared.manifold.spacing())) {
      result.answers.push_back(MakeAnswer(prepared, *chosen));
    }
  }

  Result Solve(const Problem& problem, const Search::Seeds& seeds,
               const PrimalDual::Observer* observe) const;

  SteerOptions options;
  PreparedModel prepared;
};

Result Steerer::Parts::Solve(const Problem& problem, const Search::Seeds& seeds,
                             const PrimalDual::Observer* observe) const {
  Result result;
  result.interval_episodes = prepared.forecaster.episodes();
  result.interval_level = options.interval;
  Search search(prepared, observe);
  AttemptSettings attempt{options.starts, options.iterations, options.max_distance, options.margin};
  if (options.answers > 1) {
    attempt.starts = std::max(attempt.starts, kStartsPerAnswer * options.answers);
  }
  std::vector<Candidate> found = search.Run(problem, attempt, seeds);
  const bool ran_out = search.ran_out();
  // Before giving up, search more, without the margin, and then nearer to the data. At the edge of
  // the data the heads promise more the farther a code goes, and a diagnosis concerns this edge.
  for (const double share : {1.0, kNearShare}) {
    if (AnySatisfies(found) || !options.candidates) break;
    attempt = {kMoreStarts * options.starts, kMoreIterations * options.iterations,
               share * options.max_distance, 0};
    found = search.Run(problem, attempt, seeds);
  }
  if (AnySatisfies(found)) {
    AddAnswers(found, result);
    return result;
  }
  result.status = Status::kInfeasible;
  result.infeasibility = Diagnose(prepared, search, problem, found, attempt);
  std::string& reason = result.infeasibility->reason;
  if (!options.candidates) {
    if (!ran_out) return result;
    result.status = Status::kIterationLimit;
    reason = fmt::format("the code still moved after {} steps; {}", options.iterations, reason);
    const auto least =
        std::min_element(found.begin(), found.end(),
                         [](const Candidate& a, const Candidate& b) { return a.risk < b.risk; });
    result.answers.push_back(MakeAnswer(prepared, *least));
    return result;
  }
  attempt.max_distance = kBeyond * options.max_distance;
  found = search.Run(problem, attempt, seeds);
  if (!AnySatisfies(found)) return result;
  AddAnswers(found, result);
  const double distance = result.answers.front().distance_to_data;
  if (distance <= options.max_distance) {
    result.status = Status::kSolved;
    result.infeasibility.reset();
    return result;
  }
  result.status = Status::kRefused;
  reason = fmt::format(
      "a code that is predicted to do it lies {:.2g} spacings from the training codes, beyond "
      "{:g}; "
      "within, {}",
      distance, options.max_distance, reason);
  return result;
}

Steerer::Steerer(const net::Model& model, net::RolloutMode mode, const SteerOptions& options)
    : parts_(std::make_unique<const Parts>(model, mode, Checked(options))) {
  if (options.confidence > 0 && !parts_->prepared.forecaster.calibrated()) {
    Fail(
        "a confidence of {} needs heads that know their error: `rhumb model ground` makes them "
        "for {} actions",
        options.confidence, net::NameOf(mode));
  }
}

Steerer::~Steerer() = default;

Result Steerer::Solve(const Query& query, const Reference* reference, std::uint64_t seed,
                      int first_start, const PrimalDual::Observer* observe) const {
  const auto begin = std::chrono::steady_clock::now();
  const int count = parts_->prepared.model.training.count();
  if (first_start >= count) {
    Fail("there are training codes 0 to {}, not {}", count - 1, first_start);
  }
  const Problem problem = MakeProblem(query, parts_->prepared.model, reference);
  Search::Seeds seeds{.seed = seed, .first_start = first_start};
  if (reference != nullptr) seeds.code = reference->code;
  Result result = parts_->Solve(problem, seeds, observe);
  result.solve_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

void Steerer::Check(const Query& query, const Reference* reference) const {
  MakeProblem(query, parts_->prepared.model, reference);
}

std::vector<Result> Steerer::SolveAll(std::span<const Query> queries, int threads,
                                      std::uint64_t seed) const {
  std::vector<Result> results(queries.size());
  core::ThreadPool pool(threads);
  pool.ParallelFor(static_cast<std::int64_t>(queries.size()), [&](std::int64_t i, int) {
    results[static_cast<std::size_t>(i)] =
        Solve(queries[static_cast<std::size_t>(i)], nullptr, seed);
  });
  return results;
}

Answer Steerer::Assess(std::span<const float> code) const {
  const PreparedModel& prepared = parts_->prepared;
  if (code.size() != static_cast<std::size_t>(prepared.model.code_size())) {
    Fail("a code of this model has {} numbers, not {}", prepared.model.code_size(), code.size());
  }
  if (!std::all_of(code.begin(), code.end(), [](float number) { return std::isfinite(number); })) {
    Fail("a code has a number that is not finite");
  }
  Candidate candidate;
  candidate.code.assign(code.begin(), code.end());
  candidate.forecast = prepared.forecaster.Predict(code).front();
  candidate.distance =
      prepared.manifold.DistanceToData(std::vector<double>(code.begin(), code.end()));
  return MakeAnswer(prepared, candidate);
}

const PreparedModel& Steerer::prepared() const { return parts_->prepared; }
const net::Model& Steerer::model() const { return parts_->prepared.model; }
const SteerOptions& Steerer::options() const { return parts_->options; }
bool Steerer::grounded() const { return parts_->prepared.forecaster.calibrated(); }

}  // namespace rhumb::steer
