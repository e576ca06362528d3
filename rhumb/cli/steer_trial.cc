#include "rhumb/cli/steer_trial.h"

#include <chrono>
#include <utility>

#include "rhumb/core/exit_code.h"
#include "rhumb/core/interrupt.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/problem.h"

namespace rhumb::cli {
namespace {

// What came of roll-outs, unless they were interrupted.
template <typename T>
T Finished(std::optional<T> result) {
  if (!result) {
    throw core::CommandFailed{core::kInterrupted,
                              "interrupted while rolling out; nothing was written"};
  }
  return std::move(*result);
}

void AppendCodes(const steer::Result& result, std::vector<float>& codes) {
  for (const steer::Answer& answer : result.answers) {
    codes.insert(codes.end(), answer.code.begin(), answer.code.end());
  }
}

eval::Realised TryNearest(const sim::Environment& environment, const net::Model& model,
                          const steer::Query& query, const steer::Reference* reference,
                          steer::Diagnosis& diagnosis, const rollout::CodeRunOptions& run) {
  const steer::Problem problem = steer::MakeProblem(query, model, reference);
  return Finished(eval::VerifyNearest(environment, model, problem, diagnosis, run));
}

}  // namespace

Trial TryOut(const TrialOptions& options, const steer::Steerer& steerer, const steer::Query& query,
             const steer::Reference* reference, steer::Result& result) {
  using Clock = std::chrono::steady_clock;
  const rollout::CodeRunOptions& run = options.run;
  const bool is_refined =
      options.refine > 0 && !result.answers.empty() && result.status != steer::Status::kRefused;
  Trial trial;
  if (run.episodes == 0 && !is_refined) return trial;
  const auto begin = Clock::now();
  const net::Model& model = steerer.model();
  const sim::Environment environment = rollout::MakeEnvironment(model);
  core::CatchInterrupts();
  if (is_refined) {
    const eval::RefinementTask task{query, reference, result, [&](const steer::Query& shifted) {
                                      return steerer.Solve(shifted, reference, run.job.seed);
                                    }};
    trial.refinement = Finished(eval::Refine(environment, model, task, options.refine, run));
    result.answers.front() = trial.refinement->chosen().answer;
  }
  if (result.answers.empty()) {
    trial.realised = {TryNearest(environment, model, query, reference, *result.infeasibility, run)};
  } else if (run.episodes > 0) {
    std::vector<float> codes;
    AppendCodes(result, codes);
    trial.realised = Finished(eval::Verify(environment, model, codes, run));
  }
  trial.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  return trial;
}

std::vector<std::vector<eval::Realised>> RollOutBatch(const TrialOptions& options,
                                                      const net::Model& model,
                                                      const std::vector<steer::Query>& queries,
                                                      std::vector<steer::Result>& results) {
  std::vector<std::vector<eval::Realised>> by_query(results.size());
  if (options.run.episodes == 0) return by_query;
  std::vector<float> codes;
  for (const steer::Result& result : results) AppendCodes(result, codes);
  core::CatchInterrupts();
  const sim::Environment environment = rollout::MakeEnvironment(model);
  const auto realised = Finished(eval::Verify(environment, model, codes, options.run));
  auto next = realised.begin();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto count = static_cast<std::ptrdiff_t>(results[i].answers.size());
    by_query[i].assign(next, next + count);
    next += count;
    if (count > 0) continue;
    by_query[i] = {TryNearest(environment, model, queries[i], nullptr, *results[i].infeasibility,
                              options.run)};
  }
  return by_query;
}

}  // namespace rhumb::cli
