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
// From the retry on, a start ends that comes no nearer for so many steps. Mostly it wants what is
// not there.
constexpr int kPatience = 50;
// Starts per answer if several are requested, and the minimum distance between two answers, in
// spacings.
constexpr int kStartsPerAnswer = 4;
constexpr double kApart = 0.5;
// Search radius, as a multiple of max_distance, used to tell "refused" from "infeasible".
constexpr double kBeyond = 1.5;

SteerOptions Checked(SteerOptions options) {
  core::CheckRanges(options, "the settings of steering");
  return options;
}

bool AnySatisfies(const std::vector<Candidate>& candidates) {
  return std::any_of(candidates.begin(), candidates.end(),
                     [](const Candidate& candidate) { return candidate.satisfies; });
}

void AddAnswers(const PreparedModel& prepared, const std::vector<Candidate>& candidates,
                Result& result) {
  for (const Candidate* chosen :
       ChooseAnswers(candidates, prepared.options.answers, kApart * prepared.manifold.spacing())) {
    result.answers.push_back(MakeAnswer(prepared, *chosen));
  }
}

Result SolveProblem(const PreparedModel& prepared, const Problem& problem,
                    const Search::Seeds& seeds, const PrimalDual::Observer* observe) {
  const SteerOptions& options = prepared.options;
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
  // Before giving up, search more, without the margin.
  if (!AnySatisfies(found) && options.candidates) {
    attempt = {.starts = kMoreStarts * options.starts,
               .iterations = kMoreIterations * options.iterations,
               .max_distance = options.max_distance,
               .patience = kPatience};
    found = search.Run(problem, attempt, seeds);
  }
  if (AnySatisfies(found)) {
    AddAnswers(prepared, found, result);
    return result;
  }
  result.status = Status::kInfeasible;
  // What follows explains why there is no answer. The usual effort is enough for it.
  attempt.starts = options.starts;
  attempt.iterations = options.iterations;
  result.infeasibility = Diagnose(prepared, search, problem, found, attempt, seeds);
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
  AddAnswers(prepared, found, result);
  const double distance = result.answers.front().distance_to_data;
  if (distance <= options.max_distance) {
    result.status = Status::kSolved;
    result.infeasibility.reset();
    return result;
  }
  result.status = Status::kRefused;
  reason = fmt::format(
      "a code predicted to meet the query lies {:.2g} spacings from the known codes, beyond the "
      "limit of {:g}; within it, {}",
      distance, options.max_distance, reason);
  return result;
}

}  // namespace

Steerer::Steerer(const net::Model& model, net::RolloutMode mode, const SteerOptions& options)
    : options_(Checked(options)), prepared_(model, mode, options_) {
  if (options.confidence > 0 && !grounded()) {
    Fail(
        "a confidence of {} needs a model that knows its error: `rhumb model ground` measures it "
        "for {} actions",
        options.confidence, net::NameOf(mode));
  }
}

Result Steerer::Solve(const Query& query, const Reference* reference, std::uint64_t seed,
                      int first_start, const PrimalDual::Observer* observe) const {
  const auto begin = std::chrono::steady_clock::now();
  const int count = model().training.count();
  if (first_start >= count) {
    Fail("there are training codes 0 to {}, not {}", count - 1, first_start);
  }
  const Problem problem = MakeProblem(query, model(), reference);
  Search::Seeds seeds{.seed = seed, .first_start = first_start};
  if (reference != nullptr) seeds.code = reference->code;
  Result result = SolveProblem(prepared_, problem, seeds, observe);
  result.solve_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

void Steerer::Check(const Query& query, const Reference* reference) const {
  MakeProblem(query, model(), reference);
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
  if (code.size() != static_cast<std::size_t>(model().code_size())) {
    Fail("a code of this model has {} numbers, not {}", model().code_size(), code.size());
  }
  if (!std::all_of(code.begin(), code.end(), [](float number) { return std::isfinite(number); })) {
    Fail("a code has a number that is not finite");
  }
  Candidate candidate;
  candidate.code.assign(code.begin(), code.end());
  candidate.forecast = prepared_.forecaster.Predict(code).front();
  candidate.distance_to_data =
      prepared_.manifold.DistanceToData(std::vector<double>(code.begin(), code.end()));
  return MakeAnswer(prepared_, candidate);
}

}  // namespace rhumb::steer
