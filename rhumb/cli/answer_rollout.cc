#include "rhumb/cli/answer_rollout.h"

#include <chrono>
#include <utility>

#include "rhumb/cli/options.h"
#include "rhumb/core/process/interrupt.h"
#include "rhumb/sim/environment.h"
#include "rhumb/steer/problem.h"

namespace rhumb::cli {
namespace {

constexpr const char* kInterruption = "interrupted while rolling out; nothing was written";

void AppendCodes(const steer::Result& result, std::vector<float>& codes) {
  for (const steer::Answer& answer : result.answers) {
    codes.insert(codes.end(), answer.code.begin(), answer.code.end());
  }
}

// Stores the behaviour nearest in simulation in the diagnosis.
void RollOutNearest(const sim::Environment& environment, const net::Model& model,
                    const steer::Query& query, const steer::Reference* reference,
                    const rollout::CodeRunOptions& run, RolledOutResult& rolled_out) {
  steer::Diagnosis& diagnosis = *rolled_out.result.infeasibility;
  const steer::Problem problem = steer::MakeProblem(query, model, reference);
  eval::RealisedAnswer nearest = Finished(
      eval::FindNearest(environment, model, problem, diagnosis.alternatives, run), kInterruption);
  diagnosis.nearest = std::move(nearest.answer);
  rolled_out.realised = {std::move(nearest.realised)};
}

}  // namespace

RolledOutResult RollOutAnswers(const rollout::CodeRunOptions& run, const steer::Steerer& steerer,
                               const steer::Query& query, const steer::Reference* reference,
                               steer::Result result) {
  using Clock = std::chrono::steady_clock;
  RolledOutResult rolled_out;
  rolled_out.result = std::move(result);
  if (run.episodes == 0) return rolled_out;
  const auto begin = Clock::now();
  const net::Model& model = steerer.model();
  const sim::Environment environment = rollout::MakeEnvironment(model);
  core::CatchInterrupts();
  if (rolled_out.result.answers.empty()) {
    RollOutNearest(environment, model, query, reference, run, rolled_out);
  } else {
    std::vector<float> codes;
    AppendCodes(rolled_out.result, codes);
    rolled_out.realised = Finished(eval::Verify(environment, model, codes, run), kInterruption);
  }
  rolled_out.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  return rolled_out;
}

std::vector<RolledOutResult> RollOutBatch(const rollout::CodeRunOptions& run,
                                          const net::Model& model,
                                          const std::vector<steer::Query>& queries,
                                          std::vector<steer::Result> results) {
  std::vector<RolledOutResult> by_query(results.size());
  std::vector<float> codes;
  for (std::size_t i = 0; i < results.size(); ++i) {
    AppendCodes(results[i], codes);
    by_query[i].result = std::move(results[i]);
  }
  if (run.episodes == 0) return by_query;
  core::CatchInterrupts();
  const sim::Environment environment = rollout::MakeEnvironment(model);
  const auto realised = Finished(eval::Verify(environment, model, codes, run), kInterruption);
  auto next = realised.begin();
  for (std::size_t i = 0; i < by_query.size(); ++i) {
    const auto count = static_cast<std::ptrdiff_t>(by_query[i].result.answers.size());
    by_query[i].realised.assign(next, next + count);
    next += count;
    if (count > 0) continue;
    RollOutNearest(environment, model, queries[i], nullptr, run, by_query[i]);
  }
  return by_query;
}

}  // namespace rhumb::cli
