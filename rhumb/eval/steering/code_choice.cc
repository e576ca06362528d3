#include "rhumb/eval/steering/code_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "rhumb/core/math/random.h"
#include "rhumb/core/process/progress.h"
#include "rhumb/core/process/thread_pool.h"
#include "rhumb/eval/steering/trial.h"
#include "rhumb/steer/steerer.h"

namespace rhumb::eval {

CodeChoice TakeAnswer(const steer::Result& result) {
  const bool answered =
      result.status == steer::Status::kSolved || result.status == steer::Status::kIterationLimit;
  const steer::Answer& answer = answered ? result.answers.front() : result.infeasibility->nearest;
  const bool started = answer.origin == steer::Origin::kSteered && answer.iterations == 0;
  return {.status = result.status,
          .code = answer.code,
          .predicted = answer.predicted,
          .origin = started ? "started" : std::string(steer::NameOf(answer.origin)),
          .interval = answer.interval,
          .iterations = answer.iterations,
          .distance = answer.distance_to_data,
          .probability = answer.probability};
}

CodeChoice TakeNearest(const net::CodeTable& table, const steer::Problem& problem,
                       const std::string& origin) {
  std::vector<double> values(static_cast<std::size_t>(table.objectives));
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int row = 0; row < table.count(); ++row) {
    std::ranges::copy(table.values_of(row), values.begin());
    const double miss = problem.Miss(values);
    if (!(miss < least)) continue;
    least = miss;
    best = row;
  }
  CodeChoice choice;
  const std::span<const float> code = table.code(best), predicted = table.values_of(best);
  choice.code.assign(code.begin(), code.end());
  choice.predicted.assign(predicted.begin(), predicted.end());
  choice.origin = origin;
  return choice;
}

const net::CodeTable* RolledOutCodes(const net::Model& model, net::RolloutMode mode) {
  const auto& grounding = model.grounded[static_cast<std::size_t>(mode)];
  return grounding && grounding->rolled_out.count() > 0 ? &grounding->rolled_out : nullptr;
}

steer::SteerOptions SteeringOf(const std::string& method, const steer::SteerOptions& own) {
  if (method != "default" && method != "still" && method != kTries)
    return steer::PresetOptions(method);
  steer::SteerOptions options = own;
  if (method == "still") options.iterations = 0;
  return options;
}

std::optional<std::vector<CodeChoice>> ChooseBySteering(const sim::Environment& environment,
                                                        const net::Model& model,
                                                        std::span<const Task> tasks,
                                                        const SteeringMethod& method,
                                                        const core::Job& job) {
  const steer::SteerOptions options = SteeringOf(method.name, method.steer);
  const int tries = method.name == kTries ? method.tries : 0;
  std::vector<CodeChoice> choices(tasks.size());
  const auto count = static_cast<std::int64_t>(tasks.size());
  core::Progress progress(fmt::format("steer {}", method.name), count, {.quiet = job.quiet});
  if (tries > 0) {
    // Rollouts have threads of their own, so the tasks follow each other.
    rollout::CodeRunOptions run{.mode = method.mode, .job = job};
    run.job.quiet = true;
    run.first_code = core::stream_key::kTriedCodes;
    for (std::size_t i = 0; i < tasks.size(); ++i, run.first_code += tries) {
      const std::optional<Trials> trials =
          SolveByTrying(environment, model,
                        {.query = tasks[i].query,
                         .steer = options,
                         .tries = tries,
                         .seed = tasks[i].seed,
                         .first_start = tasks[i].init.value_or(-1)},
                        run);
      if (!trials) return std::nullopt;
      choices[i] = TakeAnswer(trials->result);
      progress.Advance();
    }
    return choices;
  }
  const steer::Steerer steerer(model, method.mode, options);
  core::ThreadPool pool(job.threads);
  pool.ParallelFor(count, [&](std::int64_t number, int) {
    if (job.should_stop()) return;
    const auto i = static_cast<std::size_t>(number);
    const Task& task = tasks[i];
    choices[i] = TakeAnswer(steerer.Solve(task.query, nullptr, task.seed, task.init.value_or(-1)));
    progress.Advance();
  });
  if (job.should_stop()) return std::nullopt;
  return choices;
}

}  // namespace rhumb::eval
