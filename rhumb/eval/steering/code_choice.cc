#include "rhumb/eval/steering/code_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "rhumb/core/process/progress.h"
#include "rhumb/core/process/thread_pool.h"
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
          .iterations = answer.iterations,
          .distance = answer.distance_to_data};
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
  if (method != "default" && method != "still") return steer::PresetOptions(method);
  steer::SteerOptions options = own;
  if (method == "still") options.iterations = 0;
  return options;
}

std::optional<std::vector<CodeChoice>> ChooseBySteering(
    const net::Model& model, net::RolloutMode mode, std::span<const Task> tasks,
    const std::string& method, const steer::SteerOptions& own, const core::Job& job) {
  const steer::Steerer steerer(model, mode, SteeringOf(method, own));
  std::vector<CodeChoice> choices(tasks.size());
  const auto count = static_cast<std::int64_t>(tasks.size());
  core::Progress progress(fmt::format("steer {}", method), count, {.quiet = job.quiet});
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
